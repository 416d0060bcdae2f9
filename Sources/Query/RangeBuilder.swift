// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Builds the key ranges of an index, property by property.
struct RangeBuilder {
    private var prefixes: [IndexKey] = [IndexKey()]
    private var tail: (choice: Choice, element: IndexElement)?

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

    mutating func append(_ choice: Choice, _ type: AttributeType, isDescending: Bool) {
        if case .values(let values) = choice.kind {
            let isFixed = fixedCount == depth && values.count == 1
            if values.count == 1 {
                for index in prefixes.indices {
                    prefixes[index].append(values[0], isDescending: isDescending)
                }
            } else {
                prefixes = prefixes.flatMap { prefix in
                    values.map { value in
                        var key = prefix
                        key.append(value, isDescending: isDescending)
                        return key
                    }
                }
            }
            if isFixed { fixedCount += 1 }
        } else {
            tail = (choice, IndexElement(type: type, isDescending: isDescending))
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
            return tail.choice.kind.range(after: prefix, tail.element)
        }
        if ranges.count < 2 { return ranges }
        return Array(Set(ranges)).sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    }

    private mutating func noteCuts() {
        for prefix in prefixes {
            if prefix.isTruncated { isExact = false }
            guard let tail else { continue }
            for key in tail.choice.kind.boundKeys(after: prefix, tail.element)
            where key.isTruncated {
                isExact = false
            }
        }
    }
}

/// The element of an index that has a range.
private struct IndexElement {
    let type: AttributeType
    let isDescending: Bool

    func key(_ prefix: IndexKey, _ value: Value) -> IndexKey {
        var key = prefix
        key.append(value, isDescending: isDescending)
        return key
    }

    /// The start of all texts that begin with one; of all values but null for an empty one.
    func key(_ prefix: IndexKey, startOf text: String) -> IndexKey {
        var key = prefix
        key.appendPrefix(text, isDescending: isDescending)
        return key
    }
}

extension Restriction.Kind {
    /// The keys of the bounds.
    fileprivate func boundKeys(
        after prefix: IndexKey, _ element: IndexElement
    ) -> [IndexKey] {
        switch self {
        case .values: return []
        case .range(let bounds):
            return [bounds.lower, bounds.upper].compactMap(\.self).map {
                element.key(prefix, $0)
            }
        case .prefix(let text): return [element.key(prefix, startOf: text)]
        }
    }

    /// The keys behind a prefix that satisfy.
    fileprivate func range(after prefix: IndexKey, _ element: IndexElement) -> IndexRange {
        switch self {
        case .values: IndexRange(prefix: prefix)
        case .prefix(let text): IndexRange(prefix: element.key(prefix, startOf: text))
        case .range(let bounds): bounds.range(after: prefix, element)
        }
    }
}

extension Restriction.Bounds {
    fileprivate func range(after prefix: IndexKey, _ element: IndexElement) -> IndexRange {
        let isFloating =
            element.type == .double || element.type == .float || element.type == .date
        // NaN has keys beyond both infinities and satisfies no range.
        let least = (lower ?? (isFloating ? .double(-.infinity) : nil)).map {
            (key: element.key(prefix, $0), isIncluded: includesLower)
        }
        let most = (upper ?? (isFloating ? .double(.infinity) : nil)).map {
            (key: element.key(prefix, $0), isIncluded: includesUpper)
        }
        var range = IndexRange(prefix: element.key(prefix, startOf: ""))
        // Where great values come first, the upper bound is where the range begins.
        if let first = element.isDescending ? most : least {
            let key = Array(first.key.storedBytes)
            range.lower =
                first.isIncluded || first.key.isTruncated ? key : first.key.upperBound ?? key
        }
        if let last = element.isDescending ? least : most {
            range.upper =
                last.isIncluded || last.key.isTruncated
                ? last.key.upperBound : Array(last.key.storedBytes)
        }
        return range
    }
}
