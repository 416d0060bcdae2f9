// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// `NSSet` and `NSOrderedSet`, as which `@Managed` properties may read relationships.
///
/// Getters are generic over it: ones that return the classes themselves would serve a property of
/// any class above them too, such as `NSObject?`, so that the compiler could not choose.
///
/// As in Core Data, what is read also is an `NSMutableSet` or `NSMutableOrderedSet`, which programs
/// cast it to before they walk or change it. It is a copy: what is done to it is done to nothing
/// else until it is assigned.
public protocol ManagedObjectSet: NSObject {
    /// A set of the destinations of the relationship of a key.
    static func __lode_set(of object: NSManagedObject, _ key: borrowing PropertyKey) -> NSObject
}

extension NSSet: ManagedObjectSet {
    /// A set of the destinations of the relationship of a key.
    public static func __lode_set(
        of object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> NSObject {
        NSMutableSet(array: object.destinations(key.relationship(in: object.runtimeReference)))
    }
}

extension NSOrderedSet: ManagedObjectSet {
    /// The destinations of the relationship of a key, in their order.
    public static func __lode_set(
        of object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> NSObject {
        NSMutableOrderedSet(
            array: object.destinations(key.relationship(in: object.runtimeReference)))
    }
}

extension NSManagedObject {
    /// What a `@Managed` getter of an `NSSet` or `NSOrderedSet` calls; traps for their subclasses.
    public final func __lode_read<Members: ManagedObjectSet>(
        _ key: borrowing PropertyKey
    ) -> Members {
        guard Members.self == NSSet.self || Members.self == NSOrderedSet.self,
            let set = Members.__lode_set(of: self, key) as? Members
        else {
            trap(
                "\(runtime.entity.name).\(key.name) cannot be read as \(Members.self); declare the "
                    + "property as NSSet or NSOrderedSet, and change a mutableSetValue(forKey:)")
        }
        return set
    }

    /// What a `@Managed` getter of an optional `NSSet` or `NSOrderedSet` calls; never nil.
    public final func __lode_read<Members: ManagedObjectSet>(
        _ key: borrowing PropertyKey
    ) -> Members? {
        let set: Members = __lode_read(key)
        return set
    }
}
