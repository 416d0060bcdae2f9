// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

/// Saves of contexts whose coordinator has more than its main store: one transaction a store.
extension NSManagedObjectContext {
    /// Traps or throws where there is no store at all.
    final func requireAnyStore() throws {
        if !hasFurtherStores { _ = try requireStore() }
    }

    /// Writes the changes store by store.
    ///
    /// A store that fails leaves its objects and those of the stores after it pending.
    final func saveIntoStores(
        _ coordinator: NSPersistentStoreCoordinator, _ lastValues: LastValues
    ) throws {
        let groups = try storeGroups(coordinator)
        var saved = SavedObjects()
        var finished: [NSPersistentStore] = []
        do {
            for (store, group) in groups {
                let written = try save(group, into: store, coordinator)
                saved.inserted += written.inserted
                saved.updated += written.updated
                saved.deleted += written.deleted
                finished.append(store)
            }
            // The main store may have nothing else to save.
            if saving.companion?.hasUnsavedChanges == true {
                _ = try save(SavedObjects(), into: SaveTarget(mainOf: self))
            }
        } catch {
            guard !finished.isEmpty else { throw error }
            changes.postedInserted = nil
            changes.postedUpdated = nil
            tell(saved, lastValues)
            throw CoreDataError.make(
                .persistentStoreIncompleteSave,
                "\(finished.count) of \(groups.count) stores are saved, the others are not: "
                    + "\((error as? CocoaError)?.message ?? "\(error)")",
                [
                    NSUnderlyingErrorKey: error,
                    NSAffectedStoresErrorKey: groups.map(\.store).filter { store in
                        !finished.contains { $0 === store }
                    },
                ])
        }
        changes = ChangeSet()
        saving.locked.removeAll()
        saving.attachments.removeAll()
        tell(saved, lastValues)
    }

    /// Calls the hooks and posts the notifications of a save.
    private final func tell(_ saved: SavedObjects, _ lastValues: LastValues) {
        for object in saved.inserted { object.didSave() }
        for object in saved.updated { object.didSave() }
        for object in saved.deleted {
            lastValues.callDidSave(of: object)
            object.willTurnIntoFault()
            object.didTurnIntoFault()
        }
        announce(saved)
    }

    /// The changed objects by store, in the order of the coordinator's stores.
    ///
    /// - Throws: 133010 for a relationship between two stores.
    private final func storeGroups(
        _ coordinator: NSPersistentStoreCoordinator
    ) throws -> [(store: NSPersistentStore, group: SavedObjects)] {
        let inserted = changes.liveInserted.filter { !$0.isDeleted }
        let updated = Array(changes.liveUpdated)
        let deleted = Array(changes.liveDeleted)
        var assignment = StoreAssignment(self, coordinator)
        try assignment.assign(inserted)
        for object in inserted + updated where object.runtime.hasRelationships {
            try checkPartners(of: object, assignment)
        }
        let stores = coordinator.persistentStores
        var groups = Array(repeating: SavedObjects(), count: stores.count)
        /// The place of an object's store; mostly that of the object before.
        var last = 0
        func place(_ object: NSManagedObject) throws -> Int {
            guard let store = assignment.store(of: object) else {
                throw StoreRemoval.error(object.objectID.store)
            }
            if stores[last] !== store { last = stores.firstIndex { $0 === store } ?? last }
            return last
        }
        for object in inserted { groups[try place(object)].inserted.append(object) }
        for object in updated { groups[try place(object)].updated.append(object) }
        for object in deleted { groups[try place(object)].deleted.append(object) }
        return zip(stores, groups).filter { !$0.1.isEmpty }
    }

    private final func checkPartners(
        of object: NSManagedObject, _ assignment: StoreAssignment
    ) throws {
        guard let own = assignment.store(of: object) else { return }
        for key in object.referredKeys {
            guard let other = assignment.store(of: key), other !== own else { continue }
            throw CoreDataError.make(
                .managedObjectExternalRelationship,
                "\(object.objectID) of the store \(own.identity) has a relationship to an object "
                    + "of the store \(other.identity); use assign(_:to:) to keep related objects "
                    + "in one store",
                [
                    NSAffectedObjectsErrorKey: [object, self.object(for: key)].compactMap { $0 },
                    NSAffectedStoresErrorKey: [own, other],
                ])
        }
    }

    private final func save(
        _ group: SavedObjects, into store: NSPersistentStore,
        _ coordinator: NSPersistentStoreCoordinator
    ) throws -> SavedObjects {
        guard !store.isReadOnly else {
            throw CoreDataError.make(
                .persistentStoreSave,
                "the store \(store.url?.path ?? store.identity) was added read-only; assign new "
                    + "objects to another store and leave its objects unchanged",
                [NSAffectedStoresErrorKey: [store]])
        }
        let tag = store.tag
        return try rows(in: store).save(
            group, locked: saving.locked.filter { $0.key.tag == tag && $0.context === self })
    }

    /// Writes the changes of one file's objects as if there were no others.
    final func save(_ group: SavedObjects, into target: SaveTarget) throws -> SavedObjects {
        let all = changes
        let others = reserved.entries.filter { $0.key.tag != target.tag }
        let lockedElsewhere = saving.locked.filter { $0.key.tag != target.tag }
        changes = ChangeSet()
        changes.inserted = group.inserted
        changes.updated = group.updated
        changes.deleted = group.deleted
        changes.eventStart = group.inserted.count
        changes.eventDeletedStart = group.deleted.count
        saving.locked.removeAll { $0.key.tag != target.tag }
        defer {
            let left = changes
            // What was saved does not count any more: its flags say so.
            changes = all
            changes.adopt(left, beyond: group)
            changes.pendingIndex = nil
            for (key, object) in others { reserved[key] = object }
            saving.locked += lockedElsewhere
        }
        snapshotOwner.beginSave()
        defer { snapshotOwner.endSave() }
        return try commit(to: target)
    }
}

extension ChangeSet {
    /// Takes over what a merge policy has changed before a save failed.
    ///
    /// - Parameters:
    ///   - left: The changes of one file as the save has left them; none if it has succeeded.
    ///   - group: Those that it began with.
    fileprivate mutating func adopt(_ left: ChangeSet, beyond group: SavedObjects) {
        if left.updated.count > group.updated.count {
            updated += left.updated[group.updated.count...]
        }
        if left.deleted.count > group.deleted.count {
            deleted += left.deleted[group.deleted.count...]
            eventDeletedStart = deleted.count
        }
    }
}
