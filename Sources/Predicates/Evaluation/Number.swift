// SPDX-License-Identifier: Apache-2.0

import Schema

/// A value of any numeric type, without its width.
enum Number {
    case integer(Int64)
    case double(Double)
    case decimal(DecimalValue)

    /// The number of a value; booleans count as 0 and 1, other types are no numbers.
    init?(_ value: Value) {
        switch value {
        case .integer16(let value): self = .integer(Int64(value))
        case .integer32(let value): self = .integer(Int64(value))
        case .integer64(let value): self = .integer(value)
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .double(let value): self = .double(value)
        case .float(let value): self = .double(Double(value))
        case .decimal(let value): self = .decimal(value)
        default: return nil
        }
    }

    var value: Value {
        switch self {
        case .integer(let value): .integer64(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        }
    }

    var doubleValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        }
    }

    /// Compares by value: exactly, but a decimal with a double as doubles; `nil` for NaN.
    func compare(_ other: Number) -> Ordering? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): Ordering(a, b)
        case (.integer(let a), .double(let b)): Number.compare(a, b)
        case (.double(let a), .integer(let b)): Number.compare(b, a)?.reversed
        case (.decimal(let a), .decimal(let b)): Ordering(a, b)
        case (.decimal(let a), .integer(let b)): Ordering(a, DecimalValue(b))
        case (.integer(let a), .decimal(let b)): Ordering(DecimalValue(a), b)
        default: Number.compare(doubleValue, other.doubleValue)
        }
    }

    private static func compare(_ left: Double, _ right: Double) -> Ordering? {
        left.isNaN || right.isNaN ? nil : Ordering(left, right)
    }

    private static func compare(_ left: Int64, _ right: Double) -> Ordering? {
        if right.isNaN { return nil }
        if right >= 0x1p63 { return .ascending }
        if right < -0x1p63 { return .descending }
        let whole = right.rounded(.towardZero)
        let ordering = Ordering(left, Int64(whole))
        return ordering == .same ? Ordering(whole, right) : ordering
    }
}

extension DecimalValue {
    /// Makes a whole number.
    public init(_ value: Int64) {
        self.init(
            significand: UInt128(value.magnitude), exponent: 0, isNegative: value < 0)
    }

    /// The nearest double.
    var doubleValue: Double {
        let sign = isNegative ? "-" : ""
        return Double("\(sign)\(significand)e\(exponent)") ?? .nan
    }

    /// The number as an integer where it is one and fits.
    var exactInteger: Int64? {
        guard exponent >= 0, magnitude <= 19 else { return significand == 0 ? 0 : nil }
        var result = significand
        for _ in 0..<exponent { result *= 10 }
        if isNegative, result == UInt128(Int64.min.magnitude) { return .min }
        guard let positive = Int64(exactly: result) else { return nil }
        return isNegative ? -positive : positive
    }
}
