// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// A rule for the values of an attribute, checked when an object is saved.
///
/// ```swift
/// age.validationRules = [.minimum(0), .maximum(150)]
/// code.validationRules = [.minimumLength(2), .pattern("[A-Z]+")]
/// ```
///
/// Nil satisfies every rule; `isOptional` says whether nil is allowed. The typed form of what a
/// model file calls minimum, maximum and regular expression.
public enum ValidationRule: Sendable, Hashable {
    /// A number is at least this; else the error is 1620.
    case minimum(Decimal)
    /// A number is at most this; else the error is 1610.
    case maximum(Decimal)
    /// A date is not before this one; else the error is 1640.
    case earliest(Date)
    /// A date is not after this one; else the error is 1630.
    case latest(Date)
    /// A string has at least so many UTF-16 units; else the error is 1670.
    case minimumLength(Int)
    /// A string has at most so many UTF-16 units; else the error is 1660.
    case maximumLength(Int)
    /// A whole string matches this regular expression; else the error is 1680.
    case pattern(String)
}

extension ValidationRule {
    /// The rule as a predicate on the value.
    public var predicate: NSPredicate {
        switch self {
        case .minimum(let number):
            NSPredicate(format: "SELF >= %@", NSDecimalNumber(decimal: number))
        case .maximum(let number):
            NSPredicate(format: "SELF <= %@", NSDecimalNumber(decimal: number))
        case .earliest(let date): NSPredicate(format: "SELF >= %@", date)
        case .latest(let date): NSPredicate(format: "SELF <= %@", date)
        case .minimumLength(let length): NSPredicate(format: "length >= %d", length)
        case .maximumLength(let length): NSPredicate(format: "length <= %d", length)
        case .pattern(let pattern): NSPredicate(format: "SELF MATCHES %@", pattern)
        }
    }

    /// The code of the error for a value that breaks the rule.
    public var code: CocoaError.Code {
        switch self {
        case .minimum: .validationNumberTooSmall
        case .maximum: .validationNumberTooLarge
        case .earliest: .validationDateTooSoon
        case .latest: .validationDateTooLate
        case .minimumLength: .validationStringTooShort
        case .maximumLength: .validationStringTooLong
        case .pattern: .validationStringPatternMatching
        }
    }

    /// Whether attributes of a type may have the rule.
    func applies(to type: AttributeType) -> Bool {
        switch self {
        case .minimum, .maximum: type.isNumber
        case .earliest, .latest: type == .date
        case .minimumLength, .maximumLength, .pattern: type == .string
        }
    }
}

extension AttributeType {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .decimal: true
        default: false
        }
    }
}
