// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// What setting a value by key does to anything that is no managed object.
extension KeyPathValue {
    /// Sets a value where a key path ends; nil on the way sets nothing.
    static func set(_ value: Any?, in base: Any, keyPath: String) {
        let keys = keyPath.pathKeys
        guard let last = keys.last else { trap("an empty key path names nothing to set") }
        guard let owner = self.value(of: base, keys.dropLast()) else { return }
        set(value, in: owner, key: last)
    }

    /// Sets a value for a key in an object, or in each member of a collection.
    static func set(_ value: Any?, in target: Any, key: String) {
        if let object = target as? NSManagedObject { return object.setValue(value, forKey: key) }
        // In a collection it stands for no object.
        if target is NSNull { return }
        if PredicateConversion.isSwiftCollection(target) {
            // As Foundation's collections on Linux hand out their dictionaries, too.
            if target is [AnyHashable: Any] {
                trap("a dictionary in a collection is a copy, which cannot have \(key) set")
            }
        } else if let table = target as? NSDictionary {
            guard let table = table as? NSMutableDictionary else {
                trap("a dictionary that is no NSMutableDictionary cannot have \(key) set")
            }
            return set(value, in: table, key: key)
        }
        // A list of its own, as a setter may take the object out of the collection.
        guard let members = members(of: target)?.elements else {
            trap("\(target) of type \(type(of: target)) cannot have \(key) set")
        }
        for member in members { set(value, in: member, key: key) }
    }

    private static func set(_ value: Any?, in table: NSMutableDictionary, key: String) {
        if let value = ValueConversion.unwrapped(value) {
            table.setObject(value, forKey: key as NSString)
        } else {
            table.removeObject(forKey: key)
        }
    }
}
