// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

extension RawLMDBEngine {
    /// Keeps the rows of the positions.
    public func prepareUpdates(_ positions: [Int]) {
        updatedRows = positions.map { UInt64($0 + 1) }
    }

    /// Gets and puts each book by its row.
    public func updatePrepared() throws {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        for row in updatedRows {
            var row = row
            try withUnsafeMutableBytes(of: &row) { row in
                var key = MDB_val(mv_size: row.count, mv_data: row.baseAddress)
                var value = MDB_val()
                try check(mdb_get(transaction, database, &key, &value))
                // The map is read-only: a record is changed in a copy.
                let record = UnsafeRawBufferPointer(value)
                buffer.copyMemory(from: record)
                PackedBook.setYear(PackedBook.year(record) + 1, in: buffer)
                value = MDB_val(mv_size: record.count, mv_data: buffer.baseAddress)
                try check(mdb_put(transaction, database, &key, &value, 0))
            }
        }
        try check(mdb_txn_commit(transaction))
    }
}
