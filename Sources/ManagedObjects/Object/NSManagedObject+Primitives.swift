// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// What custom accessors are made of: raw storage, and the calls that announce its use.
///
/// ```swift
/// var title: String? {
///     get {
///         willAccessValue(forKey: "title")
///         defer { didAccessValue(forKey: "title") }
///         return primitiveValue(forKey: "title") as? String
///     }
///     set {
///         willChangeValue(forKey: "title")
///         setPrimitiveValue(newValue?.uppercased(), forKey: "title")
///         didChangeValue(forKey: "title")
///     }
/// }
/// ```
extension NSManagedObject {
    /// The value without firing a fault, without change tracking and inverses.
    ///
    /// A to-many relationship comes as in ``value(forKey:)``: a copy, which
    /// ``setPrimitiveValue(_:forKey:)`` takes back. To read its members for the first time fires
    /// the fault all the same.
    public final func primitiveValue(forKey key: String) -> Any? {
        switch reference(key) {
        case .toMany(let index): collection(runtime.toManyRelationships[index])
        case .field(let position): object(knownValue(position), position)
        }
    }

    /// Sets a property without firing a fault, without change tracking, inverses and undo.
    ///
    /// A save writes the value only if something else of the object has changed. Between
    /// ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)`` it is a change like any other.
    public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
        let reference = reference(key)
        switch reference {
        case .toMany(let index):
            let relationship = runtime.toManyRelationships[index]
            let members = objects(value, relationship)
            for member in members {
                checkContext(of: member, relationship)
                keepCompanion(member)
            }
            setPrimitiveMembers(members, relationship)
        case .field(let position):
            let stored: Value
            if runtime.fields[position].isRelationship {
                context?.changes.hasLoosePointers = true
                let destination = destination(value, key)
                if let destination, let relationship = runtime.relationship(named: key) {
                    checkContext(of: destination, relationship)
                    keepCompanion(destination)
                }
                stored = destination.map { .objectID($0.key) } ?? .null
            } else {
                stored = settled(storedForm(value, position), position).value
                keepInstance(value, stored, position)
            }
            let wasChanged = isTracked(position)
            noteUnindexed()
            requireDraft()[position] = stored
            if runtime.fields[position].isRelationship { dropCompanions() }
            if wasChanged { return }
            requireExtras().requirePrimitives().note(stored, position)
        }
    }

    /// Whether a setter has changed a field since the save: it stays changed.
    private final func isTracked(_ position: Int) -> Bool {
        guard let value = draftValue(position), hasChanges,
            extras?.isPrimitive(value, position) != true
        else { return false }
        return value != baseValue(position)
    }

    private final func setPrimitiveMembers(
        _ objects: [NSManagedObject], _ relationship: RelationshipRuntime
    ) {
        context?.changes.hasLoosePointers = true
        let target = Set(objects.map(\.key))
        let current = Set(members(relationship))
        let state = toManyState(relationship.toManyIndex)
        let wasChanged =
            state.hasChanges
            && extras?.isPrimitive(MemberImage(state), relationship.toManyIndex) != true
        if relationship.isOrdered {
            var rest = target
            state.setOrder(ContiguousArray(objects.map(\.key).filter { rest.remove($0) != nil }))
        } else {
            for key in current.subtracting(target) { state.remove(key) }
            for key in target.subtracting(current) { state.add(key) }
        }
        dropCompanions()
        if wasChanged { return }
        requireExtras().requirePrimitives().note(MemberImage(state), relationship.toManyIndex)
    }

    /// Announces that a custom accessor is about to read a property, or any for nil: fires a fault.
    public final func willAccessValue(forKey key: String?) { realise() }

    /// Announces that a custom accessor has read a property.
    public final func didAccessValue(forKey key: String?) {}

    /// Announces that a custom accessor is about to change a property.
    ///
    /// Fires a fault, marks the object as changed and remembers the destinations of a relationship.
    /// Traps for an unknown key.
    public final func willChangeValue(forKey key: String) {
        _ = reference(key)
        willModify()
        guard let relationship = runtime.relationship(named: key), relationship.hasInverse else {
            return
        }
        requireExtras().requirePrimitives().openChanges[key] = currentKeys(relationship)
    }

    /// Announces that a custom accessor has changed a property, and brings its inverse up to date.
    public final func didChangeValue(forKey key: String) {
        extras?.primitives?.forget(reference(key))
        guard let old = extras?.primitives?.openChanges.removeValue(forKey: key),
            !flags.contains(.untracked),
            let relationship = runtime.relationship(named: key)
        else { return }
        let new = currentKeys(relationship)
        for key in old.subtracting(new) {
            guard let former = related(key),
                let inverse = relationship.inverse(in: former.runtime)
            else { continue }
            former.drop(self, by: inverse)
        }
        for key in new {
            if let destination = related(key) {
                connect(to: destination, by: relationship)
            }
        }
        dropCompanions()
    }

    private final func currentKeys(_ relationship: RelationshipRuntime) -> Set<ObjectKey> {
        if relationship.isToMany { return Set(members(relationship)) }
        guard case .objectID(let key) = fieldValue(relationship.field) else { return [] }
        return [key]
    }
}
