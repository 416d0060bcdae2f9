// SPDX-License-Identifier: Apache-2.0

import Schema

/// What kind of number a text is, by JSON's grammar for numbers.
///
/// Text with leading zeros or a plus sign is none: `007` and `+49 30` are names, not amounts.
package enum Numeral: Equatable {
    /// A whole number that fits 64 bits.
    case integer(Int64)
    /// A whole number that does not.
    case bigInteger
    /// A number with a fraction or an exponent.
    case fraction

    /// Classifies text; `nil` when it is no number.
    package init?(_ text: ArraySlice<UInt8>) {
        self.init(text.span)
    }

    // Of a span, as looks at a slice count references to its array.
    private init?(_ text: Span<UInt8>) {
        var index = 0
        let end = text.count
        let isNegative = end > 0 && text[0] == 0x2D
        if isNegative { index += 1 }
        let first = index
        var magnitude: UInt64 = 0
        var overflows = false
        while index < end, 0x30...0x39 ~= text[index] {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(text[index] - 0x30))
            overflows = overflows || overflow || carry
            magnitude = sum
            index += 1
        }
        if index == first || index - first > 1 && text[first] == 0x30 { return nil }
        if index == end {
            if !overflows, let value = Int64(magnitude, isNegative: isNegative) {
                self = .integer(value)
            } else {
                self = .bigInteger
            }
            return
        }
        guard Self.isTail(text, from: index) else { return nil }
        self = .fraction
    }

    /// Whether the rest of a text is a fraction, an exponent, or both.
    private static func isTail(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        let end = text.count
        if index < end, text[index] == 0x2E {
            index += 1
            guard skipDigits(text, &index) else { return false }
        }
        if index < end, text[index] | 0x20 == 0x65 {
            index += 1
            if index < end, text[index] == 0x2B || text[index] == 0x2D { index += 1 }
            guard skipDigits(text, &index) else { return false }
        }
        return index == end
    }

    /// Steps over digits; false where there is none.
    private static func skipDigits(
        _ text: Span<UInt8>, _ index: inout Int
    ) -> Bool {
        let start = index
        while index < text.count, 0x30...0x39 ~= text[index] { index += 1 }
        return index > start
    }
}

extension Numeral {
    /// The nearest double of text that is a number; `nil` when it is beyond a double's range.
    package static func double(_ text: ArraySlice<UInt8>) -> Double? {
        if let exact = exactDouble(text) { return exact }
        let value = Double(String(decoding: text, as: UTF8.self))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Short decimals without exponent: digits and power of ten are exact doubles, so that one
    /// division rounds correctly.
    private static func exactDouble(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= 16 else { return nil }
        var digits: Int64 = 0
        var scale: Int64 = 1
        var sawPoint = false
        var rest = text
        let isNegative = rest.first == 0x2D
        if isNegative { rest = rest.dropFirst() }
        for byte in rest {
            if byte == 0x2E {
                sawPoint = true
            } else if 0x30...0x39 ~= byte {
                digits = digits * 10 + Int64(byte - 0x30)
                if sawPoint { scale *= 10 }
            } else {
                return nil
            }
        }
        guard digits < 1 << 53 else { return nil }
        let magnitude = Double(digits) / Double(scale)
        return isNegative ? -magnitude : magnitude
    }

    /// The decimal of text that is a number; `nil` for more than 38 digits or a huge exponent.
    package static func decimal(_ text: ArraySlice<UInt8>) -> DecimalValue? {
        if let mark = text.firstIndex(where: { $0 | 0x20 == 0x65 }), text.endIndex - mark > 7 {
            return nil
        }
        return DecimalValue(String(decoding: text, as: UTF8.self))
    }
}
