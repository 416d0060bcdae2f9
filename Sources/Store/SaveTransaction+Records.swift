// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Calls a body with each record of an entity as of now, in the order of the rows.
    ///
    /// - Parameter body: Must not write.
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout, or a row
    ///   that cannot be; what the body throws.
    /// - Complexity: O(objects of the entity)
    package func forEachRecord(
        in table: EntityTable, _ body: (ObjectKey, RecordView) throws -> Void
    ) throws {
        tableCursor = nil
        let cursor = try transaction.makeCursor(table.objects)
        while let entry = try cursor.next() {
            let row = try store.row(of: entry, table)
            let record = try store.view(entry.value, row: row, table: table)
            try body(ObjectKey(entity: table.number, row: row), record)
        }
    }
}
