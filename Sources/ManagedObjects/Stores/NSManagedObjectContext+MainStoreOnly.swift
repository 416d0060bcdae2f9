// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Saves that have nothing to do with the stores beside the main one, as most have.
extension NSManagedObjectContext {
    /// Whether all changes are the main store's, so that it saves them as if it were alone.
    ///
    /// False where it takes more than a look to know.
    final func changesMainStoreOnly(_ coordinator: NSPersistentStoreCoordinator) -> Bool {
        guard let main = coordinator.firstStore, !main.isReadOnly else { return false }
        guard !saving.locked.contains(where: \.key.isElsewhere),
            changes.deleted.allSatisfy({ !$0.key.isElsewhere }),
            changes.updated.allSatisfy({ !$0.key.isElsewhere && !$0.refersElsewhere })
        else { return false }
        // Whether new objects of an entity go to the main store, by ordinal.
        var answers: [Bool?] = Array(repeating: nil, count: model.runtimes.count)
        return changes.inserted.allSatisfy { object in
            if let store = object.extras?.assignedStore, store !== main { return false }
            if object.reservedKey?.isElsewhere == true { return false }
            let ordinal = object.runtimeOrdinal
            if answers[ordinal] == nil {
                let first = coordinator.persistentStores.first {
                    !$0.isReadOnly && coordinator.holds(object.runtime, in: $0)
                }
                answers[ordinal] = first === main
            }
            return answers[ordinal] == true && !object.refersElsewhere
        }
    }
}

extension NSManagedObject {
    /// Whether unsaved changes of the object's relationships lead to an object of a further store.
    fileprivate final var refersElsewhere: Bool {
        guard runtime.hasRelationships else { return false }
        if let draft {
            for (position, field) in runtime.layout.fields.enumerated()
            where field.type == .objectID {
                if case .objectID(let key)? = draft[position], key.isElsewhere { return true }
            }
        }
        guard let extras, !extras.toMany.isEmpty else { return false }
        return extras.toMany.contains { $0?.added.contains(where: \.isElsewhere) ?? false }
    }
}
