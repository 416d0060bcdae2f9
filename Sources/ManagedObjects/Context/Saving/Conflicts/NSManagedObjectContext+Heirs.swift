// SPDX-License-Identifier: Apache-2.0

/// New instances that become stored objects which the context did not know before the save.
extension NSManagedObjectContext {
    /// Puts the heirs of conflicts that a policy has resolved in the places of the stored objects.
    final func replaceByHeirs(_ conflicts: [NSConstraintConflict]) {
        var heirs: [ObjectIdentifier: NSManagedObject] = [:]
        var gone: [NSManagedObject] = []
        for conflict in conflicts {
            guard let new = conflict.heir, let old = conflict.databaseObject else { continue }
            conflict.heir = nil
            // The policy may have deleted the one since, or inserted the other anew.
            guard old.context === self, !old.isDeleted, new.context == nil else { continue }
            replace(old, by: new)
            heirs[ObjectIdentifier(old)] = new
            gone.append(old)
        }
        guard !gone.isEmpty else { return }
        changes.replace(heirs)
        dismiss(gone)
        for old in gone {
            old.draft = nil
            old.extras = nil
            old.flags = []
        }
    }

    /// Gives an instance that has left the context all that another one has.
    private final func replace(_ old: NSManagedObject, by new: NSManagedObject) {
        registry.remove(old, for: old.key)
        let incarnation = new.extras?.incarnation ?? 0
        new.key = old.key
        new.context = self
        new.draft = old.draft
        new.extras = old.extras
        if undoManager != nil { new.requireExtras().incarnation = incarnation + 1 }
        // Its values are others than before, whatever the old one was told of.
        new.flags = old.flags.subtracting(.eventRefreshed)
        new.rebase()
        registry.insert(new, for: new.key)
        if new.hasChanges { noteUnindexed(new) }
    }
}

extension ChangeSet {
    /// Puts other instances in the places of some objects, in one pass over each list.
    fileprivate mutating func replace(_ heirs: [ObjectIdentifier: NSManagedObject]) {
        for (index, old) in updated.enumerated() {
            if let heir = heirs[ObjectIdentifier(old)] { updated[index] = heir }
        }
        for (index, old) in eventUpdated.enumerated() {
            if let heir = heirs[ObjectIdentifier(old)] { eventUpdated[index] = heir }
        }
        // They were discarded just now, and are back.
        let returned = Set(heirs.values.map { ObjectIdentifier($0) })
        eventForgotten.removeAll { returned.contains(ObjectIdentifier($0)) }
    }
}
