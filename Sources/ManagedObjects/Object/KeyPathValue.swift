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
        if rest.first == "@count", rest.count == 1, let count = memberCount(base, key) {
            return NSNumber(value: count)
        }
        return value(of: step(base, key), rest)
    }

    /// The number of destinations of an object's to-many relationship, without a collection of
    /// them; nil where there is no such relationship, or the class answers for itself.
    private static func memberCount(_ base: Any, _ key: String) -> Int? {
        guard let object = base as? NSManagedObject, object.isCodedPlainly,
            case .toMany(let index)? = object.runtime.references[key]
        else { return nil }
        return object.loadedState(object.runtime.toManyRelationships[index]).count
    }

    /// The value of one key; a collection has the values of its members.
    static func step(_ base: Any, _ key: String) -> Any? {
        if key == "self" { return base }
        // No object is cast to a dictionary of Swift, which would copy all of Foundation's.
        if PredicateConversion.isSwiftCollection(base) {
            if let table = base as? [String: Any] { return table[key] }
        } else if let object = base as? NSManagedObject {
            return object.value(forKey: key)
        } else if base is NSNull {
            // In a collection it stands for no object: it has no values, and a path goes past it.
            return base
        } else if let table = base as? NSDictionary {
            return table[key]
        }
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
        if PredicateConversion.isSwiftCollection(value) { return swiftMembers(of: value) }
        switch value {
        case let set as NSOrderedSet: return (set.array, .orderedSet)
        case let set as NSSet: return (set.allObjects, .set)
        case let list as NSArray: return (Array(list), .list)
        // A collection that is a class of a program.
        case let list as any Collection: return (list.map { $0 as Any }, .list)
        default: return nil
        }
    }

    /// The members of a collection of Swift, without the casts to classes that would make
    /// Foundation's collection of them, see ``PredicateConversion/isSwiftCollection(_:)``.
    private static func swiftMembers(of value: Any) -> (elements: [Any], kind: Kind)? {
        switch value {
        case let list as [Any]: return (list, .list)
        case is String, is Data: return nil
        case let set as any AnySet: return (set.anyMembers, .set)
        case let collection as any Collection: return (collection.map { $0 as Any }, .list)
        default: return nil
        }
    }

    /// Whether a value is a set, ordered or not, of Swift or of Foundation.
    static func isSet(_ value: Any?) -> Bool {
        guard let value = ValueConversion.unwrapped(value) else { return false }
        if PredicateConversion.isSwiftCollection(value) { return value is any AnySet }
        return value is NSSet || value is NSOrderedSet
    }

    /// Values as a collection: a set leaves nil out, a list has `NSNull` for it.
    static func collection(_ values: [Any?], _ kind: Kind) -> Any {
        switch kind {
        case .list: values.map { $0 ?? NSNull() }
        case .orderedSet: orderedSet(of: values.compactMap { $0 })
        case .set: set(of: values.compactMap { $0 })
        }
    }

    /// Foundation's initialiser of an array keeps members that are there twice on Linux.
    private static func orderedSet(of values: [Any]) -> NSOrderedSet {
        let result = NSMutableOrderedSet()
        for value in values { result.add(value) }
        return result
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

/// A set of Swift, whatever its members are: sets of typed elements do not cast to
/// `Set<AnyHashable>` on Linux.
protocol AnySet {
    var anyMembers: [Any] { get }
}

extension Set: AnySet {
    var anyMembers: [Any] {
        // An object is itself; only what `AnyHashable` holds has to be taken out of it.
        Element.self is AnyClass ? map { $0 as Any } : map { AnyHashable($0).base }
    }
}

extension String {
    /// The keys of a key path's text.
    var pathKeys: [String] {
        // Characters take five times as long to find as bytes; in other texts a sign may join the
        // dot before it.
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return split(separator: ".").map(String.init) }
        return utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    }
}
