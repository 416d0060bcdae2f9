// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Key-value coding without keys and boxed values, for code that handles many objects of a kind.
///
/// Each method does what its counterpart by key does: it tracks the change, maintains inverses, and
/// calls `value(forKey:)` and `setValue(_:forKey:)` if the object's class overrides one of them or
/// registers accessors.
extension NSManagedObject {
    /// The value of an attribute.
    ///
    /// `.null` also for what an override of `value(forKey:)` returns and the attribute cannot have.
    package final func value(at place: AttributePlace) -> Value {
        let position = position(place)
        if isCodedPlainly { return fieldValue(position) }
        let field = runtime.fields[position]
        let object = value(forKey: field.name)
        return ValueConversion.value(object, as: field.type)
            ?? ValueConversion.truncated(object, as: field.type) ?? .null
    }

    /// Sets an attribute; a value of another type is converted as `setValue(_:forKey:)` does it.
    ///
    /// Traps for a value that the attribute cannot have.
    package final func setValue(_ value: consuming Value, at place: AttributePlace) {
        let position = position(place)
        guard isCodedPlainly else {
            let field = runtime.fields[position]
            setValue(object(of: value, for: field), forKey: field.name)
            return
        }
        setValue(fitting(value, position), settledAt: position)
    }

    /// The destination of a to-one relationship.
    package final func destination(at place: ToOnePlace) -> NSManagedObject? {
        let relationship = relationship(place)
        return isCodedPlainly
            ? destination(relationship)
            : value(forKey: relationship.relationship.name) as? NSManagedObject
    }

    /// Sets the destination of a to-one relationship, and its inverse.
    package final func setDestination(_ destination: NSManagedObject?, at place: ToOnePlace) {
        let relationship = relationship(place)
        guard isCodedPlainly else {
            return setValue(destination, forKey: relationship.relationship.name)
        }
        setDestination(relationship, destination)
    }

    /// Adds those destinations to a to-many relationship that it lacks, an ordered one at the end,
    /// with the inverses.
    ///
    /// - Returns: How many it lacked; if none, the object counts as unchanged.
    package final func addDestinations(
        _ destinations: [NSManagedObject], at place: ToManyPlace
    ) -> Int {
        if destinations.isEmpty { return 0 }
        let relationship = relationship(place)
        guard isCodedPlainly else { return addByKey(destinations, relationship) }
        let state = loadedState(relationship)
        if relationship.isOrdered {
            let former = members(relationship)
            var lacking = Set<ObjectKey>()
            let added = destinations.filter {
                !state.contains($0.key) && lacking.insert($0.key).inserted
            }
            if added.isEmpty { return 0 }
            replaceInOrder(related(former) + added, of: relationship)
            return added.count
        }
        var count = 0
        for destination in destinations where !state.contains(destination.key) {
            insert(destination, into: relationship)
            count += 1
        }
        return count
    }

    /// Takes out of a to-many relationship what is not listed, with the inverses.
    ///
    /// - Returns: How many left; if none, the object counts as unchanged.
    package final func removeDestinations(
        besides destinations: [NSManagedObject], at place: ToManyPlace
    ) -> Int {
        let relationship = relationship(place)
        let kept = Set(destinations.map { ObjectIdentifier($0) })
        let key = relationship.relationship.name
        let former = isCodedPlainly ? self.destinations(relationship) : members(byKey: key)
        let leaving = former.filter { !kept.contains(ObjectIdentifier($0)) }
        if leaving.isEmpty { return 0 }
        if isCodedPlainly {
            for object in leaving { remove(object, from: relationship) }
        } else {
            let staying = former.filter { kept.contains(ObjectIdentifier($0)) }
            setValue(collection(staying, relationship), forKey: key)
        }
        return leaving.count
    }

    private final func members(byKey key: String) -> [NSManagedObject] {
        let value = value(forKey: key)
        if let set = NSManagedObject.foundationSet(value) {
            return set.compactMap { $0 as? NSManagedObject }
        }
        return switch value {
        case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
    }

    private final func addByKey(
        _ destinations: [NSManagedObject], _ relationship: RelationshipRuntime
    ) -> Int {
        let key = relationship.relationship.name
        if let known = value(forKey: key) as? NSOrderedSet {
            let all = NSOrderedSet(array: Array(known) + destinations)
            guard all.count > known.count else { return 0 }
            setValue(all, forKey: key)
            return all.count - known.count
        }
        let known = Set(members(byKey: key))
        let all = known.union(destinations)
        guard all.count > known.count else { return 0 }
        setValue(all, forKey: key)
        return all.count - known.count
    }

    /// A value as `setValue(_:forKey:)` would store it.
    private final func fitting(_ value: consuming Value, _ position: Int) -> Value {
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        let type = runtimeReference._withUnsafeGuaranteedRef { $0.fieldTypes[position] }
        if value.isNull { return .null }
        if value.type == type, let kept = value.keptForm { return kept }
        return storedForm(object(of: value, for: runtime.fields[position]), position)
    }

    /// A value in the form for setters by key; traps for one that has none.
    private final func object(of value: Value, for field: FieldRuntime) -> Any? {
        let object = value.plainObject
        if object == nil, !value.isNull { wrongClass(value, field.name, "\(field.type)") }
        return object
    }
}
