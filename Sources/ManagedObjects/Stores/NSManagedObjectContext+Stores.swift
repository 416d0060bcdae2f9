// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store
import Traps

/// Objects of further stores: which store a key belongs to, and the way to its rows.
extension NSManagedObjectContext {
    /// Whether the coordinator has stores beside its main one.
    package final var hasFurtherStores: Bool { askCoordinator { $0.hasFurtherStores } ?? false }

    /// The entity of a permanent key; `nil` for a key that no store of the coordinator gave.
    final func runtime(of key: ObjectKey) -> EntityRuntime? {
        if key.isElsewhere { return model.runtimes[safe: key.ordinalElsewhere] }
        guard let ordinal = openStore?.ordinal(of: key.entity) else { return nil }
        return model.runtimes[ordinal]
    }

    /// The store that holds the object of a permanent key.
    final func store(of key: ObjectKey) -> NSPersistentStore? {
        key.isElsewhere
            ? persistentStoreCoordinator?.further(key.tag)?.store : persistentStore
    }

    /// The rows of a further store; only a root has them.
    final func rows(_ tag: Int) throws -> any FurtherRows {
        // A removal that the context has not noticed yet is told by the coordinator.
        if let known = rowsByTag[safe: tag - 1].flatMap({ $0 }),
            !snapshotOwner.hasRemovals.load(ordering: .relaxed)
        {
            return known
        }
        guard let further = persistentStoreCoordinator?.further(tag) else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the store of the object was removed from its coordinator; add it again")
        }
        return rows(of: further)
    }

    final func rows(of further: FurtherStore) -> any FurtherRows {
        if let known = rowsByTag[safe: further.tag - 1].flatMap({ $0 }), known.further === further {
            return known
        }
        while rowsByTag.count < further.tag { rowsByTag.append(nil) }
        let made = further.makeRows(for: self)
        rowsByTag[further.tag - 1] = made
        readPoint.files.removeAll { $0.tag == further.tag }
        if let file = made as? FileRows { readPoint.files.append(file.reading) }
        // A removal of the store has to find the context.
        snapshotOwner.attach(self)
        persistentStoreCoordinator?.snapshotOwners.add(snapshotOwner)
        return made
    }

    /// The rows of a store of the coordinator; only a root has them.
    ///
    /// - Throws: 134070 for a store that another thread has removed meanwhile.
    final func rows(in store: NSPersistentStore) throws -> any StoreSource {
        guard let rows = knownRows(in: store) else { throw StoreRemoval.error(store) }
        return rows
    }

    /// The rows of a store of the coordinator; nil if another thread has removed it meanwhile, for
    /// readers of all stores, which do without it.
    final func knownRows(in store: NSPersistentStore) -> (any StoreSource)? {
        let tag = store.tag
        if tag == 0 {
            return persistentStoreCoordinator?.firstStore === store ? MainRows(self) : nil
        }
        guard let further = persistentStoreCoordinator?.further(tag), further.store === store else {
            return nil
        }
        return rows(of: further)
    }

    /// The rows of the store that holds the object of a permanent key; only a root has them.
    final func rows(holding key: ObjectKey) throws -> any StoreSource {
        key.isElsewhere ? try rows(key.tag) : MainRows(self)
    }

    /// The context's key for one in the record of an object of a further store.
    final func keyHere(_ stored: ObjectKey, of owner: ObjectKey) -> ObjectKey {
        translator(of: owner)?.keyHere(stored) ?? stored
    }

    /// The key that the record of an object of a further store has for one of the context's.
    final func keyThere(_ key: ObjectKey, of owner: ObjectKey) -> ObjectKey {
        translator(of: owner)?.keyThere(key) ?? key
    }

    /// A copy of an object's record with the context's keys.
    final func copyHere(
        _ record: RecordView, of owner: ObjectKey, _ runtime: EntityRuntime
    ) -> OwnedRecord {
        translator(of: owner)?.copyHere(record, runtime) ?? OwnedRecord(record)
    }

    /// A child's copy of a record as this context keeps copies: with the keys of the file.
    ///
    /// - Returns: nil for an object of a store of the program's own, which versions it itself.
    final func copyThere(
        _ values: InheritedValues, of owner: ObjectKey, _ runtime: EntityRuntime
    ) -> InheritedValues? {
        guard owner.isElsewhere else { return values }
        if store(of: owner) is NSIncrementalStore { return nil }
        guard source == nil else { return values }
        guard let rows = rowsByTag[safe: owner.tag - 1].flatMap({ $0 }) as? FileRows else {
            return nil
        }
        return InheritedValues(
            record: rows.file.inner(values.record.view, runtime), largeValues: values.largeValues)
    }

    /// The rows whose records have other keys than the context's objects.
    ///
    /// None in a child: its objects have copies with its keys, and it uses rows to reserve keys.
    private final func translator(of owner: ObjectKey) -> (any FurtherRows)? {
        source == nil ? rowsByTag[safe: owner.tag - 1].flatMap { $0 } : nil
    }

    /// Tells the store of an object that went.
    final func didUnregister(_ key: ObjectKey) {
        rowsByTag[safe: key.tag - 1].flatMap { $0 }?.didUnregister(key)
    }

    /// Whether an object is of one of some stores, or may come to be.
    final func isAffected(_ object: NSManagedObject, _ stores: [NSPersistentStore]) -> Bool {
        let key = object.storedKey
        guard key.isTemporary else {
            return self.store(of: key).map { own in stores.contains { $0 === own } } ?? false
        }
        if let assigned = object.extras?.assignedStore {
            return stores.contains { $0 === assigned }
        }
        guard let coordinator = persistentStoreCoordinator else { return true }
        return stores.contains { !$0.isReadOnly && coordinator.holds(object.runtime, in: $0) }
    }

    /// Gives an unsaved object the key that it will have once it is saved.
    final func reserve(_ key: ObjectKey, for object: NSManagedObject) {
        // First, as the object's ID leads others to the new key from then on.
        familyLineage.reserve(key, for: object.key)
        object.takeReservedKey(key, storeNumber(of: key))
        reserved.note(object)
    }

    /// The key by which this context knows the object of an ID; `nil` for one of another store.
    final func localKey(of id: NSManagedObjectID) -> ObjectKey? {
        let key = id.currentKey
        guard let store = id.currentStore, !key.isTemporary else { return key }
        guard let coordinator = persistentStoreCoordinator else { return nil }
        if coordinator.persistentStores.isEmpty { return key }
        if store === persistentStore || coordinator.further(key.tag)?.store === store { return key }
        return coordinator.key(ofForeign: id, store)
    }

    /// Moves an inserted object to a store of the coordinator; its first save writes it there.
    ///
    /// Without a call, an object goes to the store of the objects that it is related to, or else
    /// to the first store that can be written and holds its entity. Traps for a store that does
    /// not hold the entity, and for an object that is saved in another store.
    public final func assign(_ object: Any, to store: NSPersistentStore) {
        checkQueue()
        guard let object = object as? NSManagedObject, object.context === self else {
            trap("assign(_:to:) takes an object of this context, not \(object)")
        }
        guard let coordinator = persistentStoreCoordinator,
            coordinator.holds(object.runtime, in: store)
        else {
            trap(
                "the store \(store.identity) does not hold the entity \(object.runtime.name), or "
                    + "is not of the context's coordinator")
        }
        let saved = object.storedKey
        require(
            saved.isTemporary || self.store(of: saved) === store,
            "\(object.objectID) is in its store already; insert a copy into the other one")
        guard object.key.isTemporary else { return }
        if let parent = source?.parent, !object.isInserted {
            // It was saved into the parent, whose save has to know.
            parent.enterQueue {
                parent.assign(parent.relative(object.key, object.runtime), to: store)
            }
        }
        object.requireExtras().assignedStore = store
        followers.results?.storesWereChosen(for: CollectionOfOne(object), in: self)
    }
}

extension NSPersistentStoreCoordinator {
    /// The runtime of an entity, also of an equal one of another copy of the model.
    final func runtime(of entity: NSEntityDescription) -> EntityRuntime {
        if let runtime = entity.runtime, compiledModel.runtimes[safe: runtime.ordinal] === runtime {
            return runtime
        }
        guard let found = entity.name.flatMap({ compiledModel.runtime(named: $0) }) else {
            trap(
                "entity \(entity.name ?? "") is not part of the coordinator's model")
        }
        return found
    }

    /// The key here of an ID that was made with another coordinator, or before its store was
    /// removed and added again.
    final func key(ofForeign id: NSManagedObjectID, _ former: NSPersistentStore) -> ObjectKey? {
        guard let own = persistentStores.first(where: { $0.identity == former.identity }),
            let runtime = id.runtime.description.name.flatMap({ compiledModel.runtime(named: $0) })
        else { return nil }
        if let own = own as? any ReferencingStore {
            guard
                let reference = (former as? any ReferencingStore)?.references
                    .reference(of: id.currentKey)
            else { return nil }
            return own.references.key(for: reference, tag: own.tag, runtime)
        }
        return key(row: id.currentKey.plainRow, runtime, in: own)
    }

    /// The key of a row of a file.
    final func key(
        row: UInt64, _ runtime: EntityRuntime, in store: NSPersistentStore
    ) -> ObjectKey? {
        if store.tag > 0 {
            guard row < ObjectKey.rowLimit else { return nil }
            return ObjectKey(tag: store.tag, ordinal: runtime.ordinal, row: row)
        }
        return store.store.map {
            ObjectKey(entity: $0.tables[runtime.ordinal].number, row: row)
        }
    }
}
