// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tells whether a transformer surely makes the same data of equal values.
///
/// Sets and dictionaries have another order each time, and so have archives and JSON of anything
/// with several keys, as these are written from dictionaries.
enum StableData {
    /// How deep values may lie in each other; what is deeper is not looked at.
    private static let mostLevels = 32

    /// - Parameters:
    ///   - bytes: What the transformer made.
    ///   - value: Of what.
    static func isStable(_ bytes: [UInt8], of value: Any) -> Bool {
        !hasOrderOfChance(written: bytes) && !hasOrderOfChance(value, mostLevels)
    }

    /// Whether data is a property list or JSON with more than one key in one place.
    private static func hasOrderOfChance(written bytes: [UInt8]) -> Bool {
        switch bytes.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let form = try? JSONSerialization.jsonObject(with: Data(bytes))
            return form.map { hasKeys($0, mostLevels) } ?? false
        case UInt8(ascii: "b"), UInt8(ascii: "<"):
            guard bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) else {
                return false
            }
            let form = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
            return form.map { hasKeys($0, mostLevels) } ?? false
        default: return false
        }
    }

    private static func hasKeys(_ form: Any, _ levels: Int) -> Bool {
        if levels == 0 { return true }
        if let table = form as? [String: Any] {
            return table.count > 1 || table.values.contains { hasKeys($0, levels - 1) }
        }
        if let list = form as? [Any] { return list.contains { hasKeys($0, levels - 1) } }
        return false
    }

    /// Whether a value has a set or a dictionary of several members in it.
    private static func hasOrderOfChance(_ value: Any, _ levels: Int) -> Bool {
        if levels == 0 { return true }
        if value is String || value is NSNumber || value is NSString { return false }
        if !PredicateConversion.isSwiftCollection(value) {
            if let set = value as? NSSet {
                return set.count > 1 || set.contains { hasOrderOfChance($0, levels - 1) }
            }
            if let table = value as? NSDictionary {
                return table.count > 1
                    || table.allValues.contains { hasOrderOfChance($0, levels - 1) }
            }
            if let list = value as? NSArray {
                return list.contains { hasOrderOfChance($0, levels - 1) }
            }
        }
        var mirror: Mirror? = Mirror(reflecting: value)
        while let level = mirror {
            if level.displayStyle == .set || level.displayStyle == .dictionary,
                level.children.count > 1
            {
                return true
            }
            if level.children.contains(where: { hasOrderOfChance($0.value, levels - 1) }) {
                return true
            }
            mirror = level.superclassMirror
        }
        return false
    }
}
