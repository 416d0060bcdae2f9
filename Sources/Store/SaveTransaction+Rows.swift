// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Reserves rows that no object has had before.
    ///
    /// - Returns: The first of `count` consecutive rows.
    public func allocateRows(_ count: Int, in table: EntityTable) throws -> UInt64 {
        let name = SaveTransaction.rowCounterName(table.number)
        var first: UInt64 = 1
        if let bytes = try transaction.get(name, in: store.databases.meta) {
            var reader = ByteReader(Array(bytes))
            first = try reader.read()
        }
        guard first < ObjectKey.temporaryBit, UInt64(count) < ObjectKey.temporaryBit - first else {
            throw StoreError(
                .storage, path: store.path,
                "entity \(table.entity.name) has used up its \(ObjectKey.temporaryBit) rows; "
                    + "export the data into a new store")
        }
        var writer = ByteWriter()
        writer.write(first + UInt64(count))
        try transaction.put(writer.bytes, for: name, in: store.databases.meta)
        isTouched = true
        return first
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
