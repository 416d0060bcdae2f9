// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Keys of objects that go to further stores, before a save and after it.
extension NSManagedObjectContext {
    /// Gives objects that go to further stores their permanent keys; returns the others.
    final func reserveElsewhere(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
        guard let coordinator = persistentStoreCoordinator else { return objects }
        var assignment = StoreAssignment(self, coordinator)
        try assignment.assign(objects)
        var rest: [NSManagedObject] = []
        var groups: [Int: [NSManagedObject]] = [:]
        for object in objects {
            let tag = assignment.store(of: object)?.tag ?? 0
            if tag == 0 { rest.append(object) } else { groups[tag, default: []].append(object) }
        }
        for (tag, objects) in groups { try rows(tag).reserve(objects) }
        return rest
    }

    /// Makes a saved object of a further store clean, under its permanent key.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - key: The permanent key of a new one.
    ///   - permanent: The permanent keys of all new objects, by the temporary ones.
    ///   - values: What the object has from now on; `nil` has the store asked with the next read.
    final func settleSaved(
        _ object: NSManagedObject, as key: ObjectKey?, _ permanent: [ObjectKey: ObjectKey],
        keeping values: InheritedValues? = nil
    ) {
        if let key {
            registry.remove(object, for: object.key)
            object.key = key
            object.becomePermanent(key, storeNumber(of: key))
            reserved.remove(key)
            registry.insert(object, for: key)
            try? rows(key.tag).didRegister(key)
        }
        object.flags.remove([.inserted, .updated, .indexed])
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
        object.keepTransientValues()
        if values != nil { _ = object.requireExtras() }
        guard let extras = object.extras else { return }
        extras.ownedRecord = nil
        extras.primitives = nil
        extras.assignedStore = nil
        if let values {
            object.bind(values, stamp: stamp)
            object.readStamp = object.hasDraft ? 0 : uncheckedStamp
        }
        for relationship in object.runtime.toManyRelationships {
            guard let state = object.knownToManyState(relationship.toManyIndex) else { continue }
            let isKnown = values != nil && (key != nil || state.stored != nil)
            if relationship.relationship.isTransient || isKnown {
                state.keepMembers { permanent[$0] ?? $0 }
            } else {
                state.reset()
            }
        }
        if object.runtime.hasTransientReferences { object.replaceReferences(permanent) }
    }
}
