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
    ///
    /// - Parameters:
    ///   - coordinator: The context's.
    ///   - lastValues: Those of the deleted objects.
    ///   - earlier: What the same save has written into the main store already.
    final func saveIntoStores(
        _ coordinator: NSPersistentStoreCoordinator, _ lastValues: LastValues,
        after earlier: SavedObjects? = nil
    ) throws {
        var saved = earlier ?? SavedObjects()
        var finished = earlier == nil ? [] : [coordinator.firstStore].compactMap { $0 }
        var left: [NSPersistentStore] = []
        do {
            // Once more where a merge policy has changed objects of other stores.
            repeat {
                saving.hasMore = false
                let groups = try storeGroups(coordinator)
                left = groups.map(\.store)
                for (store, group) in groups {
                    let written = try save(group, into: store, coordinator)
                    saved.inserted += written.inserted
                    saved.updated += written.updated
                    saved.deleted += written.deleted
                    finished.append(left.removeFirst())
                }
            } while saving.hasMore
            // The main store may have nothing else to save.
            if saving.companion?.hasUnsavedChanges == true {
                _ = try save(SavedObjects(), into: SaveTarget(mainOf: self))
            }
        } catch {
            guard !finished.isEmpty else { throw error }
            changes.forgetSaved()
            tell(saved, lastValues)
            throw CoreDataError.make(
                .persistentStoreIncompleteSave,
                "\(finished.count) of \(finished.count + left.count) stores are saved, the others "
                    + "are not: \((error as? CocoaError)?.message ?? "\(error)")",
                [NSUnderlyingErrorKey: error, NSAffectedStoresErrorKey: left])
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
        announce(saved, lastValues)
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
        let stores = assignment.stores
        var groups = Array(repeating: SavedObjects(), count: stores.count)
        /// The place of an object's store; mostly that of the object before.
        var last = 0
        func place(_ object: NSManagedObject) throws -> Int {
            guard let store = assignment.store(of: object) else {
                throw StoreRemoval.error(object.objectID.store)
            }
            if stores[last] === store { return last }
            guard let found = stores.firstIndex(where: { $0 === store }) else {
                throw StoreRemoval.error(store)
            }
            last = found
            return last
        }
        for object in inserted { groups[try place(object)].inserted.append(object) }
        for object in updated { groups[try place(object)].updated.append(object) }
        for object in deleted { groups[try place(object)].deleted.append(object) }
        // A store is asked for objects that are only to be compared, too; not one that cannot be
        // written, as that takes a transaction.
        var isConcerned = groups.map { !$0.isEmpty }
        for object in saving.locked where object.context === self {
            guard let store = assignment.store(of: object), !store.isReadOnly else { continue }
            isConcerned[try place(object)] = true
        }
        let all = stores.indices.filter { isConcerned[$0] }.map { (stores[$0], groups[$0]) }
        // What is only compared comes first, so that a conflict leaves all stores as they are.
        return all.filter { $0.1.isEmpty } + all.filter { !$0.1.isEmpty }
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
        // A merge policy may take a deletion back: what was changed before is a change then.
        changes.updated =
            group.updated + all.updated.filter { $0.isDeleted && $0.key.tag == target.tag }
        changes.deleted = group.deleted
        changes.former = all.former
        changes.returned = all.returned
        changes.eventStart = group.inserted.count
        changes.eventDeletedStart = group.deleted.count
        saving.locked.removeAll { $0.key.tag != target.tag }
        defer {
            let left = changes
            // What was saved does not count any more: its flags say so.
            changes = all
            changes.adopt(left)
            takeBackOthers()
            for (key, object) in others
            where object.context === self && object.reservedKey == key {
                reserved.note(object)
            }
            for object in lockedElsewhere { saving.locked.insert(object) }
        }
        snapshotOwner.beginSave()
        defer { snapshotOwner.endSave() }
        do {
            return try commit(to: target)
        } catch {
            // What a merge policy has changed before it failed.
            processPendingChanges()
            throw error
        }
    }

    /// Takes what a merge policy has changed of other stores out of the changes of one file; they
    /// come back behind its transaction, see ``takeBackOthers()``.
    ///
    /// - Throws: 133010 for a relationship between two stores.
    final func setOthersAside(_ target: SaveTarget) throws {
        guard hasFurtherStores, let coordinator = persistentStoreCoordinator else { return }
        let inserted = changes.liveInserted.filter { !$0.isDeleted }
        var assignment = StoreAssignment(self, coordinator)
        try assignment.assign(inserted)
        for object in inserted + changes.liveUpdated { try checkPartners(of: object, assignment) }
        func split(_ list: WritableKeyPath<ChangeSet, ContiguousArray<NSManagedObject>>) {
            let others = changes[keyPath: list].filter { object in
                assignment.store(of: object).map { $0.tag != target.tag } ?? false
            }
            guard !others.isEmpty else { return }
            let gone = Set(others.map { ObjectIdentifier($0) })
            changes[keyPath: list].removeAll { gone.contains(ObjectIdentifier($0)) }
            saving.others[keyPath: list] += others
        }
        split(\.inserted)
        split(\.updated)
        split(\.deleted)
        changes.propagatedCount = nil
        changes.eventStart = changes.inserted.count
        changes.eventDeletedStart = changes.deleted.count
        changes.pendingIndex = nil
    }

    /// Counts the changes of other stores again.
    final func takeBackOthers() {
        guard saving.others.hasEntries else { return }
        changes.adopt(saving.others)
        saving.others = ChangeSet()
        saving.hasMore = true
    }
}

extension ChangeSet {
    /// Takes over what a merge policy has changed before a save failed, or of other stores.
    fileprivate mutating func adopt(_ others: ChangeSet) {
        add(others.inserted, to: \.inserted)
        add(others.updated, to: \.updated)
        add(others.deleted, to: \.deleted)
        eventStart = inserted.count
        eventDeletedStart = deleted.count
        propagatedCount = nil
        postedInserted = nil
        postedUpdated = nil
        pendingIndex = nil
    }

    private mutating func add(
        _ objects: ContiguousArray<NSManagedObject>,
        to list: WritableKeyPath<ChangeSet, ContiguousArray<NSManagedObject>>
    ) {
        if objects.isEmpty { return }
        let known = Set(self[keyPath: list].map { ObjectIdentifier($0) })
        self[keyPath: list] += objects.filter { !known.contains(ObjectIdentifier($0)) }
    }

    /// Drops the entries of objects that are saved: when they change again, they get new ones.
    fileprivate mutating func forgetSaved() {
        inserted.removeAll { !$0.flags.contains(.inserted) }
        updated.removeAll { !$0.flags.contains(.updated) }
        deleted.removeAll { !$0.flags.contains(.deleted) }
        adopt(ChangeSet())
    }
}
