// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

extension NSManagedObject {
    /// The destinations as objects of the property's class; traps for others.
    final func typedDestinations<Element: ManagedReference>(
        _ key: borrowing PropertyKey
    ) -> [Element] {
        // SAFETY: the same references under another static type, which `checkedDestinations` has
        // checked for all of their classes.
        unsafeBitCast(checkedDestinations(key, Element.self), to: [Element].self)
    }

    /// The destinations of a to-many relationship; traps where one is not of a class.
    final func checkedDestinations<Element: ManagedReference>(
        _ key: borrowing PropertyKey, _: Element.Type
    ) -> [NSManagedObject] {
        let objects: [NSManagedObject]
        if !runtime.fetchedProperties.isEmpty, key.cached(for: runtimeReference) == 0,
            let fetched = fetchedObjects("\(key.name)", Element.self)
        {
            objects = fetched
        } else {
            let relationship = key.relationship(in: runtimeReference)
            relationship.suggest(Element.self)
            objects = destinations(relationship)
        }
        // Checked once a class, not once an object.
        var checked: NSManagedObject.Type?
        for object in objects where type(of: object) != checked {
            checked = type(of: object)
            require(
                object is Element,
                "\(runtime.entity.name).\(key.name) leads to a \(type(of: object)), not to a "
                    + "\(Element.self)")
        }
        return objects
    }
}

extension Array: ManagedValue where Element: ManagedReference {
    /// Reads the destinations: in their order, else ascending by ID.
    ///
    /// The quickest way to walk over a relationship, as nothing is hashed.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> [Element] {
        object.typedDestinations(key)
    }

    /// Replaces the destinations; an object that comes twice counts once.
    public static func __lode_write(
        _ value: [Element], _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.replaceInOrder(value, of: key.relationship(in: object.runtimeReference))
    }
}

extension Array: ManagedOptionalWrapped where Element: ManagedReference {
    /// Reads the destinations; never nil.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> [Element]? {
        __lode_read(object, key)
    }

    /// Replaces the destinations; nil for none.
    public static func __lode_writeOptional(
        _ value: [Element]?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        __lode_write(value ?? [], object, key)
    }
}
