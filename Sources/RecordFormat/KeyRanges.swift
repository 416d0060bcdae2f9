// SPDX-License-Identifier: Apache-2.0

import Schema

/// A set of values of one attribute, as ranges of their whole index keys.
///
/// Null and NaN have keys too, so each set has an opposite.
public struct KeyRanges: Sendable, Hashable {
    /// A range of keys.
    struct Range: Sendable, Hashable {
        /// The first key.
        var lower: [UInt8]
        /// The first key beyond the range; nil for none.
        var upper: [UInt8]?
    }

    /// Disjoint, not adjacent, ascending.
    private(set) var ranges: [Range]

    private init(_ ranges: [Range]) { self.ranges = ranges }

    private init(from lower: [UInt8], to upper: [UInt8]?) {
        let isEmpty = upper.map { !lower.lexicographicallyPrecedes($0) } ?? false
        ranges = isEmpty ? [] : [Range(lower: lower, upper: upper)]
    }

    /// All values, with null.
    public static let all = KeyRanges([Range(lower: [], upper: nil)])
    /// No value.
    public static let none = KeyRanges([])
    /// Null.
    public static let null = KeyRanges(from: [OrderedBytes.null], to: [OrderedBytes.value])

    /// The values in a relation to a constant.
    public init(_ relation: IndexCondition.Relation, _ value: Value) {
        let key = IndexKey([value])
        let (least, most) = KeyRanges.ends(of: value)
        switch relation {
        case .equal: self.init(from: key.bytes, to: key.successor)
        case .less: self.init(from: least, to: key.bytes)
        case .lessOrEqual: self.init(from: least, to: key.successor)
        case .greater: self.init(from: key.successor ?? [.max], to: most)
        case .greaterOrEqual: self.init(from: key.bytes, to: most)
        case .begins:
            var start = IndexKey()
            if case .string(let text) = value { start.appendPrefix(text) }
            self.init(from: start.bytes, to: start.successor)
        }
    }

    /// The first and the first key beyond the values that a value is compared with; NaN, which lies
    /// beyond both infinities, is not among them.
    private static func ends(of value: Value) -> (least: [UInt8], most: [UInt8]?) {
        switch value {
        case .double, .float, .date:
            (IndexKey([.double(-.infinity)]).bytes, IndexKey([.double(.infinity)]).successor)
        default: ([OrderedBytes.value], [OrderedBytes.value + 1])
        }
    }

    /// Whether a value with a whole key is in the set.
    ///
    /// - Complexity: O(log n) for n ranges.
    public func contains(_ key: IndexKey) -> Bool {
        let behind = ranges.partitioningIndex { key.bytes.lexicographicallyPrecedes($0.lower) }
        guard behind > 0 else { return false }
        return ranges[behind - 1].upper.map { key.bytes.lexicographicallyPrecedes($0) } ?? true
    }
}

extension KeyRanges {
    /// The values that are not in the set.
    public var complement: KeyRanges {
        var result: [Range] = []
        var start: [UInt8]? = []
        for range in ranges {
            if let start, start.lexicographicallyPrecedes(range.lower) {
                result.append(Range(lower: start, upper: range.lower))
            }
            start = range.upper
        }
        if let start { result.append(Range(lower: start, upper: nil)) }
        return KeyRanges(result)
    }

    /// The values that are in one of some sets.
    ///
    /// - Complexity: O(n log n) for n ranges.
    public static func union(of sets: [KeyRanges]) -> KeyRanges {
        var result: [Range] = []
        let sorted = sets.flatMap(\.ranges).sorted {
            $0.lower.lexicographicallyPrecedes($1.lower)
        }
        for range in sorted {
            guard let last = result.last, !last.ends(before: range.lower) else {
                result.append(range)
                continue
            }
            guard let end = last.upper else { break }
            if range.upper.map({ end.lexicographicallyPrecedes($0) }) ?? true {
                result[result.count - 1].upper = range.upper
            }
        }
        return KeyRanges(result)
    }

    /// The values that are in all of some sets.
    public static func intersection(of sets: [KeyRanges]) -> KeyRanges {
        union(of: sets.map(\.complement)).complement
    }

    /// Whether each value of the set is in another one.
    public func isSubset(of other: KeyRanges) -> Bool {
        KeyRanges.intersection(of: [self, other.complement]) == .none
    }
}

extension KeyRanges.Range {
    /// Whether there is room between the range and a key behind its start.
    fileprivate func ends(before key: [UInt8]) -> Bool {
        upper.map { $0.lexicographicallyPrecedes(key) } ?? false
    }
}

extension IndexCondition {
    /// The values that satisfy, if the condition reads one attribute only.
    public var keyRanges: (attribute: String, ranges: KeyRanges)? {
        switch self {
        case .isNull(let name): return (name, .null)
        case .compares(let name, let relation, let value):
            return (name, KeyRanges(relation, value))
        case .not(let operand): return operand.keyRanges.map { ($0, $1.complement) }
        case .all(let members): return IndexCondition.keyRanges(of: members, isAll: true)
        case .any(let members): return IndexCondition.keyRanges(of: members, isAll: false)
        }
    }

    private static func keyRanges(
        of members: [IndexCondition], isAll: Bool
    ) -> (attribute: String, ranges: KeyRanges)? {
        guard let attribute = members.first?.keyRanges?.attribute else { return nil }
        var sets: [KeyRanges] = []
        for member in members {
            guard let next = member.keyRanges, next.attribute == attribute else { return nil }
            sets.append(next.ranges)
        }
        return (attribute, isAll ? .intersection(of: sets) : .union(of: sets))
    }
}
