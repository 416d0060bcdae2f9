// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Does what ``mergeChanges(fromContextDidSave:)`` says.
    final func merge(_ notification: Notification) {
        checkQueue()
        let sender = notification.object as? NSManagedObjectContext
        guard sender !== self,
            sender == nil
                || sender?.persistentStore?.identity == persistentStore?.identity
                || sender?.hasFurtherStores == true || hasFurtherStores
        else { return }
        merge(savedChanges(notification.userInfo ?? [:]))
    }

    /// Merges changes that no context made, such as those of a batch request, into contexts.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Arrays or sets of object IDs or of their URIs, under the keys
    ///     of inserted, updated and deleted objects or object IDs.
    ///   - contexts: Contexts of the same store, parents before their children.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            context.performAndWait {
                context.merge(
                    context.savedChanges(changeNotificationData), seeksOtherEnds: true)
            }
        }
    }

    private final func savedChanges(_ info: [AnyHashable: Any]) -> SavedChanges {
        func keys(_ names: String...) -> [ObjectKey] {
            names.flatMap { name in info[name].map { objectKeys($0) } ?? [] }
        }
        return SavedChanges(
            inserted: keys(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
            updated: keys(
                NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey,
                NSRefreshedObjectIDsKey),
            deleted: keys(NSDeletedObjectsKey, NSDeletedObjectIDsKey))
    }

    private final func objectKeys(_ value: Any) -> [ObjectKey] {
        KeyPathValue.members(of: value)?.elements.compactMap { objectKey($0) } ?? []
    }

    /// The key of an object, an ID or a URI; `nil` for one of another store.
    private final func objectKey(_ value: Any) -> ObjectKey? {
        switch value {
        case let object as NSManagedObject:
            if let own = object.context?.persistentStoreCoordinator,
                own === persistentStoreCoordinator
            {
                return object.key
            }
            // A deleted object has no context any more; its ID knows the store.
            return localKey(of: object.objectID)
        case let id as NSManagedObjectID: return localKey(of: id)
        case let uri as URL:
            return persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)?.key
        case let text as String:
            return URL(string: text).flatMap { objectKey($0) }
        default: return nil
        }
    }
}

extension NSManagedObjectContext {
    /// Brings the registered objects up to date with what was saved beneath the context.
    ///
    /// - Parameter seeksOtherEnds: Whether objects at the other ends of relationships may be
    ///   missing from the changes, as from the result of a batch request.
    final func merge(_ changes: SavedChanges, seeksOtherEnds: Bool = false) {
        guard !changes.isEmpty else { return }
        adoptIfNeeded()
        processPendingChanges()
        // What a merge does to unsaved changes is part of what others did.
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        do { try moveForMerge() } catch { lastReadError = error }
        var changes = asStored(changes)
        // What a parent has taken back of its own unsaved links is in no save.
        if seeksOtherEnds || source != nil && !changes.deleted.isEmpty {
            changes.updated += objectsAtOtherEnds(of: changes)
        }
        var merged = MergedObjects()
        let unread =
            followers.results == nil
            ? [] : changes.updated.filter { known($0)?.isFault != false }
        for key in changes.updated {
            guard let object = known(key), !object.isFault, !object.isInserted else { continue }
            if object.hasChanges || object.flags.contains(.gone) {
                takeNewValues(of: object)
            } else {
                dropValues(of: object)
            }
            if !object.flags.contains(.deleted) { merged.refreshed.append(object) }
        }
        noteSeen([changes.updated, changes.inserted].joined())
        let gone = goneObjects(changes.deleted)
        for object in gone { object.flags.insert(.deleted) }
        let dependents = DeletePropagation.dependents(of: gone, in: self.changes)
        DeletePropagation.clearPointers(
            to: Set(gone.map(\.key)), in: self.changes, hasPropagated: false)
        for object in dependents { delete(object) }
        repairInverses(of: Set(changes.inserted + changes.updated).union(changes.deleted))
        merged.deleted = gone
        if isObserved {
            merged.inserted = changes.inserted.compactMap { known($0) ?? object(for: $0) }
                .filter { !$0.flags.contains(.deleted) }
        }
        if let results = followers.results {
            merged.appeared = unread.filter { known($0)?.isFault != false }
                .compactMap { object(for: $0) }.filter { results.follows($0.runtime.ordinal) }
            merged.unseen = Set(
                changes.deleted.filter { known($0) == nil }.compactMap { runtime(of: $0)?.ordinal })
        }
        announce(merged, of: changes)
        followers.results?.storesWereChosen(
            for: changes.inserted.lazy.compactMap { self.known($0) }, in: self)
        for object in gone { forget(object) }
        processPendingChanges()
        tellChildren(changes)
    }

    /// The registered objects that are not among the changes and have lost or got destinations, in
    /// relationships to entities of what has changed: they know others than are stored now, or know
    /// none and have a new version.
    ///
    /// - Complexity: O(destinations that are known in such relationships)
    private final func objectsAtOtherEnds(of changes: SavedChanges) -> [ObjectKey] {
        let keys = [changes.inserted, changes.updated, changes.deleted].joined()
        let ordinals = Set(keys.compactMap { runtime(of: $0)?.ordinal })
        let told = Set(changes.updated)
        let gone = Set(changes.deleted)
        return registry.objects.filter { object in
            guard !object.isFault, !object.isInserted, object.runtime.hasRelationships,
                !told.contains(object.key), !gone.contains(object.key)
            else { return false }
            let relationships = object.runtime.relationships.filter { relationship in
                relationship.isStored
                    && relationship.destination.family.contains { ordinals.contains($0.ordinal) }
            }
            return relationships.contains { leadsElsewhere(object, $0, gone) }
                || relationships.contains(where: \.isToMany) && hasNewVersionAlone(object)
        }.map(\.key)
    }

    /// Whether others have changed an object by its version alone, as they do for one at the other
    /// end of a relationship.
    ///
    /// One of which they have changed values is not brought up to date, as it was not told: if it
    /// has changes here, the save is to find the conflict.
    private final func hasNewVersionAlone(_ object: NSManagedObject) -> Bool {
        guard source == nil, let base = object.extras?.ownedRecord?.view,
            let newest = newestRecord(of: object), base.version != newest.version
        else { return false }
        return object.runtime.layout.fields.indices.allSatisfy {
            object.storedValue($0) == object.value($0, in: newest)
        }
    }

    /// Whether an object knows other destinations of a relationship than are stored.
    private final func leadsElsewhere(
        _ object: NSManagedObject, _ relationship: RelationshipRuntime, _ gone: Set<ObjectKey>
    ) -> Bool {
        if relationship.isToMany {
            guard let known = object.knownToManyState(relationship.toManyIndex)?.stored else {
                return false
            }
            return known != storedMembers(of: object, relationship)
        }
        guard !gone.isEmpty, case .objectID(let key) = object.storedValue(relationship.field)
        else { return false }
        return gone.contains(key)
    }

    /// Makes both sides of relationships agree where they were changed here and by others.
    final func repairInverses(of keys: Set<ObjectKey>) {
        guard changes.hasEntries else { return }
        var repair = InverseRepair(merging: keys, into: self)
        repair.run()
    }

    /// The registered objects of deleted records, after calling their `prepareForDeletion`.
    ///
    /// Faults are not called: their values can no longer be read.
    private final func goneObjects(_ keys: [ObjectKey]) -> [NSManagedObject] {
        let found = keys.compactMap { known($0) }.filter { !$0.isInserted }
        for object in found
        where object.flags.isDisjoint(with: [.deleted, .preparing, .fault, .inaccessible]) {
            object.flags.insert(.preparing)
            object.prepareForDeletion()
            object.flags.remove(.preparing)
        }
        // The hook may have taken objects out of the context, as a reset does.
        return found.filter { $0.context === self }
    }

    /// Moves to the newest state, where a generation is pinned too: the pin moves along.
    final func moveForMerge() throws {
        noticeRemovalsIfAny()
        guard source == nil else { return }
        try moveFiles()
        guard snapshot != nil || persistentStore != nil else { return }
        let snapshot = try requireSnapshot()
        if snapshot.isOutdated { try moveSnapshot(snapshot) }
    }

    /// Merges the saves that wait.
    final func readMail() {
        guard let mailbox = merging.mailbox else { return }
        let mail = mailbox.take()
        if mail.isEmpty { return }
        // Observers of the merge are in a block of this context.
        CurrentContext.run(self) { for changes in mail { merge(changes) } }
    }

    /// Merges the saves that wait, unless a block of the context is running.
    ///
    /// For a main-queue context that is used on the main thread without `perform`.
    @inline(__always)
    final func readMailOutsideBlocks() {
        noteUse()
        noticeDepartures()
        if merging.mailbox != nil, !queue.lock.isHeldByCurrentThread { readMail() }
    }
}

extension NSManagedObjectContext {
    /// Starts or stops listening to the saves beneath.
    final func listenToSaves(_ isListening: Bool) {
        let beneath =
            source.map { $0.parent.requireMergeListeners() }
            ?? persistentStoreCoordinator?.mergeListeners
        if let mailbox = merging.mailbox { beneath?.remove(mailbox) }
        merging.mailbox = nil
        guard isListening else { return }
        let made = ContextMailbox(self)
        merging.mailbox = made
        beneath?.add(made)
    }

    /// The children that merge this context's saves.
    final func requireMergeListeners() -> MergeListeners {
        childLinks.listeners.withLock { listeners in
            if let listeners { return listeners }
            let made = MergeListeners()
            listeners = made
            return made
        }
    }
}

/// What a merge did to the objects of a context.
struct MergedObjects {
    var inserted: [NSManagedObject] = []
    var refreshed: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// Updated objects that had no values here, but may be results of controllers now.
    var appeared: [NSManagedObject] = []
    /// The ordinals of entities of which unknown objects were deleted.
    var unseen: Set<Int> = []
}
