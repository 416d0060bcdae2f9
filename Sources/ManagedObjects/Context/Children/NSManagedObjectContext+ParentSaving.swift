// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Moves all changes into the parent, in memory; they reach the store when the root saves.
    ///
    /// Called once everything is validated: nothing can fail any more. Inserted objects keep their
    /// temporary IDs.
    final func saveIntoParent(_ source: ParentSource) {
        let saved = SavedObjects(
            inserted: ContiguousArray(changes.liveInserted.filter { !$0.isDeleted }),
            updated: ContiguousArray(changes.liveUpdated),
            deleted: ContiguousArray(changes.liveDeleted))
        let push = PushedChanges(saved)
        // Before the parent announces them: what its observers change here is a new change.
        changes = ChangeSet()
        attachments.removeAll()
        for object in saved.inserted { becomeInherited(object) }
        for object in saved.updated { becomeInherited(object) }
        for object in saved.deleted { forget(object) }
        source.parent.enterQueue { source.parent.receive(push) }
        for object in saved.inserted { object.didSave() }
        for object in saved.updated { object.didSave() }
        for object in saved.deleted { object.didSave() }
        announce(saved)
    }

    /// The object is clean: its own values are what lies beneath it from now on.
    private final func becomeInherited(_ object: NSManagedObject) {
        if let values = object.inheritedValues() {
            object.bind(values, stamp: stamp)
            object.keepTransientValues()
        }
        object.flags.remove([.inserted, .updated, .indexed])
        object.readStamp = object.draft == nil ? uncheckedStamp : 0
        for state in object.extras?.toMany ?? [] {
            guard let state, state.hasChanges else { continue }
            let isKnown = state.stored != nil || object.key.isTemporary
            let members = state.members
            state.reset()
            if isKnown {
                state.load(state.isOrdered ? members : ContiguousArray(members.sorted()))
            }
        }
    }

    /// The object is gone from the context for good.
    final func forget(_ object: NSManagedObject) {
        changes.hasForgotten = true
        object.flags.remove([.inserted, .deleted, .updated, .propagated])
        registry.remove(object, for: object.key)
        if let key = object.extras?.reservedKey { reserved[key] = nil }
        if object.key.isElsewhere { didUnregister(object.key) }
        _ = object.objectID
        object.context = nil
        object.draft = nil
    }

    /// Gives objects that the parent knows the permanent IDs that the parent gives them.
    ///
    /// - Returns: The objects that only this context knows.
    final func reserveKeysInParent(
        _ objects: [NSManagedObject], _ source: ParentSource
    ) throws -> [NSManagedObject] {
        let shared = objects.filter { !$0.isInserted }
        guard !shared.isEmpty else { return objects }
        let twins = shared.map { ($0.key, $0.runtime) }
        let parent = source.parent
        let keys = try parent.enterQueue {
            let objects = twins.map { parent.relative($0, $1) }
            try parent.obtainPermanentIDs(for: objects)
            return objects.map(\.storedKey)
        }
        for (object, key) in zip(shared, keys) where !key.isTemporary {
            reserve(key, for: object)
        }
        return objects.filter(\.isInserted)
    }
}
