// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Integers stay integers where the result fits, decimals stay decimals where it is exact;
/// everything else becomes a double.
extension Number {
    func adding(_ other: Number) -> Number {
        if case .integer(let a) = self, case .integer(let b) = other {
            let (sum, overflow) = a.addingReportingOverflow(b)
            if !overflow { return .integer(sum) }
        } else if let (a, b) = decimals(other), let sum = a.adding(b) {
            return .decimal(sum)
        }
        return .double(doubleValue + other.doubleValue)
    }

    func subtracting(_ other: Number) -> Number {
        if case .integer(let a) = self, case .integer(let b) = other {
            let (difference, overflow) = a.subtractingReportingOverflow(b)
            if !overflow { return .integer(difference) }
        } else if let (a, b) = decimals(other), let difference = a.adding(b.negated) {
            return .decimal(difference)
        }
        return .double(doubleValue - other.doubleValue)
    }

    func multiplied(by other: Number) -> Number {
        if case .integer(let a) = self, case .integer(let b) = other {
            let (product, overflow) = a.multipliedReportingOverflow(by: b)
            if !overflow { return .integer(product) }
        } else if let (a, b) = decimals(other), let product = a.multiplied(by: b) {
            return .decimal(product)
        }
        return .double(doubleValue * other.doubleValue)
    }

    /// The quotient, without fraction for two integers; `nil` for an integer divided by zero.
    func divided(by other: Number) -> Number? {
        if case .integer(let a) = self, case .integer(let b) = other {
            if b == 0 { return nil }
            let (quotient, overflow) = a.dividedReportingOverflow(by: b)
            if !overflow { return .integer(quotient) }
        }
        return .double(doubleValue / other.doubleValue)
    }

    /// The remainder with the sign of the dividend; `nil` for an integer divided by zero.
    func remainder(dividingBy other: Number) -> Number? {
        if case .integer(let a) = self, case .integer(let b) = other {
            return b == 0 ? nil : .integer(a.remainderReportingOverflow(dividingBy: b).partialValue)
        }
        return .double(doubleValue.truncatingRemainder(dividingBy: other.doubleValue))
    }

    func raised(to other: Number) -> Number {
        .double(pow(doubleValue, other.doubleValue))
    }

    var absolute: Number {
        switch self {
        case .integer(let value): value == .min ? .double(0x1p63) : .integer(abs(value))
        case .double(let value): .double(abs(value))
        case .decimal(let value): .decimal(value.isNegative ? value.negated : value)
        }
    }

    func rounded(_ rule: FloatingPointRoundingRule) -> Number {
        if case .integer = self { self } else { .double(doubleValue.rounded(rule)) }
    }

    /// Both as decimals when one is a decimal and the other a decimal or an integer.
    private func decimals(_ other: Number) -> (DecimalValue, DecimalValue)? {
        switch (self, other) {
        case (.decimal(let a), .decimal(let b)): (a, b)
        case (.decimal(let a), .integer(let b)): (a, DecimalValue(b))
        case (.integer(let a), .decimal(let b)): (DecimalValue(a), b)
        default: nil
        }
    }
}

extension DecimalValue {
    var negated: DecimalValue {
        DecimalValue(significand: significand, exponent: exponent, isNegative: !isNegative)
    }

    /// The exact sum; `nil` where it needs too many digits.
    fileprivate func adding(_ other: DecimalValue) -> DecimalValue? {
        let power = min(exponent, other.exponent)
        guard let a = scaled(to: power), let b = other.scaled(to: power) else { return nil }
        if isNegative == other.isNegative {
            let (sum, overflow) = a.addingReportingOverflow(b)
            return overflow
                ? nil : DecimalValue(significand: sum, exponent: power, isNegative: isNegative)
        }
        return DecimalValue(
            significand: a > b ? a - b : b - a, exponent: power,
            isNegative: a > b ? isNegative : other.isNegative)
    }

    private func scaled(to power: Int16) -> UInt128? {
        if significand == 0 { return 0 }
        var result = significand
        for _ in 0..<min(Int(exponent) - Int(power), 40) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }

    /// The exact product; `nil` where it needs too many digits.
    fileprivate func multiplied(by other: DecimalValue) -> DecimalValue? {
        let (product, overflow) = significand.multipliedReportingOverflow(by: other.significand)
        guard !overflow, let power = Int16(exactly: Int(exponent) + Int(other.exponent)) else {
            return nil
        }
        return DecimalValue(
            significand: product, exponent: power, isNegative: isNegative != other.isNegative)
    }
}
