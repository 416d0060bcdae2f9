// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

extension NSManagedObject {
    final func reference(_ key: String) -> PropertyReference {
        guard let reference = runtime.references[key] else {
            trap(
                "entity \(runtime.entity.name) has no property \(key); it has "
                    + runtime.references.keys.sorted().joined(separator: ", "))
        }
        return reference
    }

    final func modelledValue(forKey key: String) -> Any? {
        guard let reference = runtime.references[key] else { return unmodelledValue(forKey: key) }
        switch reference {
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
            if field.isRelationship {
                let relationship = runtime.toOne(at: position)
                guard let object = related(key), let relationship else { return nil }
                return relationship.leads(to: object) ? object : noteMisfit(object, relationship)
            }
            return context?.objectID(for: key)
        case .transformable(let bytes):
            return decoded(bytes, field, position)
        default:
            return ValueConversion.object(value)
        }
    }

    /// The value of a transformable field: the instance that was set or read before, if its bytes
    /// are the same.
    private final func decoded(_ bytes: [UInt8], _ field: FieldRuntime, _ position: Int) -> Any? {
        if let known = extras?.decoded.value(position, bytes) { return known }
        let value = ValueTransformer.decode(bytes, field)
        if let value, field.attribute?.transformerName != nil {
            requireExtras().decoded.keep(value, position, bytes)
        }
        return value
    }

    /// Keeps the instance that a transformable field is set to.
    final func keepInstance(_ value: Any?, _ stored: Value, _ position: Int) {
        guard case .transformable(let bytes) = stored, let value = ValueConversion.unwrapped(value),
            runtime.fields[position].attribute?.transformerName != nil
        else { return }
        requireExtras().decoded.keep(value, position, bytes)
    }

    final func setModelledValue(_ value: Any?, forKey key: String) {
        guard let reference = runtime.references[key] else {
            require(
                runtime.fetchedProperties[key] == nil,
                "\(runtime.entity.name).\(key) is a fetched property, which cannot be set to "
                    + "\(value ?? "nil"); change the objects that its request finds")
            return setValue(value, forUndefinedKey: key)
        }
        switch reference {
        case .toMany(let index): setMembers(value, runtime.toManyRelationships[index])
        case .field(let position):
            if let relationship = runtime.toOne(at: position) {
                setDestination(relationship, destination(value, key))
            } else {
                let stored = storedForm(value, position)
                guard case .transformable = stored else { return setField(position, stored) }
                keepInstance(value, setSettled(stored, position), position)
            }
        }
    }

    final func destination(_ value: Any?, _ key: String) -> NSManagedObject? {
        guard let value = ValueConversion.unwrapped(value) else {
            refuseNull(value, key, "an object")
            return nil
        }
        guard let object = value as? NSManagedObject else { wrongClass(value, key, "an object") }
        return object
    }

    private final func setMembers(_ value: Any?, _ relationship: RelationshipRuntime) {
        let members = objects(value, relationship)
        // A cast to a class of Foundation would make one of its sets of a set of Swift.
        if let value, !(value is any AnySet), value is NSOrderedSet || value is [NSManagedObject] {
            replaceInOrder(members, of: relationship)
        } else {
            replace(members, of: relationship)
        }
    }

    /// The destinations in a value for a to-many relationship; traps for one of the wrong class.
    final func objects(_ value: Any?, _ relationship: RelationshipRuntime) -> [NSManagedObject] {
        guard let value = ValueConversion.unwrapped(value) else {
            refuseNull(value, relationship.relationship.name, "a set of objects")
            return []
        }
        if let set = NSManagedObject.foundationSet(value) {
            return NSManagedObject.members(of: set)
        }
        switch value {
        case let set as Set<NSManagedObject>: return Array(set)
        case let set as NSSet: return NSManagedObject.members(of: set)
        case let set as NSOrderedSet: return NSManagedObject.members(of: set)
        case let list as [NSManagedObject]: return list
        default: wrongClass(value, relationship.relationship.name, "a set of objects")
        }
    }

    /// The stored form of a value; traps for one of the wrong class.
    final func storedForm(_ value: Any?, _ position: Int) -> Value {
        let field = runtime.fields[position]
        if field.type == .transformable, let value = ValueConversion.unwrapped(value) {
            return .transformable(ValueTransformer.encode(value, field, runtime.entity.name))
        }
        if field.type == .objectID { checkStore(of: value, field.name) }
        guard
            let converted = ValueConversion.value(value, as: field.type)
                ?? ValueConversion.truncated(value, as: field.type)
        else {
            wrongClass(value ?? "nil", field.name, "\(field.type)")
        }
        if converted.isNull { refuseNull(value, field.name, "\(field.type)") }
        return converted
    }

    /// Traps for the ID of an object of another store: a record holds no more than entity and row.
    private final func checkStore(of value: Any?, _ key: String) {
        guard let id = ValueConversion.unwrapped(value) as? NSManagedObjectID,
            let store = id.currentStore, let context, context.persistentStoreCoordinator != nil,
            context.localKey(of: id) != id.currentKey || !isSaved(in: store)
        else { return }
        trap(
            "\(runtime.entity.name).\(key) takes IDs of its own store, not \(id) of another; "
                + "keep its uriRepresentation() in a URI attribute instead")
    }

    /// Whether the object is of a store, or of none yet.
    private final func isSaved(in store: NSPersistentStore) -> Bool {
        guard !storedKey.isTemporary, let own = context?.store(of: storedKey) else { return true }
        return own === store || own.identity == store.identity
    }

    /// `NSNull` stands for nil in dictionaries only.
    private final func refuseNull(_ value: Any?, _ key: String, _ wanted: String) {
        if let value, value is NSNull { wrongClass(value, key, wanted) }
    }

    final func wrongClass(_ value: Any, _ key: String, _ wanted: String) -> Never {
        trap(
            "\(runtime.entity.name).\(key) takes \(wanted), not \(value) of type "
                + "\(Swift.type(of: value))")
    }
}

extension NSManagedObjectContext {
    /// The ID of an object that need not be registered.
    final func objectID(for key: ObjectKey) -> NSManagedObjectID? {
        if let object = registry[key] { return object.objectID }
        if source != nil, key.isTemporary { return object(for: key)?.objectID }
        guard !key.isTemporary, let runtime = runtime(of: key) else { return nil }
        return NSManagedObjectID(key: key, runtime: runtime, store: home(of: key))
    }
}
