// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// The row counter: the first row of an entity that was never reserved.
    func nextRow(of table: EntityTable) throws -> UInt64 {
        let row = try store.meta.number(MetaTable.rowCounter(table.number), in: transaction) ?? 1
        // Whether there are rows left is checked when rows are taken.
        guard row > 0 else {
            throw RecordFormatError(
                .unknownNumber, "the next row of entity \(table.entity.name) is \(row)")
        }
        return row
    }

    /// Raises the row counter.
    func setNextRow(_ row: UInt64, of table: EntityTable) throws {
        try store.meta.put(row, for: MetaTable.rowCounter(table.number), in: transaction)
        isTouched = true
    }

    /// The record of an object as this transaction sees it.
    public func record(for key: ObjectKey, in table: EntityTable) throws -> RecordView? {
        let bytes: UnsafeRawBufferPointer?
        if let tableCursor, tableCursor.serves(table, .update) {
            // Neighbours share a page, in which the cursor stands already.
            tableCursor.row = 0
            bytes = try tableCursor.cursor.seek(exactly: key.row)?.value
        } else {
            bytes = try transaction.get(key.row, in: table.objects)
        }
        guard let bytes else { return nil }
        return try store.view(bytes, row: key.row, table: table)
    }

    /// The destinations of a to-many relationship as of the begin of the transaction.
    public func destinations(
        of owner: ObjectKey, _ table: RelationshipTable
    ) throws -> ContiguousArray<ObjectKey> {
        guard let links = table.links else { return [] }
        return try LinkReader.destinations(of: owner.rawValue, links, in: transaction)
    }
}
