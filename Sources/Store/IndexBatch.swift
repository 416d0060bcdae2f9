// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The changes of one index that a save collects.
///
/// All keys lie in one piece of memory; entries refer to them by offset, so an entry costs no
/// allocation. A class, so that entries are added in place.
final class IndexBatch {
    /// A key and its object.
    ///
    /// Small, as a save of a million objects has as many for each index.
    struct Entry {
        /// The eight bytes of the key behind those that all keys of the list begin with; set when
        /// the list is sorted.
        var word: UInt64 = 0
        let object: UInt64
        /// Where the key begins, in 52 bits; its length, in eleven; whether it is complete.
        private let place: UInt64

        init(start: Int, count: Int, isComplete: Bool, object: UInt64) {
            self.object = object
            place = UInt64(start) << 12 | UInt64(count) << 1 | (isComplete ? 1 : 0)
        }

        @inline(__always)
        var start: Int { Int(place >> 12) }
        @inline(__always)
        var count: Int { Int(place >> 1 & 0x7FF) }
        /// Whether each indexed value is there: only then a uniqueness constraint applies.
        var isComplete: Bool { place & 1 == 1 }
    }

    /// How many entries before its turn a key is loaded: in their order, keys lie anywhere.
    private static let lookAhead = 8

    private let table: IndexTable
    // SAFETY: a save runs on one thread, and what uses these properties calls nothing but LMDB.
    @exclusivity(unchecked) private var keys = KeyBuffer()
    @exclusivity(unchecked) private var insertions: ContiguousArray<Entry> = []
    @exclusivity(unchecked) private var deletions: ContiguousArray<Entry> = []
    /// Whether all entries are of new objects, whose rows are behind those of others.
    @exclusivity(unchecked) private var areNew = true

    init(_ table: IndexTable) {
        self.table = table
    }

    /// The index's number.
    var number: UInt32 { table.number.rawValue }

    /// Collects the entry of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - object: The record's object.
    ///   - index: The index as the object's entity has it: subentities share its entries, but their
    ///     layouts have the indexed fields in other places.
    ///   - entity: The object's entity.
    ///   - isInsertion: Whether the entry comes or goes. Objects that a partial index leaves out
    ///     have none.
    @inline(__always)
    func add(
        _ record: RecordView, _ object: ObjectKey, _ index: IndexTable, _ entity: EntityTable,
        isInsertion: Bool
    ) {
        guard index.includes(record, entity) else { return }
        let start = keys.count
        let isComplete = keys.append(record, index.keyFields)
        note(start..<keys.count, object, isComplete, isInsertion: isInsertion)
        // The rest of a key that is too long is not needed.
        keys.truncate(to: min(keys.count, start + IndexKey.maximumByteCount))
    }

    /// Collects the change from one record to another, if the indexed values differ at all, or only
    /// one of them has an entry.
    func replace(
        _ old: RecordView, by new: RecordView, _ object: ObjectKey, _ index: IndexTable,
        _ entity: EntityTable
    ) {
        areNew = false
        let (isOld, isNew) = (index.includes(old, entity), index.includes(new, entity))
        guard isOld, isNew else {
            if isOld { add(old, object, index, entity, isInsertion: false) }
            if isNew { add(new, object, index, entity, isInsertion: true) }
            return
        }
        let start = keys.count
        let oldIsComplete = keys.append(old, index.keyFields)
        let middle = keys.count
        let isComplete = keys.append(new, index.keyFields)
        if keys.isSame(start..<middle, middle..<keys.count) {
            return keys.truncate(to: start)
        }
        note(start..<middle, object, oldIsComplete, isInsertion: false)
        note(middle..<keys.count, object, isComplete, isInsertion: true)
    }

    @inline(__always)
    private func note(
        _ key: Range<Int>, _ object: ObjectKey, _ isComplete: Bool, isInsertion: Bool
    ) {
        let entry = Entry(
            start: key.lowerBound, count: min(key.count, IndexKey.maximumByteCount),
            isComplete: isComplete, object: object.rawValue)
        if isInsertion { insertions.append(entry) } else { deletions.append(entry) }
    }

    /// Deletes, then inserts, each in key order, and checks a uniqueness constraint.
    ///
    /// - Returns: The collisions; the transaction must not be committed with any.
    func write(
        to transaction: borrowing WriteTransaction, store: Store, _ catalog: CatalogState
    ) throws -> [UniquenessCollision] {
        var collisions: [UniquenessCollision] = []
        let keys = keys.bytes
        IndexEntryOrder.sort(&deletions, keys)
        IndexEntryOrder.sort(&insertions, keys)
        guard !deletions.isEmpty || !insertions.isEmpty else { return [] }
        let cursor = try transaction.makeWriteCursor(table.entries)
        for entry in deletions { try cursor.delete(entry.bytes(in: keys), entry.object) }
        let isUnique = table.index.isUnique
        var run = UnsafeRawBufferPointer(start: nil, count: 0)
        var isBehind = areNew
        for (place, entry) in insertions.enumerated() {
            if place < insertions.count - IndexBatch.lookAhead {
                MemoryHint.willRead(insertions[place + IndexBatch.lookAhead].bytes(in: keys))
            }
            let bytes = entry.bytes(in: keys)
            guard isUnique, entry.isComplete else {
                if areNew, !bytes.hasSameBytes(as: run) { (run, isBehind) = (bytes, true) }
                // Objects of subentities and reserved rows may come before others of a key.
                if isBehind, try cursor.putLast(entry.object, for: bytes) { continue }
                isBehind = false
                try cursor.put(entry.object, for: bytes)
                continue
            }
            // One search both looks for the key and puts it, unless it is a cut one.
            if !entry.isCut, try cursor.put(entry.object, for: bytes, options: .noOverwrite) {
                continue
            }
            if let other = try collision(entry, bytes, transaction, store, catalog) {
                collisions.append(
                    UniquenessCollision(
                        index: table.number, object: ObjectKey(rawValue: entry.object),
                        other: ObjectKey(rawValue: other)))
            }
            try cursor.put(entry.object, for: bytes)
        }
        return collisions
    }

    /// The object that has the values of a key already.
    private func collision(
        _ addition: Entry, _ key: UnsafeRawBufferPointer,
        _ transaction: borrowing WriteTransaction, _ store: Store, _ catalog: CatalogState
    ) throws -> UInt64? {
        let object = addition.object
        guard addition.isCut else {
            let found = try transaction.get(key, in: table.entries)
            let other = try found.map { try table.object($0, store).rawValue }
            return other == object ? nil : other
        }
        // A cut key is not the whole value: each object that shares it is a candidate.
        let cursor = try transaction.makeCursor(table.entries)
        var entry = try cursor.seek(exactly: key)
        while let found = entry {
            let other = try table.object(found.value, store).rawValue
            if try other != object
                && valuesAreEqual(object, other, transaction, store, catalog)
            {
                return other
            }
            entry = try cursor.nextDuplicate()
        }
        return nil
    }

    /// Compares the indexed values of two records.
    private func valuesAreEqual(
        _ first: UInt64, _ second: UInt64, _ transaction: borrowing WriteTransaction,
        _ store: Store,
        _ catalog: CatalogState
    ) throws -> Bool {
        var keys = KeyBuffer()
        var middle = 0
        for raw in [first, second] {
            let key = ObjectKey(rawValue: raw)
            guard let ordinal = store.ordinal(of: key.entity),
                let bytes = try transaction.get(key.row, in: store.tables[ordinal].objects)
            else { return false }
            let entity = store.tables[ordinal]
            let index = catalog.indexes(of: entity).first { $0.number == table.number } ?? table
            middle = keys.count
            _ = keys.append(try store.view(bytes, row: key.row, table: entity), index.keyFields)
        }
        return keys.isSame(0..<middle, middle..<keys.count)
    }
}
