// SPDX-License-Identifier: Apache-2.0

import Schema

/// Order-preserving bytes: comparing two keys byte by byte orders them as their values order.
///
/// Each value begins with a tag, 0 for null and 1 for a value, so null sorts first. Variable-length
/// values escape zero bytes and end with two zeros, so that one value of a compound key never runs
/// into the next. A key longer than ``maximumByteCount`` is cut; only their records distinguish
/// entries with equal cut keys.
public struct IndexKey: Sendable, Hashable {
    /// The bytes.
    public private(set) var bytes: [UInt8] = []

    /// The longest key that LMDB 0.9 takes.
    public static let maximumByteCount = 511

    /// Makes an empty key: the prefix of every key.
    public init() {}

    /// Makes a key of values, most significant first.
    public init(_ values: [Value]) {
        for value in values { append(value) }
    }

    /// Whether values were cut off, so that only the record has all of them.
    public var isTruncated: Bool { bytes.count > IndexKey.maximumByteCount }

    /// The bytes as they are written to disk.
    public var storedBytes: ArraySlice<UInt8> { bytes.prefix(IndexKey.maximumByteCount) }

    /// Forgets all values, keeping the memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends a value.
    public mutating func append(_ value: Value) {
        guard !value.isNull else { return bytes.append(0) }
        bytes.append(1)
        switch value {
        case .null: break
        case .integer16(let number): appendSigned(Int64(number))
        case .integer32(let number): appendSigned(Int64(number))
        case .integer64(let number): appendSigned(number)
        case .double(let number), .date(let number): append(number)
        case .float(let number): append(Double(number))
        case .boolean(let flag): bytes.append(flag ? 1 : 0)
        case .uuid(let uuid):
            appendBigEndian(uuid.high)
            appendBigEndian(uuid.low)
        case .objectID(let key): appendBigEndian(key.rawValue)
        case .decimal(let number): append(number)
        case .string(let text), .uri(let text): appendEscaped(text.utf8)
        case .binaryData(let data), .transformable(let data): appendEscaped(data)
        }
    }

    /// Appends the start of a string without its end: the prefix of all strings that begin so.
    public mutating func appendPrefix(_ text: String) {
        bytes.append(1)
        for byte in text.utf8 { appendEscaped(byte) }
    }

    /// The least byte string that sorts after every key that begins with this one; `nil` if none.
    public var upperBound: [UInt8]? {
        var bound = Array(storedBytes)
        while let last = bound.popLast() {
            if last < 0xFF {
                bound.append(last + 1)
                return bound
            }
        }
        return nil
    }
}

extension IndexKey {
    private mutating func appendBigEndian(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func appendSigned(_ number: Int64) {
        appendBigEndian(UInt64(bitPattern: number) ^ (1 << 63))
    }

    private mutating func append(_ number: Double) {
        // -0.0 equals 0.0, so both must have one key.
        let bits = (number == 0 ? 0 : number).bitPattern
        appendBigEndian(bits >> 63 == 1 ? ~bits : bits | (1 << 63))
    }

    /// Sign, position of the leading digit, digits; all but the sign inverted below zero.
    private mutating func append(_ number: DecimalValue) {
        guard number.significand != 0 else { return bytes.append(0x80) }
        bytes.append(number.isNegative ? 0x40 : 0xC0)
        let start = bytes.count
        appendBigEndian(UInt64(bitPattern: Int64(number.magnitude)) ^ (1 << 63))
        for digit in number.digits { bytes.append(digit + 1) }
        bytes.append(0)
        if number.isNegative {
            for index in start..<bytes.count { bytes[index] = ~bytes[index] }
        }
    }

    private mutating func appendEscaped(_ content: some Sequence<UInt8>) {
        for byte in content { appendEscaped(byte) }
        bytes.append(0)
        bytes.append(0)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        bytes.append(byte)
        if byte == 0 { bytes.append(0xFF) }
    }
}
