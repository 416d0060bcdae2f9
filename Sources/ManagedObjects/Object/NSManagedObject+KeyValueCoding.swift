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
        guard let reference = runtime.references[key] else { return unmodelledValue(forKey: key) }
        switch reference {
        case .toMany(let index):
            return Set(destinations(runtime.toManyRelationships[index]))
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
        guard let reference = runtime.references[key] else {
            return setValue(value, forUndefinedKey: key)
        }
        switch reference {
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
        guard let value = ValueConversion.unwrapped(value) else {
            refuseNull(value, key, "an object")
            return nil
        }
        guard let object = value as? NSManagedObject else { wrongClass(value, key, "an object") }
        return object
    }

    private final func setMembers(_ value: Any?, _ relationship: RelationshipRuntime) {
        let name = relationship.relationship.name
        switch ValueConversion.unwrapped(value) {
        case nil:
            refuseNull(value, name, "a set of objects")
            replace([], of: relationship)
        case let set as Set<NSManagedObject>: replace(Array(set), of: relationship)
        case let set as NSSet: replace(NSManagedObject.members(of: set), of: relationship)
        case let list as [NSManagedObject]: replace(list, of: relationship)
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
        if converted.isNull { refuseNull(value, field.name, "\(field.type)") }
        return converted
    }

    /// `NSNull` stands for nil in dictionaries only.
    private final func refuseNull(_ value: Any?, _ key: String, _ wanted: String) {
        if let value, value is NSNull { wrongClass(value, key, wanted) }
    }

    private final func wrongClass(_ value: Any, _ key: String, _ wanted: String) -> Never {
        preconditionFailure(
            "\(runtime.entity.name).\(key) takes \(wanted), not \(value) of type "
                + "\(Swift.type(of: value))")
    }

    /// The value without firing a fault, without change tracking and inverses.
    public final func primitiveValue(forKey key: String) -> Any? {
        switch reference(key) {
        case .toMany(let index): Set(destinations(runtime.toManyRelationships[index]))
        case .field(let position): object(draft?[position] ?? storedValue(position), position)
        }
    }

    /// Sets an attribute without change tracking; a save writes it only if something else changed.
    public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard case .field(let position) = reference(key) else {
            preconditionFailure("\(runtime.entity.name).\(key) is to-many; use setValue(_:forKey:)")
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
            result[relationship.relationship.name] = Set(destinations(relationship))
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
