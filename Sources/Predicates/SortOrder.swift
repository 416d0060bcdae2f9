// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// One criterion of a sort: a key path, a direction and how text is compared.
public struct SortOrder: Sendable, Hashable {
    /// How text is compared; other types ignore it.
    public enum Collation: UInt8, Sendable, Hashable, CaseIterable {
        /// By Unicode scalars, which is the order of the UTF-8 bytes (`compare:`).
        case binary = 0
        /// By scalars after case folding (`caseInsensitiveCompare:`).
        case caseInsensitive = 1
        /// By the current locale (`localizedCompare:`).
        case localized = 2
        /// By the current locale, without case (`localizedCaseInsensitiveCompare:`).
        case localizedCaseInsensitive = 3
        /// By the current locale as file managers sort, digits as numbers
        /// (`localizedStandardCompare:`).
        case localizedStandard = 4
    }

    /// The keys to the value that is compared; empty for the object itself.
    public var keyPath: [String]
    /// Whether small values come first.
    public var isAscending: Bool
    /// How text is compared.
    public var collation: Collation

    /// Makes a criterion; ascending and by scalars unless told otherwise.
    public init(keyPath: [String], isAscending: Bool = true, collation: Collation = .binary) {
        self.keyPath = keyPath
        self.isAscending = isAscending
        self.collation = collation
    }

    /// The ordering of two values under this criterion, its direction included.
    ///
    /// Nil is smaller than any value, NaN smaller than any other number. Values that predicates
    /// cannot compare are ordered by type: numbers, dates, text, UUIDs, object IDs, data, so
    /// that the order is total for every mix of values.
    public func compare(_ left: Value, _ right: Value) -> Ordering {
        let ordering = ascendingOrder(left, right)
        return isAscending ? ordering : ordering.reversed
    }

    private func ascendingOrder(_ left: Value, _ right: Value) -> Ordering {
        if collation != .binary, let a = left.text, let b = right.text {
            return collation.compare(a, b)
        }
        if let ordering = left.predicateCompare(right) { return ordering }
        return Ordering(left.sortRank, right.sortRank)
    }
}

extension SortOrder.Collation {
    /// The ordering of two texts.
    public func compare(_ left: String, _ right: String) -> Ordering {
        switch self {
        case .binary: Ordering(text: left, right)
        case .caseInsensitive:
            Ordering(
                text: TextFolding.fold(left, .caseInsensitive),
                TextFolding.fold(right, .caseInsensitive))
        case .localized: Ordering(localized: left, right)
        case .localizedCaseInsensitive: Ordering(localized: left, right, .caseInsensitive)
        case .localizedStandard:
            Ordering(
                localized: left, right,
                [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering])
        }
    }
}

extension Value {
    /// The place of values that cannot be compared with others.
    fileprivate var sortRank: Int {
        switch self {
        case .null: 0
        case .double(let value): value.isNaN ? 1 : 2
        case .float(let value): value.isNaN ? 1 : 2
        case .integer16, .integer32, .integer64, .decimal, .boolean: 2
        case .date(let value): value.isNaN ? 3 : 4
        case .string, .uri: 5
        case .uuid: 6
        case .objectID: 7
        case .binaryData: 8
        case .transformable: 9
        }
    }
}
