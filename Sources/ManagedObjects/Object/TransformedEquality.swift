// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether what transformers have made of bytes is the same.
///
/// Collections are compared by their members, texts by their scalars, numbers with their types, and
/// dates, data, URLs and UUIDs by `==`. Values of other types count as different: the `==` of a
/// program's own type may look at an identifier alone, and what else was set would be lost.
enum TransformedEquality {
    static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        switch (ValueConversion.unwrapped(left), ValueConversion.unwrapped(right)) {
        case (nil, nil): true
        case (let left?, let right?): arePresentEqual(left, right)
        default: false
        }
    }

    private static func arePresentEqual(_ left: Any, _ right: Any) -> Bool {
        if let first = text(left) {
            return text(right).map { first.utf8.elementsEqual($0.utf8) } ?? false
        }
        if let first = table(left) {
            return table(right).map { areEqual(first, $0) } ?? false
        }
        if let first = list(left) {
            return list(right).map { areEqual(first, $0) } ?? false
        }
        if let first = set(left) {
            return set(right).map { areEqual(members: first, $0) } ?? false
        }
        if let first = ValueConversion.boxed(left) as? NSNumber {
            return (ValueConversion.boxed(right) as? NSNumber).map { areEqual(first, $0) } ?? false
        }
        return plain(left).map { $0 == plain(right) } ?? false
    }

    /// A value of Foundation's whose `==` looks at all of it.
    private static func plain(_ value: Any) -> AnyHashable? {
        switch value {
        case let value as Date: value
        case let value as Data: value
        case let value as URL: value
        case let value as UUID: value
        case let value as NSNull: value
        default: nil
        }
    }

    private static func text(_ value: Any) -> String? {
        (value as? String) ?? (value as? NSString).map { String(describing: $0) }
    }

    private static func areEqual(_ left: NSNumber, _ right: NSNumber) -> Bool {
        switch (left as? NSDecimalNumber, right as? NSDecimalNumber) {
        case (nil, nil):
            guard strcmp(left.objCType, right.objCType) == 0 else { return false }
            let isFraction = ["d", "f"].contains(String(cString: left.objCType))
            return isFraction
                ? left.doubleValue.bitPattern == right.doubleValue.bitPattern : left.isEqual(right)
        case (let left?, let right?): return left.decimalValue == right.decimalValue
        default: return false
        }
    }

    private static func table(_ value: Any) -> [AnyHashable: Any]? {
        (value as? [AnyHashable: Any]) ?? (value as? NSDictionary) as? [AnyHashable: Any]
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

    private static func list(_ value: Any) -> [Any]? {
        (value as? [Any]) ?? (value as? NSArray).map { Array($0) }
    }

    private static func areEqual(_ left: [Any], _ right: [Any]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
    }

    private static func set(_ value: Any) -> [Any]? {
        guard let (members, kind) = KeyPathValue.members(of: value), kind == .set else {
            return nil
        }
        return members
    }

    private static func areEqual(members left: [Any], _ right: [Any]) -> Bool {
        let others = Dictionary(
            right.map { (KeyPathValue.hashable($0), $0) }, uniquingKeysWith: { first, _ in first })
        return left.count == right.count
            && left.allSatisfy { member in
                others[KeyPathValue.hashable(member)].map { areEqual(member, $0) } ?? false
            }
    }
}
