// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads the number that comes next, by the grammar of RFC 8259.
    ///
    /// A whole number that fits 64 bits leaves nothing in `sink`; any other leaves its text.
    mutating func readNumber(into sink: inout [UInt8]) throws(ImportError) -> RowValue {
        let start = sink.count
        let isNegative = try bytes.peek() == 0x2D
        if isNegative { take(0x2D, into: &sink) }
        let magnitude = try readIntegerPart(into: &sink)
        var isWhole = true
        if try bytes.peek() == 0x2E {
            isWhole = false
            take(0x2E, into: &sink)
            try readDigits(into: &sink, after: "the decimal point")
        }
        if let byte = try bytes.peek(), byte | 0x20 == 0x65 {
            isWhole = false
            take(byte, into: &sink)
            if let sign = try bytes.peek(), sign == 0x2B || sign == 0x2D {
                take(sign, into: &sink)
            }
            try readDigits(into: &sink, after: "the exponent's mark")
        }
        try checkSize(sink)
        if isWhole, let magnitude, let value = Int64(magnitude, isNegative: isNegative) {
            sink.removeLast(sink.count - start)
            return .integer(value)
        }
        return .number(start..<sink.count)
    }

    /// Reads the digits before the point; `nil` when they do not fit 64 bits.
    private mutating func readIntegerPart(
        into sink: inout [UInt8]
    ) throws(ImportError) -> UInt64? {
        guard let first = try bytes.peek(), 0x30...0x39 ~= first else {
            throw try unexpected("a digit")
        }
        take(first, into: &sink)
        var value = UInt64(first - 0x30)
        var overflows = false
        while let byte = try bytes.peek(), 0x30...0x39 ~= byte {
            if first == 0x30 {
                throw bytes.malformed("a number must not start with zeros; quote it as text")
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(byte - 0x30))
            overflows = overflows || overflow || carry
            value = sum
            take(byte, into: &sink)
            try checkSize(sink)
        }
        return overflows ? nil : value
    }

    private mutating func readDigits(
        into sink: inout [UInt8], after place: StaticString
    ) throws(ImportError) {
        guard let first = try bytes.peek(), 0x30...0x39 ~= first else {
            let found = try bytes.describeNext()
            throw bytes.malformed("expected a digit after \(place), found \(found)")
        }
        while let byte = try bytes.peek(), 0x30...0x39 ~= byte {
            take(byte, into: &sink)
            try checkSize(sink)
        }
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8, into sink: inout [UInt8]) {
        sink.append(byte)
        bytes.advance()
    }
}

extension Int64 {
    /// The number of a sign and a magnitude, `nil` when it does not fit.
    init?(_ magnitude: UInt64, isNegative: Bool) {
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            self = Int64(truncatingIfNeeded: 0 &- magnitude)
        } else {
            guard magnitude <= UInt64(Int64.max) else { return nil }
            self = Int64(magnitude)
        }
    }
}
