// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether collections that transformers have made of bytes are the same.
///
/// They are compared by their members: texts by their scalars, numbers with their types, dates,
/// data, URLs and UUIDs by `==`. Members of other types count as different: the `==` of a program's
/// own type may look at an identifier alone, and what else was set would be lost.
enum TransformedEquality {
    private enum Form {
        case list([Any])
        case set([Any])
        case table([AnyHashable: Any])
    }

    /// Whether a value is a collection that is compared by its members.
    static func isCollection(_ value: Any) -> Bool { form(value) != nil }

    static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        switch (ValueConversion.unwrapped(left), ValueConversion.unwrapped(right)) {
        case (nil, nil): true
        case (let left?, let right?): arePresentEqual(left, right)
        default: false
        }
    }

    private static func arePresentEqual(_ left: Any, _ right: Any) -> Bool {
        if let first = left as? String {
            return (right as? String).map { first.utf8.elementsEqual($0.utf8) } ?? false
        }
        if let first = number(left) { return number(right).map { areEqual(first, $0) } ?? false }
        switch (form(left), form(right)) {
        case (.list(let first), .list(let second)):
            return first.count == second.count
                && zip(first, second).allSatisfy { areEqual($0, $1) }
        case (.set(let first), .set(let second)): return areEqual(members: first, second)
        case (.table(let first), .table(let second)): return areEqual(first, second)
        case (nil, nil): return plain(left).map { $0 == plain(right) } ?? false
        default: return false
        }
    }

    /// A collection's members; nil for a class of which others may have made one that holds more.
    private static func form(_ value: Any) -> Form? {
        guard type(of: value) is AnyClass else {
            // A cast to a class of Foundation's would make one of the collection.
            switch value {
            case let table as [AnyHashable: Any]: return .table(table)
            case let list as [Any]: return .list(list)
            case let set as any AnySet: return .set(set.anyMembers)
            default: return nil
            }
        }
        let type = type(of: value)
        if type == NSArray.self || type == NSMutableArray.self {
            return (value as? NSArray).map { .list(Array($0)) }
        }
        if type == NSSet.self || type == NSMutableSet.self {
            return (value as? NSSet).map { .set($0.allObjects) }
        }
        if type == NSDictionary.self || type == NSMutableDictionary.self {
            return (value as? [AnyHashable: Any]).map { .table($0) }
        }
        return nil
    }

    /// A number of at most 64 bits, or a decimal one.
    private static func number(_ value: Any) -> NSNumber? {
        if type(of: value) is AnyClass { return value as? NSNumber }
        switch value {
        case is Bool, is Int, is Double, is Float, is Decimal, is UInt64, is Int64, is Int32,
            is UInt32, is Int16, is UInt16, is Int8, is UInt8:
            return ValueConversion.boxed(value) as? NSNumber
        default: return nil
        }
    }

    private static func areEqual(_ left: NSNumber, _ right: NSNumber) -> Bool {
        switch (left as? NSDecimalNumber, right as? NSDecimalNumber) {
        case (nil, nil):
            guard strcmp(left.objCType, right.objCType) == 0 else { return false }
            let isFraction = [UInt8(ascii: "d"), UInt8(ascii: "f")].contains(
                UInt8(bitPattern: left.objCType.pointee))
            return isFraction
                ? left.doubleValue.bitPattern == right.doubleValue.bitPattern : left.isEqual(right)
        case (let left?, let right?): return left.decimalValue == right.decimalValue
        default: return false
        }
    }

    /// A value of Foundation's whose `==` looks at all of it.
    private static func plain(_ value: Any) -> AnyHashable? {
        switch value {
        case let value as Date: value
        case let value as Data: value
        case let value as URL: value
        case let value as UUID: value
        default: nil
        }
    }

    private static func areEqual(
        _ left: [AnyHashable: Any], _ right: [AnyHashable: Any]
    ) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                guard let index = right.index(forKey: key) else { return false }
                return areEqual(key.base, right[index].key.base)
                    && areEqual(value, right[index].value)
            }
    }

    private static func areEqual(members left: [Any], _ right: [Any]) -> Bool {
        guard left.count == right.count else { return false }
        var others: [AnyHashable: Any] = [:]
        for member in right {
            guard let key = key(member) else { return false }
            others[key] = member
        }
        return left.allSatisfy { member in
            guard let key = key(member), let other = others[key] else { return false }
            return areEqual(member, other)
        }
    }

    /// What a member of a set is found by; nil for one that has no hash value.
    private static func key(_ member: Any) -> AnyHashable? {
        member is NSDecimalNumber ? KeyPathValue.hashable(member) : member as? AnyHashable
    }
}
