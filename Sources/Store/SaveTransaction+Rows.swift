// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// The row counter: the first row of an entity that nobody has reserved.
    func nextRow(of table: EntityTable) throws -> UInt64 {
        let name = SaveTransaction.rowCounterName(table.number)
        guard let bytes = try transaction.get(name, in: store.databases.meta) else { return 1 }
        var reader = ByteReader(Array(bytes))
        return try reader.read()
    }

    /// Raises the row counter.
    func setNextRow(_ row: UInt64, of table: EntityTable) throws {
        var writer = ByteWriter()
        writer.write(row)
        try transaction.put(
            writer.bytes, for: SaveTransaction.rowCounterName(table.number),
            in: store.databases.meta)
        isTouched = true
    }

    private static func rowCounterName(_ number: EntityNumber) -> [UInt8] {
        Array("row/\(number.rawValue)".utf8)
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
