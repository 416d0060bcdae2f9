// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Writes the record of a new object and its index entries.
    ///
    /// - Throws: ``StoreError`` with `conflict` when the row has a record.
    public func insert(
        _ record: UnsafeRawBufferPointer, for key: ObjectKey, in table: EntityTable
    ) throws {
        let end = try end(of: table)
        let isFree: Bool
        if key.row >= end {
            isFree = try append(record, key, table)
        } else {
            tableCursor = nil
            isFree = try transaction.putReserving(
                key.row, byteCount: record.count, in: table.objects, options: .noOverwrite
            ) { fill($0, with: record, key) }
        }
        guard isFree else {
            throw StoreError(
                .conflict, path: store.path,
                "row \(key.row) of \(table.entity.name) is taken; give new objects rows that "
                    + "allocateRows reserved",
                objects: [key])
        }
        isTouched = true
        if let recorder { recorder.insert(key) }
        lastEnd.row = max(end, key.row + 1)
        if let view = RecordView(record) { indexBatches.add(view, key, table, isInsertion: true) }
    }

    /// Writes new records of one entity, and their index entries, under consecutive rows.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - first: The first of as many rows as `allocateRows` reserved for them.
    ///   - table: The entity's table.
    /// - Throws: As ``insert(_:for:in:)``.
    package func insert(
        _ rows: borrowing RowArena, from first: UInt64, in table: EntityTable
    ) throws {
        var row = first
        var reader = RowReader(rows)
        guard try end(of: table) <= first else {
            while let record = reader.read() {
                try insert(record, for: ObjectKey(entity: table.number, row: row), in: table)
                row += 1
            }
            return
        }
        isTouched = true
        let appender = try cursor(in: table, .append)
        while let record = reader.read() {
            let key = ObjectKey(entity: table.number, row: row)
            try appender.cursor.putReserving(row, byteCount: record.count, options: .append) {
                fill($0, with: record, key)
            }
            row += 1
        }
        lastEnd.row = row
        if let recorder {
            for row in first..<row { recorder.insert(ObjectKey(entity: table.number, row: row)) }
        }
        for index in catalog.indexes(of: table) {
            addEntries(of: rows, from: first, to: index, table)
        }
    }

    private func addEntries(
        of rows: borrowing RowArena, from first: UInt64, to index: IndexTable,
        _ table: EntityTable
    ) {
        var row = first
        var reader = RowReader(rows)
        let batch = indexBatches.batch(of: index)
        while let record = reader.read() {
            if let view = RecordView(record) {
                let key = ObjectKey(entity: table.number, row: row)
                batch.add(view, key, index, table, isInsertion: true)
            }
            row += 1
        }
    }

    /// Puts a record behind the last one; returns false where its row is taken.
    private func append(
        _ record: UnsafeRawBufferPointer, _ key: ObjectKey, _ table: EntityTable
    ) throws -> Bool {
        // Not retained, as this runs for each record.
        // SAFETY: `tableCursor` keeps the cursor, and nothing replaces it while the cursor writes.
        // When it is replaced later, its observer clears `appendCursor`.
        if let appendCursor, appendCursor._withUnsafeGuaranteedRef({ $0.serves(table, .append) }) {
            return try appendCursor._withUnsafeGuaranteedRef {
                try $0.cursor.putReserving(key.row, byteCount: record.count, options: .append) {
                    fill($0, with: record, key)
                }
            }
        }
        let made = try cursor(in: table, .append)
        appendCursor = Unmanaged.passUnretained(made)
        return try made.cursor.putReserving(key.row, byteCount: record.count, options: .append) {
            fill($0, with: record, key)
        }
    }

    /// Writes a record into its place, its checksum mixed with that of its key.
    @inline(__always)
    func fill(
        _ room: UnsafeMutableRawBufferPointer, with record: UnsafeRawBufferPointer,
        _ key: ObjectKey
    ) {
        room.copyMemory(from: record)
        guard let view = RecordView(record) else { return }
        let sum = view.storedChecksum ^ store.seal.salt(of: key)
        room.storeBytes(
            of: sum.littleEndian, toByteOffset: RecordOffset.checksum, as: UInt32.self)
    }

    /// The open cursor of a table, or a new one in its place.
    func cursor(in table: EntityTable, _ use: TableCursor.Use) throws -> TableCursor {
        if let tableCursor, tableCursor.serves(table, use) { return tableCursor }
        tableCursor = nil
        let made = TableCursor(table, use, try transaction.makeWriteCursor(table.objects))
        tableCursor = made
        return made
    }

    /// The row after the last one; the answer becomes ``lastEnd``.
    private func end(of table: EntityTable) throws -> UInt64 {
        if lastEnd.number == table.number.rawValue { return lastEnd.row }
        if lastEnd.number != 0 { ends[lastEnd.number] = lastEnd.row }
        lastEnd = (
            table.number.rawValue, try ends[table.number.rawValue] ?? endOfRows(in: table)
        )
        return lastEnd.row
    }

    private func endOfRows(in table: EntityTable) throws -> UInt64 {
        let cursor = try transaction.makeCursor(table.objects)
        guard let row = try cursor.last()?.integerKey else { return 0 }
        guard row > 0, row < ObjectKey.temporaryBit else { throw store.impossible(row, table) }
        return row + 1
    }
}
