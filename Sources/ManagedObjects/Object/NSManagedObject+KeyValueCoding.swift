// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObject {
    final func reference(_ key: String) -> PropertyReference {
        guard let reference = runtime.references[key] else {
            preconditionFailure(
                "entity \(runtime.entity.name) has no property \(key); it has "
                    + runtime.references.keys.sorted().joined(separator: ", "))
        }
        return reference
    }

    final func modelledValue(forKey key: String) -> Any? {
        switch reference(key) {
        case .toMany(let index):
            return collection(runtime.toManyRelationships[index])
        case .field(let position):
            return object(fieldValue(position), position)
        }
    }

    /// The Foundation form of a field's value.
    final func object(_ value: Value, _ position: Int) -> Any? {
        let field = runtime.fields[position]
        switch value {
        case .objectID(let key):
            if field.isRelationship { return context?.object(for: key) }
            return context?.objectID(for: key)
        case .transformable(let bytes):
            return ValueTransformer.decode(bytes, field)
        default:
            return ValueConversion.object(value)
        }
    }

    final func setModelledValue(_ value: Any?, forKey key: String) {
        switch reference(key) {
        case .toMany(let index): setMembers(value, runtime.toManyRelationships[index])
        case .field(let position):
            if let relationship = runtime.toOneRelationships.first(where: { $0.field == position })
            {
                setDestination(relationship, destination(value, key))
            } else {
                setField(position, storedForm(value, position))
            }
        }
    }

    private final func destination(_ value: Any?, _ key: String) -> NSManagedObject? {
        guard let value = ValueConversion.unwrapped(value) else { return nil }
        guard let object = value as? NSManagedObject else { wrongClass(value, key, "an object") }
        return object
    }

    private final func setMembers(_ value: Any?, _ relationship: RelationshipRuntime) {
        let name = relationship.relationship.name
        switch ValueConversion.unwrapped(value) {
        case nil: replace([], of: relationship)
        case let set as Set<NSManagedObject>: replace(Array(set), of: relationship)
        case let set as NSSet: replace(NSManagedObject.members(of: set), of: relationship)
        case let set as NSOrderedSet:
            replaceInOrder(NSManagedObject.members(of: set), of: relationship)
        case let list as [NSManagedObject]: replaceInOrder(list, of: relationship)
        case let other?: wrongClass(other, name, "a set of objects")
        }
    }

    /// The stored form of a value; traps for one of the wrong class.
    final func storedForm(_ value: Any?, _ position: Int) -> Value {
        let field = runtime.fields[position]
        if field.type == .transformable, let value = ValueConversion.unwrapped(value) {
            return .transformable(ValueTransformer.encode(value, field, runtime.entity.name))
        }
        guard let converted = ValueConversion.value(value, as: field.type) else {
            wrongClass(value ?? "nil", field.name, "\(field.type)")
        }
        return converted
    }

    private final func wrongClass(_ value: Any, _ key: String, _ wanted: String) -> Never {
        preconditionFailure(
            "\(runtime.entity.name).\(key) takes \(wanted), not \(value) of type "
                + "\(Swift.type(of: value))")
    }

    /// The value without firing a fault, without change tracking and inverses.
    public final func primitiveValue(forKey key: String) -> Any? {
        switch reference(key) {
        case .toMany(let index): primitiveMembers(runtime.toManyRelationships[index])
        case .field(let position): object(draft?[position] ?? storedValue(position), position)
        }
    }

    /// Sets an attribute without change tracking; a save writes it only if something else changed.
    public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard case .field(let position) = reference(key) else {
            return setPrimitiveMembers(value, key)
        }
        realise()
        if runtime.fields[position].isRelationship {
            let object = destination(value, key)
            requireDraft()[position] = object.map { .objectID($0.key) } ?? .null
        } else {
            requireDraft()[position] = storedForm(value, position)
        }
    }

    /// The stored keys set since the last save, with their new values; `NSNull` for none.
    public final func changedValues() -> [String: Any] {
        var result: [String: Any] = [:]
        if let draft {
            for (position, field) in runtime.fields.enumerated() where field.isStored {
                guard let value = draft[position] else { continue }
                if flags.contains(.inserted), value == field.defaultValue { continue }
                result[field.name] = object(value, position) ?? NSNull()
            }
        }
        for (index, state) in (extras?.toMany ?? []).enumerated() where state?.hasChanges == true {
            let relationship = runtime.toManyRelationships[index]
            result[relationship.relationship.name] = collection(relationship)
        }
        return result
    }

    /// The saved values of keys, nil for all; `NSNull` for none.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
        guard !flags.contains(.inserted) else { return [:] }
        realise()
        var result: [String: Any] = [:]
        for (position, field) in runtime.fields.enumerated() where field.isStored {
            guard keys?.contains(field.name) ?? true else { continue }
            result[field.name] = object(storedValue(position), position) ?? NSNull()
        }
        return result
    }

    /// The value at a key path through relationships.
    ///
    /// Behind a to-many relationship the result is an array with the value of each member that has
    /// one; `@count` there is the number of members, and no other operator is known.
    public final func value(forKeyPath keyPath: String) -> Any? {
        value(at: keyPath.split(separator: ".").map(String.init)[...])
    }

    private final func value(at keys: ArraySlice<String>) -> Any? {
        guard let key = keys.first else { return self }
        let found = value(forKey: key)
        let rest = keys.dropFirst()
        if rest.isEmpty { return found }
        switch found {
        case let object as NSManagedObject: return object.value(at: rest)
        case let members as Set<NSManagedObject>:
            if rest == ["@count"] { return NSNumber(value: members.count) }
            return members.compactMap { $0.value(at: rest) }
        case let members as NSOrderedSet:
            if rest == ["@count"] { return NSNumber(value: members.count) }
            return NSManagedObject.members(of: members).compactMap { $0.value(at: rest) }
        default: return nil
        }
    }

    /// Sets the value at the end of a key path through to-one relationships.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        let keys = keyPath.split(separator: ".").map(String.init)
        guard let last = keys.last else { return }
        var owner: NSManagedObject? = self
        for key in keys.dropLast() { owner = owner?.value(forKey: key) as? NSManagedObject }
        owner?.setValue(value, forKey: last)
    }

    /// The value of a property, as in ``value(forKey:)``.
    public final subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }
}

extension NSManagedObjectContext {
    /// The ID of an object that need not be registered.
    final func objectID(for key: ObjectKey) -> NSManagedObjectID? {
        if let object = registry[key] { return object.objectID }
        guard !key.isTemporary, let ordinal = persistentStore?.store?.ordinal(of: key.entity) else {
            return nil
        }
        return NSManagedObjectID(
            key: key, runtime: model.runtimes[ordinal], store: persistentStore)
    }
}
