// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// One write transaction on a store: everything between its begin and its end happens or nothing.
///
/// Records are written as they come, so callers hand them over in key order; inverses and index
/// entries are collected and written sorted at the end, all removals before all additions. So each
/// object, and each pair of a relationship, may be handed over once in a transaction: as inserted,
/// updated or deleted. It is valid inside the body of ``Store/write(_:)`` only and belongs to that
/// body's thread.
public final class SaveTransaction {
    /// The store.
    public let store: Store
    private let access: WriteTransaction
    private var isActive = true
    var linkBatches: [UInt32: LinkBatch] = [:]
    var sequenceBatches: [UInt32: SequenceBatch] = [:]
    var indexBatches: [UInt32: IndexBatch] = [:]
    /// For each entity number the row after the last one in the table, to append where possible.
    private var ends: [UInt16: UInt64] = [:]
    /// The entity inserted into last and its end: insertions come entity by entity.
    // Unchecked: no code runs while it is written.
    @exclusivity(unchecked) private var lastEnd: (number: UInt16, row: UInt64) = (0, 0)
    /// A cursor in the table that was written last, at its end or where it was updated; other
    /// writes to tables close it.
    // Unchecked: no code runs while it is written.
    @exclusivity(unchecked) private var tableCursor: TableCursor? {
        didSet { appendCursor = nil }
    }
    /// The cursor above while it appends.
    @exclusivity(unchecked) private var appendCursor: Unmanaged<TableCursor>?
    /// Whether any object is a component's data; asked once, when the first object is deleted.
    private var hasOwners: Bool?
    /// Who is behind the transaction, for the history.
    public var origin = HistoryOrigin()
    /// What is noted for the history; `nil` where none is kept.
    let recorder: HistoryRecorder?
    /// Whether anything was written that certainly makes a commit.
    // Unchecked: no code runs while it is written.
    @exclusivity(unchecked) var isTouched = false

    init(store: Store, transaction: borrowing WriteTransaction) {
        self.store = store
        access = transaction.alias()
        recorder = store.history?.writer?.begin()
    }

    func end() {
        tableCursor = nil
        isActive = false
    }

    /// The transaction, for this target only; a use after the end would reach freed memory.
    var transaction: WriteTransaction {
        _read {
            precondition(isActive, "a write transaction of \(store.path) was used after its end")
            yield access
        }
    }

    /// The number that the transaction will have once committed.
    public var transactionID: UInt64 { transaction.transactionID }

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

    /// Writes the record of a new object and its index entries.
    ///
    /// - Throws: ``StoreError`` with `conflict` when the row has a record.
    public func insert(
        _ record: UnsafeRawBufferPointer, for key: ObjectKey, in table: EntityTable
    ) throws {
        let end = try end(of: table)
        let isFree: Bool
        if key.row >= end {
            isFree = try append(record, key.row, table)
        } else {
            tableCursor = nil
            isFree = try transaction.put(
                record, for: key.row, in: table.objects, options: .noOverwrite)
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
        if !table.indexes.isEmpty, let view = RecordView(record) {
            for index in table.indexes {
                indexBatches[index.number.rawValue, default: IndexBatch(index)].add(
                    view, key, index, table, isInsertion: true)
            }
        }
    }

    /// Puts a record behind the last one; returns false where its row is taken.
    private func append(
        _ record: UnsafeRawBufferPointer, _ row: UInt64, _ table: EntityTable
    ) throws -> Bool {
        // Not retained: a property of the transaction keeps the cursor.
        if let appendCursor, appendCursor._withUnsafeGuaranteedRef({ $0.serves(table, .append) }) {
            return try appendCursor._withUnsafeGuaranteedRef {
                try $0.cursor.put(record, for: row, options: .append)
            }
        }
        let made = try cursor(in: table, .append)
        appendCursor = Unmanaged.passUnretained(made)
        return try made.cursor.put(record, for: row, options: .append)
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
        guard let last = try cursor.last() else { return 0 }
        return last.key.loadUnaligned(as: UInt64.self) + 1
    }

    /// Removes an object's record, its index entries and the values kept outside the record.
    ///
    /// The rows of its relationships stay; the caller unlinks them.
    public func delete(_ key: ObjectKey, in table: EntityTable) throws {
        guard let old = try record(for: key, in: table) else { return }
        isTouched = true
        if let recorder { try recordDeletion(of: key, old, table, recorder) }
        for index in table.indexes {
            indexBatches[index.number.rawValue, default: IndexBatch(index)].add(
                old, key, index, table, isInsertion: false)
        }
        if !externalFields(old, table).isEmpty {
            try deleteExternalValues(of: key, property: nil)
        }
        try dropOwner(of: key)
        tableCursor = nil
        _ = try transaction.delete(key.row, in: table.objects)
    }

    /// Data that goes takes its component entries along, whoever deleted it.
    private func dropOwner(of key: ObjectKey) throws {
        if hasOwners == nil { hasOwners = try transaction.entryCount(store.databases.owners) > 0 }
        guard hasOwners == true,
            let bytes = try transaction.get(key.rawValue, in: store.databases.owners)
        else { return }
        try deleteComponent(data: key, owner: try ComponentOwner(bytes))
    }
}

extension SaveTransaction {
    /// Writes the large values of an object that its record only points to.
    public func putExternalValue(
        _ bytes: [UInt8], of key: ObjectKey, _ property: PropertyNumber
    ) throws {
        try deleteExternalValues(of: key, property: property)
        var chunk: UInt16 = 0
        for start in stride(from: 0, to: bytes.count, by: BlobKey.chunkByteCount) {
            guard chunk < .max else {
                throw StoreError(
                    .storage, path: store.path,
                    "a value of \(bytes.count) bytes is too large; keep it in a file of its own")
            }
            let part = bytes[start..<min(start + BlobKey.chunkByteCount, bytes.count)]
            try transaction.put(
                Array(part), for: BlobKey(object: key, property: property, chunk: chunk).bytes,
                in: store.databases.blobs)
            chunk += 1
        }
    }

    /// Removes the large values of an object, or those of one attribute.
    public func deleteExternalValues(of key: ObjectKey, property: PropertyNumber?) throws {
        var prefix = BlobKey.prefix(of: key)
        if let property {
            withUnsafeBytes(of: property.rawValue.bigEndian) { prefix.append(contentsOf: $0) }
        }
        var names: [[UInt8]] = []
        let cursor = try transaction.makeCursor(store.databases.blobs)
        var entry = try cursor.seek(atLeast: prefix)
        while let current = entry, current.key.starts(with: prefix) {
            names.append(Array(current.key))
            entry = try cursor.next()
        }
        for name in names { _ = try transaction.delete(name, in: store.databases.blobs) }
    }

    /// Gives the other files of this target the transaction and the databases.
    func write<Result>(
        _ body: (borrowing WriteTransaction, StoreDatabases) throws -> Result
    ) rethrows -> Result {
        try body(transaction, store.databases)
    }

    /// Writes what was collected: inverses, then index entries, each sorted.
    func flush() throws {
        tableCursor = nil
        try flushLinks()
        var collisions: [UniquenessCollision] = []
        for (_, batch) in indexBatches.sorted(by: { $0.key < $1.key }) {
            collisions += try batch.write(to: transaction, store: store)
        }
        indexBatches = [:]
        if !collisions.isEmpty { throw StoreError(collisions, in: store) }
        try flushHistory()
    }
}

extension SaveTransaction {
    func writeHeader(_ header: StoreHeader, _ catalog: Catalog) throws {
        try transaction.put(header.encoded(), for: Array("lode".utf8), in: store.databases.meta)
        try writeCatalog(catalog)
    }

    private func writeCatalog(_ catalog: Catalog) throws {
        let meta = store.databases.meta
        try transaction.put(
            SchemaCoding.encode(catalog.schema), for: Array("model".utf8), in: meta)
        try transaction.put(catalog.encoded(), for: Array("catalog".utf8), in: meta)
    }

    /// Writes a compatible model's catalog, fills the indexes that are new in it and empties those
    /// that it no longer has.
    func replaceCatalog(_ catalog: Catalog, emptying leftovers: [Database]) throws {
        try writeCatalog(catalog)
        for database in leftovers { try transaction.removeAll(database) }
        for table in store.tables {
            for index in table.indexes
            where try transaction.entryCount(index.entries) == 0 {
                try fill(index, from: table)
            }
        }
        try flush()
    }

    private func fill(_ index: IndexTable, from table: EntityTable) throws {
        let cursor = try transaction.makeCursor(table.objects)
        var entry = try cursor.first()
        while let current = entry {
            let row = current.key.loadUnaligned(as: UInt64.self)
            let record = try store.view(current.value, row: row, table: table)
            indexBatches[index.number.rawValue, default: IndexBatch(index)].add(
                record, ObjectKey(entity: table.number, row: row), index, table, isInsertion: true)
            entry = try cursor.next()
        }
    }

    /// The value of an entry of user metadata.
    public func setMetadata(_ bytes: [UInt8]?, for name: String) throws {
        let key = Array("user/\(name)".utf8)
        if let bytes {
            try transaction.put(bytes, for: key, in: store.databases.meta)
        } else {
            _ = try transaction.delete(key, in: store.databases.meta)
        }
    }
}
