// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObjectContext {
    /// Saves all changes into the parent; they reach the store when the root saves.
    ///
    /// Called once everything is validated.
    final func saveIntoParent(_ source: ParentSource, _ lastValues: LastValues) {
        let saved = source.save(
            SavedObjects(
                inserted: ContiguousArray(changes.liveInserted.filter { !$0.isDeleted }),
                updated: ContiguousArray(changes.liveUpdated),
                deleted: ContiguousArray(changes.liveDeleted)),
            locked: [])
        for object in saved.inserted { object.didSave() }
        for object in saved.updated { object.didSave() }
        lastValues.callDidSave(of: saved.deleted)
        announce(saved)
        lastValues.leave(saved.deleted)
    }

    /// The object is clean: its own values are what lies beneath it from now on.
    final func becomeInherited(_ object: NSManagedObject) {
        if let values = object.inheritedValues() {
            object.bind(values, stamp: stamp)
            object.keepTransientValues()
        }
        // A parent may have members of one that it has got from a child and not saved either.
        let isNew = object.isInserted
        object.flags.remove([.inserted, .updated, .indexed])
        object.readStamp = object.hasDraft ? 0 : uncheckedStamp
        for state in object.extras?.toMany ?? [] {
            guard let state, state.hasChanges else { continue }
            let isKnown = state.stored != nil || isNew
            let members = state.members
            state.reset()
            if isKnown {
                state.load(state.isOrdered ? members : ContiguousArray(members.sorted()))
            }
        }
    }

    /// The object is gone from the context for good.
    final func forget(_ object: NSManagedObject) {
        changes.mayHaveLapsed()
        object.flags.remove([.inserted, .deleted, .updated, .propagated])
        // First, as an ID that is asked for takes over the key that an ancestor has reserved.
        _ = object.objectID
        registry.remove(object, for: object.key)
        if let key = object.reservedKey { reserved.remove(key) }
        if object.key.isElsewhere { didUnregister(object.key) }
        object.context = nil
        object.draft = nil
    }
}
