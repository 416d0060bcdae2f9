// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// To-many relationships by name.
extension NSManagedObject {
    /// A live set of the destinations of a to-many relationship.
    ///
    /// Shows each change of the relationship; what is added to it or removed from it is added or
    /// removed there, with the inverse. Do not cast it to a Swift set, which would be empty: walk
    /// over it or take `allObjects`. Traps for a key that is no to-many relationship.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        MutableMembers(self, toManyRelationship(key))
    }

    /// A live ordered set of the destinations of an ordered relationship.
    ///
    /// Shows each change of the relationship; its own changes happen there, with the inverse. All
    /// destinations, faults or not, stay alive as long as the set does. Traps for a key that is no
    /// ordered relationship.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        let relationship = toManyRelationship(key)
        relationship.requireOrder()
        let state = loadedState(relationship)
        if let proxy = state.proxy { return proxy }
        return MutableOrderedMembers(self, relationship)
    }

    /// A live set of the destinations of the to-many relationship at the end of a key path.
    ///
    /// The path leads through to-one relationships; traps where it leads to no object.
    public final func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = owner(atEndOf: keyPath)
        return owner.mutableSetValue(forKey: key)
    }

    /// A live ordered set of the destinations of the ordered relationship at the end of a key path.
    ///
    /// The path leads through to-one relationships; traps where it leads to no object.
    public final func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        let (owner, key) = owner(atEndOf: keyPath)
        return owner.mutableOrderedSetValue(forKey: key)
    }

    private final func owner(atEndOf keyPath: String) -> (NSManagedObject, String) {
        let keys = keyPath.pathKeys
        guard let key = keys.last else { trap("an empty key path names no relationship") }
        guard let owner = KeyPathValue.value(of: self, keys.dropLast()) as? NSManagedObject else {
            trap("\(runtime.entity.name).\(keyPath) leads to no object that has \(key)")
        }
        return (owner, key)
    }

    /// Whether the destinations of a relationship were not asked for yet; fires no fault.
    ///
    /// For a to-one relationship whether the destination is a fault.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        switch reference(key) {
        case .toMany(let index):
            if isNewHere { return false }
            return knownToManyState(index)?.stored == nil
        case .field(let position):
            guard runtime.fields[position].isRelationship else {
                trap("\(runtime.entity.name).\(key) is no relationship")
            }
            if flags.contains(.fault) { return true }
            guard case .objectID(let destination) = knownValue(position) else {
                return false
            }
            return context?.registry[destination]?.isFault
                ?? (!destination.isTemporary || context?.source != nil)
        }
    }

    /// The IDs of the destinations of a relationship, of a to-one one too, in their order.
    ///
    /// Makes no objects; fires the fault of this one.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        switch reference(key) {
        case .toMany(let index):
            let keys = members(runtime.toManyRelationships[index])
            return context?.objectIDs(for: keys) ?? keys.compactMap { relatedID($0) }
        case .field(let position):
            guard case .objectID(let destination) = fieldValue(position) else { return [] }
            return relatedID(destination).map { [$0] } ?? []
        }
    }

    /// The destinations as key-value coding shows them.
    final func collection(_ relationship: RelationshipRuntime) -> Any {
        collection(destinations(relationship), relationship)
    }

    /// Destinations as key-value coding shows them: a copy, which a program may cast to a mutable
    /// set if it is ordered.
    final func collection(
        _ objects: [NSManagedObject], _ relationship: RelationshipRuntime
    ) -> Any {
        relationship.isOrdered ? NSMutableOrderedSet(array: objects) : Set(objects)
    }

    private final func toManyRelationship(_ key: String) -> RelationshipRuntime {
        guard case .toMany(let index) = reference(key) else {
            trap("\(runtime.entity.name).\(key) is no to-many relationship")
        }
        return runtime.toManyRelationships[index]
    }
}
