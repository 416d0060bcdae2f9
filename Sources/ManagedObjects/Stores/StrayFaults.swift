// SPDX-License-Identifier: Apache-2.0

import Schema

/// Faults of a main store that was not there when they were made, as it was removed before.
///
/// Their keys say nothing of the store: once a main store is added, it may be theirs or another
/// one, in whose rows they must not be looked for.
extension NSManagedObjectContext {
    /// Has a fault that was made for an ID keep the ID, and with it the store.
    final func noteStray(_ object: NSManagedObject, _ objectID: NSManagedObjectID) {
        guard object.key.isOfMainStore, object.key == objectID.key else { return }
        object.requireExtras().objectID = objectID
    }

    /// Whether an ID is of another removed store than the object that has its key here.
    final func isStranger(_ objectID: NSManagedObjectID, to object: NSManagedObject) -> Bool {
        guard readPoint.hasStrays, object.key.isOfMainStore,
            let own = object.extras?.objectID?.store, let other = objectID.currentStore
        else { return false }
        return own !== other && own.identity != other.identity
    }

    /// What stands for the object of an ID whose place another one has: it has left the context,
    /// as the objects of removed stores do.
    final func makeStranger(_ objectID: NSManagedObjectID) -> NSManagedObject {
        let runtime = self.runtime(for: objectID.entity)
        let object = initialiseFault(runtime.objectClass, runtime.description)
        object.key = objectID.currentKey
        object.context = nil
        object.draft = nil
        object.flags = []
        object.requireExtras().objectID = objectID.isTemporaryID ? nil : objectID
        return object
    }

    /// The faults whose store is not the main one that was added; nothing without a main store.
    ///
    /// The others are the main store's from now on.
    final func takeStrays(_ main: NSPersistentStore?) -> [NSManagedObject] {
        guard readPoint.hasStrays, let main else { return [] }
        readPoint.hasStrays = false
        return registry.objects.filter { object in
            guard object.key.isOfMainStore, let extras = object.extras,
                let store = extras.objectID?.store, store !== main
            else { return false }
            guard store.identity == main.identity else { return true }
            // The next one that is asked for knows the store that is there now.
            extras.objectID = nil
            return false
        }
    }
}

extension NSManagedObject {
    /// Whether the values could not be read, rather than being gone.
    final var isUnread: Bool {
        flags.contains(.inaccessible) && flags.isDisjoint(with: [.gone, .deleted])
    }
}
