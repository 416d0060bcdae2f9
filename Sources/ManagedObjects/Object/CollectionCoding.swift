// SPDX-License-Identifier: Apache-2.0

import Foundation

// Foundation has no key-value coding on Linux; these are its collections' own.
extension NSArray {
    /// The values that the members have for a key, `NSNull` for nil.
    ///
    /// A key that begins with `@`, such as `@count`, asks the array itself. Traps for a key that a
    /// member lacks.
    public func value(forKey key: String) -> Any { KeyPathValue.value(of: self, key: key) }

    /// The value at a key path, of the members or computed of them.
    ///
    /// ```swift
    /// let total = (books as NSArray).value(forKeyPath: "@sum.price") as? NSNumber
    /// let names = (books as NSArray).value(forKeyPath: "author.name") as? [String]
    /// ```
    ///
    /// As ``NSManagedObject/value(forKeyPath:)``, with its operators.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValue.value(of: self, keyPath.pathKeys[...])
    }

    /// Sets a value for a key in each member.
    ///
    /// ```swift
    /// (books as NSArray).setValue(true, forKey: "isRead")
    /// ```
    ///
    /// A member that is a collection has it set in its own members, and `NSNull` is passed over.
    /// Traps for any other member but managed objects, also for dictionaries, of which Foundation
    /// gives copies on Linux, and for what ``NSManagedObject/setValue(_:forKey:)`` traps for.
    public func setValue(_ value: Any?, forKey key: String) {
        KeyPathValue.set(value, in: self, key: key)
    }

    /// Sets the value at the end of a key path, of each object that the path leads to from the
    /// members.
    ///
    /// Nil on the way sets nothing. Traps as ``setValue(_:forKey:)`` does.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathValue.set(value, in: self, keyPath: keyPath)
    }
}

extension NSSet {
    /// The set of the values that the members have for a key.
    ///
    /// As for an array, but without nil.
    public func value(forKey key: String) -> Any { KeyPathValue.value(of: self, key: key) }

    /// The value at a key path, of the members or computed of them, as for an array.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValue.value(of: self, keyPath.pathKeys[...])
    }

    /// Sets a value for a key in each member, as for an array.
    public func setValue(_ value: Any?, forKey key: String) {
        KeyPathValue.set(value, in: self, key: key)
    }

    /// Sets the value at the end of a key path, of each object that it leads to, as for an array.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathValue.set(value, in: self, keyPath: keyPath)
    }
}

extension NSOrderedSet {
    /// The ordered set of the values that the members have for a key.
    ///
    /// As for an array, but without nil.
    public func value(forKey key: String) -> Any { KeyPathValue.value(of: self, key: key) }

    /// The value at a key path, of the members or computed of them, as for an array.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValue.value(of: self, keyPath.pathKeys[...])
    }

    /// Sets a value for a key in each member, as for an array.
    public func setValue(_ value: Any?, forKey key: String) {
        KeyPathValue.set(value, in: self, key: key)
    }

    /// Sets the value at the end of a key path, of each object that it leads to, as for an array.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathValue.set(value, in: self, keyPath: keyPath)
    }
}

extension NSDictionary {
    /// The value of a key; nil if there is none.
    ///
    /// A key that begins with `@`, such as `@count`, asks the values as a collection.
    public func value(forKey key: String) -> Any? {
        KeyPathValue.value(of: self, [key][...])
    }

    /// The value at a key path that begins with a key of the dictionary or with an operator, which
    /// applies to the values.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValue.value(of: self, keyPath.pathKeys[...])
    }

    /// Sets the value of a key; nil removes it.
    ///
    /// Traps unless the dictionary is an `NSMutableDictionary`.
    public func setValue(_ value: Any?, forKey key: String) {
        KeyPathValue.set(value, in: self, key: key)
    }

    /// Sets the value at the end of a key path that begins with a key of the dictionary.
    ///
    /// Nil on the way sets nothing. Traps where the path ends in what cannot be set.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyPathValue.set(value, in: self, keyPath: keyPath)
    }
}

extension KeyPathValue {
    /// The value that a collection has for a key; never nil.
    fileprivate static func value(of collection: Any, key: String) -> Any {
        value(of: collection, [key][...]) ?? NSNull()
    }
}
