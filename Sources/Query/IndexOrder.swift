// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// An index scan in the requested order, or in that of its leading criteria.
struct IndexOrder {
    let scan: IndexScan
    let isReversed: Bool
    /// Where rows that are equal in leading criteria still have to be sorted.
    let leading: LeadingOrder?

    /// - Returns: `nil` when the candidate does not come in this order.
    init?(_ candidate: Candidate, _ paths: [SortPath]) {
        guard case .index(let scan) = candidate.source else { return nil }
        self.init(scan, paths)
    }

    /// The whole of an index.
    init?(whole index: IndexTable, _ table: EntityTable, _ paths: [SortPath]) {
        self.init(IndexScan(whole: index, table), paths)
    }

    /// Where the index has further properties, rows that are equal in all criteria come in the
    /// order of these rather than of their keys; where it has fewer, in that of their keys.
    ///
    /// Several ranges ascend and are disjoint, so that one after the other has the order of the
    /// index as well.
    private init?(_ scan: IndexScan, _ paths: [SortPath]) {
        guard !scan.ranges.isEmpty, let last = paths.last else { return nil }
        // What is appended to a long lower bound could be cut.
        guard scan.ranges.allSatisfy({ $0.lower.count < 400 }) else { return nil }
        var match = IndexMatch(scan)
        let answered = paths.prefix { match.take($0) }.count
        // Behind the object itself nothing decides.
        let isWhole =
            answered == paths.count
            || (answered == paths.count - 1 && last.steps.isEmpty)
        let properties = scan.table.index.properties
        if isWhole, match.next == properties.count, match.next > 0 {
            leading = nil
        } else {
            guard match.next > scan.fixedCount, paths.allSatisfy(\.isOrderedByBytes) else {
                return nil
            }
            leading = LeadingOrder(criteriaCount: answered, propertyCount: match.next)
        }
        // Where all properties are fixed there is one key, read as its objects are wanted.
        isReversed = match.isReversed ?? !last.order.isAscending
        let first = match.next > scan.fixedCount ? properties[scan.fixedCount] : nil
        let isFloating = paths.contains { $0.property == first && $0.isFloating }
        self.scan = isFloating ? scan.withNaNFirst() : scan
    }
}

/// How far the properties of an index go along with an order.
private struct IndexMatch {
    private let scan: IndexScan
    private let fixed: Set<String>
    /// The property that the next criterion has to be about.
    private(set) var next: Int
    private(set) var isReversed: Bool?

    init(_ scan: IndexScan) {
        self.scan = scan
        fixed = Set(scan.table.index.properties.prefix(scan.fixedCount))
        next = scan.fixedCount
    }

    /// Takes a criterion, if the index comes in its order where all before it are equal.
    mutating func take(_ path: SortPath) -> Bool {
        let index = scan.table.index
        guard path.steps.count == 1, let name = path.property, path.isOrderedLikeIndex else {
            return false
        }
        if fixed.contains(name) { return true }
        guard next < index.properties.count, index.properties[next] == name,
            path.type?.isBinary != true
        else { return false }
        // NaN lies at both ends of an index; only the leading criterion is put right.
        if path.isFloating, next != scan.fixedCount || scan.ranges.count > 1 { return false }
        let isAgainst = path.order.isAscending == index.isDescending(next)
        guard isReversed ?? isAgainst == isAgainst else { return false }
        isReversed = isAgainst
        next += 1
        return true
    }
}

extension SortPath {
    /// The only property of the path, `nil` for longer ones.
    fileprivate var property: String? { names.count == 1 ? names[0] : nil }

    fileprivate var isFloating: Bool { type == .double || type == .float || type == .date }

    fileprivate var isOrderedLikeIndex: Bool {
        order.collation == .binary || (type != .string && type != .uri)
    }
}

extension IndexScan {
    /// The same keys in the order of sorting, where NaN comes before all numbers.
    fileprivate func withNaNFirst() -> IndexScan {
        // Ranges of numbers have bounds and hold no NaN; a prefix or the whole may.
        let prefix = ranges[0].lower
        guard ranges[0].upper == IndexKey.successor(of: prefix[...]) else { return self }
        let isDescending = table.index.isDescending(fixedCount)
        func key(_ value: Value) -> [UInt8] {
            var key = IndexKey()
            key.append(value, isDescending: isDescending)
            return prefix + key.bytes
        }
        let low = key(.double(isDescending ? .infinity : -.infinity))
        let high = key(.double(isDescending ? -.infinity : .infinity))
        let numbers = Array(low.prefix(prefix.count + 1))
        let beyond = IndexKey.successor(of: numbers[...])
        let before = IndexRange(lower: prefix, upper: numbers)
        let behind = IndexRange(lower: beyond ?? numbers, upper: ranges[0].upper)
        let nans = [
            IndexRange(lower: numbers, upper: low),
            IndexRange(lower: IndexKey.successor(of: high[...]) ?? high, upper: beyond),
        ]
        let rest = IndexRange(lower: low, upper: IndexKey.successor(of: high[...]))
        var result = self
        // Null and NaN come before all numbers, so where great values come first, behind them.
        result.ranges = isDescending ? [rest] + nans + [behind] : [before] + nans + [rest]
        return result
    }
}
