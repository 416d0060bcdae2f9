// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension NSManagedObject {
    /// The value at a key path.
    ///
    /// A path leads through to-one relationships; a to-many relationship has the values of its
    /// destinations, as a set. `@count`, `@sum`, `@avg`, `@min`, `@max`, `@unionOfObjects`,
    /// `@distinctUnionOfObjects`, `@unionOfArrays`, `@distinctUnionOfArrays` and
    /// `@distinctUnionOfSets` apply to a collection, and what follows them to each member:
    /// `lines.@sum.price`.
    ///
    /// Traps for a key that an object on the way lacks.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValue.value(of: self, keyPath.pathKeys[...])
    }

    /// Sets the value at the end of a key path.
    ///
    /// A path leads through to-one relationships to one object, through a to-many relationship to
    /// each destination. Nil on the way sets nothing.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        let keys = keyPath.pathKeys
        guard let last = keys.last else {
            trap("an empty key path names nothing to set")
        }
        guard let owner = KeyPathValue.value(of: self, keys.dropLast()) else { return }
        for object in KeyPathValue.members(of: owner)?.elements ?? [owner] {
            guard let object = object as? NSManagedObject else {
                trap(
                    "\(runtime.entity.name).\(keyPath) leads to \(object), which is no object")
            }
            object.setValue(value, forKey: last)
        }
    }

    /// The values of keys by name, `NSNull` for none.
    ///
    /// Attributes are values that may cross to other queues; objects of relationships may not.
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var result: [String: Any] = [:]
        for key in keys { result[key] = value(forKey: key) ?? NSNull() }
        return result
    }

    /// Sets a value for each key; `NSNull` stands for nil.
    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}

/// What ``NSManagedObject`` has under names that Core Data leaves to subclasses.
///
/// A member of a class cannot be declared again by subclasses in other modules; one of a protocol's
/// extension can, and theirs is the one that is called.
@_documentation(visibility: internal)
public protocol __OwnMembers: AnyObject {}

extension NSManagedObject: __OwnMembers {}

extension __OwnMembers where Self: NSManagedObject {
    /// The value of a property, as in ``NSManagedObject/value(forKey:)``.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }
}

extension NSManagedObject {
    /// The value of a key that is neither modelled nor registered: what every object has.
    final func unmodelledValue(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "description": description
        case "hasChanges": NSNumber(value: hasChanges)
        case "isInserted", "inserted": NSNumber(value: isInserted)
        case "isUpdated", "updated": NSNumber(value: isUpdated)
        case "isDeleted", "deleted": NSNumber(value: isDeleted)
        case "isFault", "fault": NSNumber(value: isFault)
        default: fetchedValue(forKey: key) ?? value(forUndefinedKey: key)
        }
    }

    /// Sets a value through a registered accessor; traps where the accessor cannot take it.
    final func set(_ value: Any?, through accessor: KeyValueAccessor) {
        switch accessor.set(self, value) {
        case .done: break
        case .isNil: setNilValueForKey(accessor.key)
        case .readOnly:
            trap(
                "\(runtime.entity.name).\(accessor.key) can only be read, not set to "
                    + "\(value ?? "nil")")
        case .wrongClass:
            trap(
                "\(runtime.entity.name).\(accessor.key) takes \(accessor.valueType), not "
                    + "\(value ?? "nil") of type \(Swift.type(of: value ?? NSNull()))")
        }
    }

    /// The names of the entity's properties, for messages.
    final var propertyList: String { runtime.references.keys.sorted().joined(separator: ", ") }
}
