// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Announces saves and merges: by notifications, to change sequences and to other contexts.
extension NSManagedObjectContext {
    /// Calls the hooks of what a save deleted, and announces the save.
    ///
    /// The deleted objects have their last values until all observers were told.
    final func announce(_ saved: SavedObjects, _ lastValues: LastValues) {
        lastValues.callDidSave(of: saved.deleted)
        for object in saved.deleted {
            // Its values went with the commit.
            object.willTurnIntoFault()
            object.didTurnIntoFault()
        }
        announce(saved)
        lastValues.leave(saved.deleted)
    }

    /// Announces a save, once its objects are clean.
    final func announce(_ saved: SavedObjects) {
        if followers.isSilent { return }
        followers.results?.storesWereChosen(for: saved.inserted, in: self)
        if NotificationNames.isDidSaveUsed {
            post(NotificationNames.didSave, withGeneration(saved.objectSets))
        }
        if NotificationNames.isDidSaveObjectIDsUsed {
            post(
                NotificationNames.didSaveObjectIDs,
                identifiers([
                    (NSInsertedObjectIDsKey, saved.inserted.map(\.objectID)),
                    (NSUpdatedObjectIDsKey, saved.updated.map(\.objectID)),
                    (NSDeletedObjectIDsKey, saved.deleted.map(\.objectID)),
                ]))
        }
        followers.changeObservers?.send(.saved) { change in
            change.inserted = Set(saved.inserted.map(\.objectID))
            change.updated = Set(saved.updated.map(\.objectID))
            change.deleted = Set(saved.deleted.map(\.objectID))
        }
        tellListeners(saved)
    }

    /// Announces a save that had nothing to write.
    final func announceEmptySave() {
        if followers.isSilent { return }
        if NotificationNames.isDidSaveUsed { post(NotificationNames.didSave, withGeneration([:])) }
        if NotificationNames.isDidSaveObjectIDsUsed {
            post(NotificationNames.didSaveObjectIDs, [:])
        }
        if !merging.vanished.isEmpty { tellChildren(SavedChanges()) }
    }

    /// The user info of a save, with the state that a pinned context reads after it.
    private final func withGeneration(_ info: [AnyHashable: Any]) -> [AnyHashable: Any] {
        // A pin that waits for the first read is not moved here.
        guard let token = readPoint.pinnedGeneration, token != .current else { return info }
        var info = info
        info[NSManagedObjectContextQueryGenerationKey] = token
        return info
    }

    /// Hands a save to the contexts that merge it: siblings, and children.
    private final func tellListeners(_ saved: SavedObjects) {
        let beneath =
            source.map { $0.parent.childLinks.listeners.withLock { $0 } }
            ?? persistentStoreCoordinator?.mergeListeners
        guard beneath?.isEmpty == false || hasListeningChildren else { return }
        let changes = SavedChanges(saved)
        beneath?.post(changes, except: merging.mailbox)
        tellChildren(changes)
    }

    /// Whether there are children that merge what changes in this context.
    final var hasListeningChildren: Bool {
        childLinks.listeners.withLock { $0 }?.isEmpty == false
    }

    /// Hands changes to the children that merge them.
    final func tellChildren(_ changes: SavedChanges) {
        var changes = changes
        changes.deleted += merging.vanished
        merging.vanished.removeAll()
        childLinks.listeners.withLock { $0 }?.post(changes, except: nil)
    }

    /// Announces a merge.
    final func announce(_ merged: MergedObjects, of changes: SavedChanges) {
        var info: [AnyHashable: Any] = [:]
        if !merged.inserted.isEmpty { info[NSInsertedObjectsKey] = Set(merged.inserted) }
        if !merged.refreshed.isEmpty { info[NSRefreshedObjectsKey] = Set(merged.refreshed) }
        if !merged.deleted.isEmpty { info[NSDeletedObjectsKey] = Set(merged.deleted) }
        followers.results?.process(info, also: merged.appeared, unseen: merged.unseen)
        if !info.isEmpty { post(NotificationNames.objectsDidChange, info) }
        if NotificationNames.isDidMergeChangesUsed {
            post(
                NotificationNames.didMergeChangesObjectIDs,
                identifiers([
                    (NSInsertedObjectIDsKey, changes.inserted.compactMap { objectID(for: $0) }),
                    (NSUpdatedObjectIDsKey, changes.updated.compactMap { objectID(for: $0) }),
                    (NSDeletedObjectIDsKey, changes.deleted.compactMap { objectID(for: $0) }),
                    (NSRefreshedObjectIDsKey, merged.refreshed.map(\.objectID)),
                ]))
        }
        followers.changeObservers?.send(.merged) { change in
            change.inserted = Set(changes.inserted.compactMap { objectID(for: $0) })
            change.refreshed = Set(merged.refreshed.map(\.objectID))
            change.deleted = Set(merged.deleted.map(\.objectID))
        }
    }

    /// Passes an event of processed changes on to the sequences.
    final func announceEvent(
        _ info: [AnyHashable: Any], _ passing: ContiguousArray<NSManagedObject>
    ) {
        followers.changeObservers?.send(.changed) { change in
            change.inserted = objectIDs(info[NSInsertedObjectsKey])
            change.updated = objectIDs(info[NSUpdatedObjectsKey])
            change.deleted = objectIDs(info[NSDeletedObjectsKey])
            for object in passing { change.deleted.remove(object.objectID) }
            change.refreshed = objectIDs(info[NSRefreshedObjectsKey])
        }
    }

    /// Whether anything may observe the objects of an event or a merge.
    final var isObserved: Bool {
        NotificationNames.isDidChangeUsed || followers.changeObservers != nil
            || followers.results != nil
    }

    private final func objectIDs(_ set: Any?) -> Set<NSManagedObjectID> {
        Set((set as? Set<NSManagedObject> ?? []).map(\.objectID))
    }

    private final func identifiers(
        _ lists: [(key: String, ids: [NSManagedObjectID])]
    ) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        for (key, ids) in lists where !ids.isEmpty { info[key] = Set(ids) }
        return info
    }

    private final func post(_ name: Notification.Name, _ info: [AnyHashable: Any]) {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }
}
