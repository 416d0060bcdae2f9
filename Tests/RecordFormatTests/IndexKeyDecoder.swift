// SPDX-License-Identifier: Apache-2.0

import Schema

/// Reads index keys as `FileFormat.md` describes them; written from the document, not the code.
struct IndexKeyDecoder {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    /// The next value; nil for bytes that are no key of the type.
    mutating func next(_ type: AttributeType) -> Value? {
        guard let tag = bytes.popFirst() else { return nil }
        if tag == 0 { return .null }
        guard tag == 1 else { return nil }
        switch type {
        case .integer16: return integer().flatMap { Int16(exactly: $0) }.map { .integer16($0) }
        case .integer32: return integer().flatMap { Int32(exactly: $0) }.map { .integer32($0) }
        case .integer64: return integer().map { .integer64($0) }
        case .double: return double().map { .double($0) }
        case .float: return double().map { .float(Float($0)) }
        case .date: return double().map { .date($0) }
        case .boolean: return bytes.popFirst().map { .boolean($0 == 1) }
        case .uuid:
            guard let high = bigEndian(), let low = bigEndian() else { return nil }
            return .uuid(UUIDValue(high: high, low: low))
        case .objectID: return bigEndian().map { .objectID(ObjectKey(rawValue: $0)) }
        case .string: return escaped().map { .string(String(decoding: $0, as: UTF8.self)) }
        case .uri: return escaped().map { .uri(String(decoding: $0, as: UTF8.self)) }
        case .binaryData: return escaped().map { .binaryData($0) }
        case .transformable: return escaped().map { .transformable($0) }
        case .decimal: return decimal().map { .decimal($0) }
        }
    }

    private mutating func bigEndian() -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes.removeFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func integer() -> Int64? {
        bigEndian().map { Int64(bitPattern: $0 ^ 1 << 63) }
    }

    private mutating func double() -> Double? {
        bigEndian().map { Double(bitPattern: $0 >> 63 == 1 ? $0 ^ 1 << 63 : ~$0) }
    }

    private mutating func escaped() -> [UInt8]? {
        var content: [UInt8] = []
        while let byte = bytes.popFirst() {
            if byte == 0 {
                let next = bytes.popFirst()
                if next == 0 { return content }
                guard next == 0xFF else { return nil }
            }
            content.append(byte)
        }
        return nil
    }

    private mutating func decimal() -> DecimalValue? {
        guard let sign = bytes.popFirst() else { return nil }
        if sign == 0x80 { return DecimalValue(significand: 0, exponent: 0, isNegative: false) }
        let isNegative = sign == 0x40
        guard isNegative || sign == 0xC0, let biased = bigEndian() else { return nil }
        let magnitude = Int64(bitPattern: (isNegative ? ~biased : biased) ^ 1 << 63)
        var significand: UInt128 = 0
        var count: Int64 = 0
        while let byte = bytes.popFirst() {
            let digit = isNegative ? ~byte : byte
            if digit == 0 {
                return Int16(exactly: magnitude - count).map {
                    DecimalValue(significand: significand, exponent: $0, isNegative: isNegative)
                }
            }
            guard digit <= 10 else { return nil }
            significand = significand * 10 + UInt128(digit - 1)
            count += 1
        }
        return nil
    }
}
