// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Marks an object for deletion; delete rules apply when changes are processed or saved.
    ///
    /// Deleting an object that was never saved undoes its insertion.
    public final func delete(_ object: NSManagedObject) {
        precondition(
            object.context === self,
            "\(object.objectID) is not an object of this context; fetch it here by its ID")
        guard object.flags.isDisjoint(with: [.deleted, .preparing]) else { return }
        if object.flags.contains(.fault) { fire(object) }
        // Two objects whose hooks delete each other come back here.
        object.flags.insert(.preparing)
        object.prepareForDeletion()
        object.flags.remove(.preparing)
        // The hook may have taken the object out of the context, as a reset does.
        guard object.context === self, !object.flags.contains(.deleted) else { return }
        object.flags.insert(.deleted)
        changes.deleted.append(object)
        hasUnprocessedDeletions = true
    }

    /// Brings the bookkeeping up to date: delete rules, then one did-change notification.
    ///
    /// Runs at the end of a `perform` block and before each fetch and save.
    public final func processPendingChanges() {
        guard changes.hasEvent else { return }
        if hasUnprocessedDeletions { propagateDeletions() }
        let info = eventInfo()
        // Before the post: what observers fetch and change belongs to the next event.
        endEvent()
        guard !info.isEmpty else { return }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: info)
    }

    private final func endEvent() {
        var isAllInserted = true
        changes.inserted.forEachUnretained { object in
            object.flags.remove(.eventInserted)
            if !object.flags.contains(.inserted) { isAllInserted = false }
        }
        for object in changes.eventUpdated { object.flags.remove(.eventUpdated) }
        for object in changes.eventRefreshed { object.flags.remove(.eventRefreshed) }
        changes.eventUpdated.removeAll(keepingCapacity: true)
        changes.eventRefreshed.removeAll()
        if !isAllInserted {
            changes.inserted.removeAll { !$0.flags.contains(.inserted) }
        }
        changes.deleted.removeAll { !$0.flags.contains(.deleted) }
        changes.eventStart = changes.inserted.count
        changes.eventDeletedStart = changes.deleted.count
    }

    /// Applies the delete rules until nothing more is deleted.
    private final func propagateDeletions() {
        var position = 0
        while position < changes.deleted.count {
            let object = changes.deleted[position]
            position += 1
            guard object.flags.contains(.deleted), !object.flags.contains(.propagated) else {
                continue
            }
            object.flags.insert(.propagated)
            DeletePropagation.propagate(object)
        }
        let forgotten = changes.deleted.filter { $0.flags.contains(.inserted) }
        DeletePropagation.clearPointers(to: Set(forgotten.map(\.key)), in: changes)
        for object in forgotten { forgetInsertion(of: object) }
        hasUnprocessedDeletions = false
    }

    /// An object that was inserted and deleted without a save leaves no trace.
    private final func forgetInsertion(of object: NSManagedObject) {
        object.flags.remove([.inserted, .deleted, .updated, .propagated])
        if let key = object.extras?.reservedKey { reserved[key] = nil }
        registry.remove(object, for: object.key)
        object.context = nil
    }

    /// What a did-change notification says of the current event.
    private final func eventInfo() -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        var inserted = Set<NSManagedObject>(
            minimumCapacity: changes.inserted.count - changes.eventStart)
        var index = 0
        changes.inserted.forEachUnretained { object in
            if index >= changes.eventStart, object.flags.contains(.inserted) {
                inserted.insert(object)
            }
            index += 1
        }
        let updated = changes.eventUpdated.filter { $0.isUpdated }
        let deleted = changes.deleted[changes.eventDeletedStart...].filter {
            $0.flags.contains(.deleted)
        }
        let refreshed = changes.eventRefreshed.filter { $0.context === self }
        if !inserted.isEmpty {
            info[NSInsertedObjectsKey] = inserted
            changes.postedInserted = changes.eventStart == 0 ? inserted : nil
        }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = Set(updated) }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = Set(deleted) }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = Set(refreshed) }
        return info
    }

    /// Drops all changes since the last save.
    ///
    /// Inserted objects leave the context, deleted ones come back, updated ones have their saved
    /// values again.
    public final func rollback() {
        for object in changes.inserted where object.flags.contains(.inserted) {
            object.flags.remove([.inserted, .deleted, .updated, .propagated, .eventInserted])
            registry.remove(object, for: object.key)
            object.context = nil
        }
        for object in changes.deleted where object.context === self { discardChanges(of: object) }
        for object in changes.updated where object.context === self { discardChanges(of: object) }
        for object in changes.eventRefreshed { object.flags.remove(.eventRefreshed) }
        changes = ChangeSet()
        reserved = [:]
        attachments = [:]
        hasUnprocessedDeletions = false
    }

    /// Forgets all objects and all changes; objects held elsewhere have no values any more.
    public final func reset() {
        let objects = registry.objects
        let identifiers = objects.map(\.objectID)
        for object in objects {
            object.context = nil
            object.draft = nil
            object.flags = []
        }
        registry.removeAll()
        releaseRetained()
        changes = ChangeSet()
        reserved = [:]
        attachments = [:]
        hasUnprocessedDeletions = false
        snapshot = nil
        knownStore = nil
        stamp = 0
        if pinnedGeneration != nil { pinnedGeneration = .current }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self,
            userInfo: [NSInvalidatedAllObjectsKey: identifiers])
    }
}
