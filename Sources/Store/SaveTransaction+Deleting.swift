// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Removes an object's record, its index entries and the values kept outside the record.
    ///
    /// The rows of its relationships stay; the caller unlinks them.
    ///
    /// - Complexity: Fastest for ascending rows of one entity.
    public func delete(_ key: ObjectKey, in table: EntityTable) throws {
        guard let old = try recordForUpdate(key, in: table) else { return }
        try delete(old, of: key, in: table)
    }

    /// Removes an object as ``delete(_:in:)`` does, whose record was read already.
    ///
    /// - Parameter old: The record, as ``recordForUpdate(_:in:)`` has returned it.
    public func delete(_ old: RecordView, of key: ObjectKey, in table: EntityTable) throws {
        isTouched = true
        if let recorder { try recordDeletion(of: key, old, table, recorder) }
        indexBatches.add(old, key, table, isInsertion: false)
        if !externalFields(old, table).isEmpty {
            try deleteExternalValues(of: key, property: nil)
        }
        try dropOwner(of: key)
        noteDeletion(of: key, in: table)
        let found = try cursor(in: table, .update)
        guard found.row == key.row else {
            _ = try transaction.delete(key.row, in: table.objects)
            return
        }
        found.row = 0
        try found.cursor.deleteCurrent()
    }

    /// Deletes the component entries of a deleted data object.
    private func dropOwner(of key: ObjectKey) throws {
        try flushComponents()
        if hasOwners == nil { hasOwners = try transaction.entryCount(store.databases.owners) > 0 }
        guard hasOwners == true,
            let bytes = try transaction.get(key.rawValue, in: store.databases.owners)
        else { return }
        try deleteComponent(data: key, owner: try ComponentOwner(bytes, of: key, store.seal))
    }

    /// Deletes objects and applies the delete rules of their relationships in the store.
    ///
    /// Cascades go all the way, also by relationships between game objects of a world. A deny rule
    /// counts as nullify: it is a matter of validation. The entries of components go with their
    /// data, value components and links with their game objects.
    ///
    /// - Parameters:
    ///   - keys: The objects; those without a record are left out.
    ///   - willDelete: Is called before the record of an object goes, cascaded ones too.
    /// - Throws: ``StoreError`` with `mandatory` when an object that stays would lose the last
    ///   destination of a relationship that is not optional.
    /// - Complexity: O(n log n) and memory for n keys where objects have relationships; for game
    ///   objects also O(links between game objects of the file).
    public func delete(
        applyingRules keys: ContiguousArray<ObjectKey>,
        willDelete: ((ObjectKey, RecordView, EntityTable) throws -> Void)? = nil
    ) throws -> DeletedObjects {
        var deletion = StoreDeletion(self, willDelete)
        return try deletion.run(keys)
    }

    /// Empties the tables of entities at once, where nothing else depends on their objects.
    ///
    /// - Parameter ordinals: The entities. Indexes must not be shared with others.
    /// - Returns: The number of objects that were there; `nil`, and nothing is done, where a
    ///   history is kept, or entities have relationships, values outside their records, component
    ///   entries or value components, or share an index.
    /// - Complexity: O(upper pages): records are not read.
    public func deleteAll(of ordinals: [Int]) throws -> Int? {
        // A history names each object, and columns have rows of game objects.
        guard recorder == nil else { return nil }
        if let game = store.gameObjectOrdinal, ordinals.contains(game), store.hasColumns {
            return nil
        }
        let tables = ordinals.map { store.tables[$0] }
        guard tables.allSatisfy({ $0.relationships.isEmpty && !$0.hasBinaryFields }) else {
            return nil
        }
        let indexes = Set(tables.flatMap { catalog.indexes(of: $0).map(\.number.rawValue) })
        let isShared = store.tables.contains { other in
            !ordinals.contains(other.ordinal)
                && catalog.indexes(of: other).contains { indexes.contains($0.number.rawValue) }
        }
        guard !isShared else { return nil }
        try flushComponents()
        return try write { transaction, databases in
            guard try transaction.entryCount(databases.owners) == 0 else { return nil }
            var count = 0
            for table in tables {
                count += try transaction.entryCount(table.objects)
                try transaction.removeAll(table.objects)
                for index in catalog.indexes(of: table) {
                    try transaction.removeAll(index.entries)
                }
            }
            isTouched = isTouched || count > 0
            return count
        }
    }
}
