// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// Follows key paths of key-value coding through objects, collections and plain values.
enum KeyPathValue {
    /// What a collection becomes when its members are mapped.
    enum Kind {
        case set
        case list
        case orderedSet
    }

    /// The value at a path; nil if a step has no value.
    static func value(of base: Any?, _ keys: ArraySlice<String>) -> Any? {
        guard let key = keys.first, let base = ValueConversion.unwrapped(base) else { return base }
        let rest = keys.dropFirst()
        if key.hasPrefix("@") { return CollectionOperators.apply(key, to: base, rest) }
        return value(of: step(base, key), rest)
    }

    /// The value of one key; a collection has the values of its members.
    static func step(_ base: Any, _ key: String) -> Any? {
        if let object = base as? NSManagedObject { return object.value(forKey: key) }
        if key == "self" { return base }
        if let table = base as? NSDictionary { return table[key] }
        if let table = base as? [String: Any] { return table[key] }
        if let (members, kind) = members(of: base) {
            return collection(members.map { step($0, key) }, kind)
        }
        if let text = base as? String {
            switch key {
            case "length": return NSNumber(value: text.utf16.count)
            case "uppercaseString": return text.uppercased()
            case "lowercaseString": return text.lowercased()
            default: break
            }
        }
        trap("\(base) of type \(type(of: base)) has no value for the key \(key)")
    }

    /// The members of a collection and its kind; nil for any other value.
    static func members(of value: Any) -> (elements: [Any], kind: Kind)? {
        switch value {
        case let set as Set<NSManagedObject>: return (Array(set), .set)
        case let set as Set<AnyHashable>: return (set.map(\.base), .set)
        case let set as NSOrderedSet: return (set.array, .orderedSet)
        case let set as NSSet: return (set.allObjects, .set)
        case let list as [Any]: return (list, .list)
        case let list as NSArray: return (Array(list), .list)
        case is String, is Data: return nil
        default: return typedMembers(of: value)
        }
    }

    /// Sets of typed elements do not cast to `Set<AnyHashable>` on Linux.
    private static func typedMembers(of value: Any) -> (elements: [Any], kind: Kind)? {
        guard let collection = value as? any Collection else { return nil }
        let isSet = Mirror(reflecting: value).displayStyle == .set
        return (collection.map { $0 as Any }, isSet ? .set : .list)
    }

    /// Values as a collection: a set leaves nil out, a list has `NSNull` for it.
    static func collection(_ values: [Any?], _ kind: Kind) -> Any {
        switch kind {
        case .list: values.map { $0 ?? NSNull() }
        case .orderedSet: NSOrderedSet(array: values.compactMap { $0 })
        case .set: set(of: values.compactMap { $0 })
        }
    }

    /// A set of objects where all values are objects, so that `as? Set<…>` works.
    static func set(of values: [Any]) -> Any {
        if !values.isEmpty, let objects = values as? [NSManagedObject] { return Set(objects) }
        return Set(values.map(hashable))
    }

    static func hashable(_ value: Any) -> AnyHashable {
        if type(of: value) == NSDecimalNumber.self, let number = value as? NSDecimalNumber {
            return StoredDecimalNumber(decimal: number.decimalValue)
        }
        guard let result = value as? AnyHashable else {
            trap("\(value) of type \(type(of: value)) cannot be in a set")
        }
        return result
    }
}

extension String {
    /// The keys of a key path's text.
    var pathKeys: [String] { split(separator: ".").map(String.init) }
}
