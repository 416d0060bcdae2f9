// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Builds the key ranges of an index, property by property.
struct RangeBuilder {
    private var prefixes: [IndexKey] = [IndexKey()]
    private var tail: (choice: Choice, type: AttributeType)?

    /// The count of properties so far.
    private(set) var depth = 0
    /// The count of leading properties with one value.
    private(set) var fixedCount = 0
    private(set) var settled: Set<Int> = []
    private(set) var conditions: [Comparison] = []

    /// The count of ranges.
    var count: Int { prefixes.count }
    var isEmpty: Bool { prefixes.isEmpty }
    /// Whether every property so far has values rather than a range.
    var fixesAll: Bool { tail == nil }
    /// Whether no key was cut, so that the ranges hold nothing but what satisfies.
    private(set) var isExact = true

    mutating func append(_ choice: Choice, _ type: AttributeType) {
        if case .values(let values) = choice.kind {
            let isFixed = fixedCount == depth && values.count == 1
            prefixes = prefixes.flatMap { prefix in
                values.map { value in
                    var key = prefix
                    key.append(value)
                    return key
                }
            }
            if isFixed { fixedCount += 1 }
        } else {
            tail = (choice, type)
        }
        depth += 1
        settled.formUnion(choice.members)
        conditions += choice.conditions
        noteCuts()
    }

    /// Ascending and disjoint.
    var ranges: [IndexRange] {
        let ranges = prefixes.map { prefix in
            guard let tail else { return IndexRange(prefix: prefix) }
            return tail.choice.kind.range(after: prefix, tail.type)
        }
        return Array(Set(ranges)).sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    }

    private mutating func noteCuts() {
        for prefix in prefixes {
            if prefix.isTruncated { isExact = false }
            guard let tail else { continue }
            for key in tail.choice.kind.boundKeys(after: prefix) where key.isTruncated {
                isExact = false
            }
        }
    }
}

extension Restriction.Kind {
    /// The keys of the bounds.
    fileprivate func boundKeys(after prefix: IndexKey) -> [IndexKey] {
        switch self {
        case .values: return []
        case .range(let bounds):
            return [bounds.lower, bounds.upper].compactMap(\.self).map { value in
                var key = prefix
                key.append(value)
                return key
            }
        case .prefix(let text):
            var key = prefix
            key.appendPrefix(text)
            return [key]
        }
    }

    /// The keys behind a prefix that satisfy.
    fileprivate func range(after prefix: IndexKey, _ type: AttributeType) -> IndexRange {
        switch self {
        case .values: return IndexRange(prefix: prefix)
        case .prefix(let text):
            var key = prefix
            key.appendPrefix(text)
            return IndexRange(prefix: key)
        case .range(let bounds): return bounds.range(after: prefix, type)
        }
    }
}

extension Restriction.Bounds {
    fileprivate func range(after prefix: IndexKey, _ type: AttributeType) -> IndexRange {
        let isFloating = type == .double || type == .float || type == .date
        // NaN has keys beyond both infinities and satisfies no range.
        let least = lower ?? (isFloating ? .double(-.infinity) : nil)
        let most = upper ?? (isFloating ? .double(.infinity) : nil)
        var anyValue = prefix
        anyValue.appendPrefix("")
        var range = IndexRange(prefix: anyValue)
        if let least {
            var key = prefix
            key.append(least)
            range.lower =
                includesLower || key.isTruncated
                ? Array(key.storedBytes) : key.upperBound ?? Array(key.storedBytes)
        }
        if let most {
            var key = prefix
            key.append(most)
            range.upper =
                includesUpper || key.isTruncated ? key.upperBound : Array(key.storedBytes)
        }
        return range
    }
}
