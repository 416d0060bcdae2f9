// SPDX-License-Identifier: Apache-2.0

/// A base-10 number: `significand × 10^exponent`, negative or not.
///
/// Values are kept normalised: the significand has no trailing decimal zeros, and zero has
/// exponent 0 and no sign. Equal numbers therefore have equal fields.
public struct DecimalValue: Sendable, Hashable {
    /// The digits, without trailing zeros.
    public let significand: UInt128
    /// The power of ten.
    public let exponent: Int16
    /// Whether the number is below zero.
    public let isNegative: Bool

    /// Makes a number and normalises it.
    public init(significand: UInt128, exponent: Int16, isNegative: Bool) {
        var power = exponent
        // Nearly all numbers fit 64 bits, whose divisions take a tenth of the time.
        let digits =
            if let small = UInt64(exactly: significand) {
                UInt128(Self.digits(of: small, &power))
            } else {
                Self.digits(of: significand, &power)
            }
        self.significand = digits
        self.exponent = digits == 0 ? 0 : power
        self.isNegative = isNegative && digits != 0
    }

    /// The digits without the zeros at their end, which go to the power of ten.
    private static func digits<Digits: FixedWidthInteger>(
        of significand: Digits, _ power: inout Int16
    ) -> Digits {
        var digits = significand
        while digits != 0, power < .max {
            let (rest, last) = digits.quotientAndRemainder(dividingBy: 10)
            guard last == 0 else { break }
            digits = rest
            power += 1
        }
        return digits
    }
}

extension DecimalValue: Comparable {
    /// Orders by numeric value.
    public static func < (left: DecimalValue, right: DecimalValue) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        let smaller = left.isNegative ? right : left
        let larger = left.isNegative ? left : right
        return smaller.magnitudeIsLess(than: larger)
    }

    /// The position of the leading digit: the number lies in [10^(m−1), 10^m).
    public var magnitude: Int {
        significand == 0 ? Int.min : digitCount + Int(exponent)
    }

    /// The count of decimal digits of the significand; 0 for zero.
    public var digitCount: Int {
        var count = 0
        var rest = significand
        while rest != 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// The significand's digits from the left, each 0…9.
    public var digits: [UInt8] {
        var result: [UInt8] = []
        var rest = significand
        while rest != 0 {
            result.append(UInt8(rest % 10))
            rest /= 10
        }
        return result.reversed()
    }

    private func magnitudeIsLess(than other: DecimalValue) -> Bool {
        if magnitude != other.magnitude { return magnitude < other.magnitude }
        // Of as many digits in all, so the one of the greater exponent gets the other's; one that
        // does not fit then is the greater.
        let gap = Int(exponent) - Int(other.exponent)
        if gap >= 0 {
            return shifted(by: gap).map { $0 < other.significand } ?? false
        }
        return other.shifted(by: -gap).map { significand < $0 } ?? true
    }

    /// The significand with zeros behind it; nil where it does not fit.
    private func shifted(by places: Int) -> UInt128? {
        var result = significand
        for _ in 0..<places {
            let (product, overflows) = result.multipliedReportingOverflow(by: 10)
            if overflows { return nil }
            result = product
        }
        return result
    }
}

extension DecimalValue: CustomStringConvertible {
    /// Plain decimal text, without an exponent.
    public var description: String {
        let sign = isNegative ? "-" : ""
        if exponent >= 0 {
            return sign + String(significand) + String(repeating: "0", count: Int(exponent))
        }
        let text = String(significand)
        let places = -Int(exponent)
        let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
        return sign + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// Reads decimal text with an optional sign, point and exponent; `nil` for anything else or
    /// for digits that do not fit 128 bits, as 38 always do.
    public init?(_ text: String) {
        var scanner = Array(text.utf8)[...]
        var negative = false
        if let first = scanner.first, first == 0x2D || first == 0x2B {
            negative = first == 0x2D
            scanner.removeFirst()
        }
        var significand: UInt128 = 0
        var exponent = 0
        var sawDigit = false
        var sawPoint = false
        while let byte = scanner.first {
            if byte == 0x2E, !sawPoint {
                sawPoint = true
            } else if (0x30...0x39).contains(byte) {
                let (product, isTooLarge) = significand.multipliedReportingOverflow(by: 10)
                let (sum, overflows) = product.addingReportingOverflow(UInt128(byte - 0x30))
                if isTooLarge || overflows { return nil }
                significand = sum
                sawDigit = true
                if sawPoint { exponent -= 1 }
            } else {
                break
            }
            scanner.removeFirst()
        }
        guard sawDigit else { return nil }
        if let byte = scanner.first {
            guard byte == 0x65 || byte == 0x45,
                let power = Int(String(decoding: scanner.dropFirst(), as: UTF8.self))
            else { return nil }
            let (sum, overflow) = exponent.addingReportingOverflow(power)
            guard !overflow else { return nil }
            exponent = sum
        }
        guard let power = Int16(exactly: exponent) else { return nil }
        self.init(significand: significand, exponent: power, isNegative: negative)
    }
}
