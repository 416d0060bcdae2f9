// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// The operators of key-value coding's key paths: `@count`, `@sum` and so on.
///
/// The keys behind an operator are followed from each member. Nil does not count.
enum CollectionOperators {
    static func apply(_ name: String, to base: Any, _ keys: ArraySlice<String>) -> Any? {
        guard let members = members(of: base) else {
            trap(
                "\(name) needs a collection, not \(base) of type \(type(of: base))")
        }
        switch name {
        case "@count": return NSNumber(value: members.count)
        case "@sum", "@avg", "@min", "@max":
            return statistic(name, values(of: members, keys), keys)
        case "@unionOfObjects": return values(of: members, keys)
        case "@distinctUnionOfObjects": return distinct(values(of: members, keys))
        case "@unionOfArrays": return flat(values(of: members, keys))
        case "@distinctUnionOfArrays": return distinct(flat(values(of: members, keys)))
        case "@distinctUnionOfSets": return KeyPathValue.set(of: flat(values(of: members, keys)))
        default:
            trap(
                "\(name) is no collection operator; there are @count, @sum, @avg, @min, @max, "
                    + "@unionOfObjects, @distinctUnionOfObjects, @unionOfArrays, "
                    + "@distinctUnionOfArrays and @distinctUnionOfSets")
        }
    }

    /// The members of a collection, the values of a dictionary.
    private static func members(of base: Any) -> [Any]? {
        if PredicateConversion.isSwiftCollection(base) {
            if let table = base as? [String: Any] { return Array(table.values) }
        } else if let table = base as? NSDictionary {
            return table.allValues
        }
        return KeyPathValue.members(of: base)?.elements
    }

    private static func values(of members: [Any], _ keys: ArraySlice<String>) -> [Any] {
        members.compactMap { KeyPathValue.value(of: $0, keys) }.filter { !($0 is NSNull) }
    }

    /// The members of collections in one list.
    private static func flat(_ values: [Any]) -> [Any] {
        // Told by their type: asking whether a number is a collection takes longer than all else.
        if values.allSatisfy({ type(of: $0) == NSNumber.self }) { return values }
        return values.flatMap { KeyPathValue.members(of: $0)?.elements ?? [$0] }
    }

    private static func distinct(_ values: [Any]) -> [Any] {
        var seen: Set<AnyHashable> = []
        return values.filter { seen.insert(KeyPathValue.hashable($0)).inserted }
    }

    /// A number of numbers: as predicates compute it.
    private static func statistic(
        _ name: String, _ values: [Any], _ keys: ArraySlice<String>
    ) -> Any? {
        let operands = flat(values).map { PredicateConversion.subject($0) }
        do {
            let result = try Expression.keyPath([name]).value(with: .collection(operands))
            return result.scalar.flatMap { ValueConversion.object($0) }
        } catch {
            let path = ([name] + keys).joined(separator: ".")
            trap("\(path) cannot be computed of \(values): \(error)")
        }
    }
}
