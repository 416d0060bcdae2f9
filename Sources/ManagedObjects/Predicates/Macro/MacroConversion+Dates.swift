// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension MacroConversion {
    /// The name that formats have for what a key path reads of a date; nil for other key paths.
    static func dateKey(of path: AnyKeyPath) -> String? {
        switch path {
        case \Date.timeIntervalSinceReferenceDate: secondsKey
        case \Date.timeIntervalSince1970: "timeIntervalSince1970"
        default: nil
        }
    }

    fileprivate static let secondsKey = "timeIntervalSinceReferenceDate"
}

extension PredicateTree {
    /// A comparison of two values, that of a date's seconds with a number as one of the date.
    ///
    /// Indexes know dates. Not so for the seconds since 1970: they are rounded, so that several
    /// dates have the same.
    static func relation(
        _ left: Predicates.Expression, _ operation: Operator, _ right: Predicates.Expression
    ) -> PredicateTree {
        if let date = left.dateOfSeconds, let other = right.dateOfNumber {
            return .comparison(date, operation, other)
        }
        if let date = right.dateOfSeconds, let other = left.dateOfNumber {
            return .comparison(other, operation, date)
        }
        return .comparison(left, operation, right)
    }
}

extension Predicates.Expression {
    /// The date whose seconds this is.
    fileprivate var dateOfSeconds: Predicates.Expression? {
        switch self {
        case .keyPath(let keys) where keys.count > 1 && keys.last == MacroConversion.secondsKey:
            .keyPath(Array(keys.dropLast()))
        case .member(let base, let keys) where keys.last == MacroConversion.secondsKey:
            .path(Array(keys.dropLast()), of: base)
        default: nil
        }
    }

    /// The date that is so many seconds after 2001.
    fileprivate var dateOfNumber: Predicates.Expression? {
        guard case .constant(.value(.double(let seconds))) = self, seconds.isFinite else {
            return nil
        }
        return .constant(.value(.date(seconds)))
    }
}
