// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The changes of one index that a save collects.
///
/// All keys lie in one array; entries refer to them by offset, so an entry costs no allocation.
struct IndexBatch {
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

    private let table: IndexTable
    private var keys: [UInt8] = []
    private var insertions: ContiguousArray<Entry> = []
    private var deletions: ContiguousArray<Entry> = []
    private var scratch = IndexKey()
    private var otherScratch = IndexKey()

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
    mutating func add(
        _ record: RecordView, _ object: ObjectKey, _ index: IndexTable, _ entity: EntityTable,
        isInsertion: Bool
    ) {
        guard index.includes(record, entity) else { return }
        let isComplete = IndexBatch.makeKey(&scratch, record, index, entity)
        append(scratch, object, isComplete, isInsertion: isInsertion)
    }

    /// Collects the change from one record to another, if the indexed values differ at all, or only
    /// one of them has an entry.
    mutating func replace(
        _ old: RecordView, by new: RecordView, _ object: ObjectKey, _ index: IndexTable,
        _ entity: EntityTable
    ) {
        let (isOld, isNew) = (index.includes(old, entity), index.includes(new, entity))
        guard isOld, isNew else {
            if isOld { add(old, object, index, entity, isInsertion: false) }
            if isNew { add(new, object, index, entity, isInsertion: true) }
            return
        }
        let oldIsComplete = IndexBatch.makeKey(&scratch, old, index, entity)
        let isComplete = IndexBatch.makeKey(&otherScratch, new, index, entity)
        guard scratch != otherScratch else { return }
        append(scratch, object, oldIsComplete, isInsertion: false)
        append(otherScratch, object, isComplete, isInsertion: true)
    }

    private mutating func append(
        _ key: IndexKey, _ object: ObjectKey, _ isComplete: Bool, isInsertion: Bool
    ) {
        let bytes = key.storedBytes
        let entry = Entry(
            start: keys.count, count: bytes.count, isComplete: isComplete,
            object: object.rawValue)
        keys.append(contentsOf: bytes)
        if isInsertion { insertions.append(entry) } else { deletions.append(entry) }
    }

    /// Writes the key of a record; returns whether all its values are there.
    static func makeKey(
        _ key: inout IndexKey, _ record: RecordView, _ table: IndexTable, _ entity: EntityTable
    ) -> Bool {
        key.removeAll()
        var isComplete = true
        for (place, position) in table.fields.enumerated() {
            // A value outside the record has no place in an index; it sorts as absent.
            let value = record.value(position, in: entity.layout) ?? .null
            if value.isNull { isComplete = false }
            key.append(value, isDescending: table.index.isDescending(place))
        }
        return isComplete
    }

    /// Deletes, then inserts, each in key order, and checks a uniqueness constraint.
    ///
    /// - Returns: The collisions; the transaction must not be committed with any.
    mutating func write(
        to transaction: borrowing WriteTransaction, store: Store, _ catalog: CatalogState
    ) throws -> [UniquenessCollision] {
        var collisions: [UniquenessCollision] = []
        IndexEntryOrder.sort(&deletions, keys)
        IndexEntryOrder.sort(&insertions, keys)
        try keys.withUnsafeBytes { keys in
            for entry in deletions {
                _ = try transaction.delete(entry.bytes(in: keys), entry.object, in: table.entries)
            }
            guard !insertions.isEmpty else { return }
            let cursor = try transaction.makeWriteCursor(table.entries)
            for entry in insertions {
                let bytes = entry.bytes(in: keys)
                let isConstrained = table.index.isUnique && entry.isComplete
                guard isConstrained else {
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
            let other = found?.loadUnaligned(as: UInt64.self)
            return other == object ? nil : other
        }
        // A cut key is not the whole value: each object that shares it is a candidate.
        let cursor = try transaction.makeCursor(table.entries)
        var entry = try cursor.seek(exactly: key)
        while let found = entry {
            let other = found.value.loadUnaligned(as: UInt64.self)
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
        var full: [IndexKey] = []
        for raw in [first, second] {
            let key = ObjectKey(rawValue: raw)
            guard let ordinal = store.ordinal(of: key.entity),
                let bytes = try transaction.get(key.row, in: store.tables[ordinal].objects)
            else { return false }
            let entity = store.tables[ordinal]
            var whole = IndexKey()
            _ = IndexBatch.makeKey(
                &whole, try store.view(bytes, row: key.row, table: entity),
                catalog.indexes(of: entity).first { $0.number == table.number } ?? table,
                entity)
            full.append(whole)
        }
        return full[0] == full[1]
    }
}
