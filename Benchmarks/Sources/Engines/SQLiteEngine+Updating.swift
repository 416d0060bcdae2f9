// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite

extension SQLiteEngine {
    /// Keeps the rows of the positions.
    public func prepareUpdates(_ positions: [Int]) { updatedRows = positions.map { Int64($0 + 1) } }

    /// Updates each book by its row, in one transaction.
    public func updatePrepared() throws {
        let statement = try SQLiteStatement(
            connection, "UPDATE book SET year = year + 1 WHERE id = ?")
        try execute("BEGIN")
        for row in updatedRows {
            sqlite3_bind_int64(statement.handle, 1, row)
            try statement.run()
        }
        try execute("COMMIT")
    }
}
