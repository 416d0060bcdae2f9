// SPDX-License-Identifier: Apache-2.0

import Schema

/// Order-preserving bytes: comparing two keys byte by byte orders them as their values order.
///
/// A value is made of ``OrderedBytes``: a tag, 0 for null and 1 for a value, so null sorts first.
/// Variable-length values escape zero bytes and end with two zeros, so that one value of a compound
/// key never runs into the next. Values of a descending element have their bytes complemented: as
/// no value's bytes begin another's, that reverses their order. A key longer than
/// ``maximumByteCount`` is cut; only their records distinguish entries with equal cut keys.
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

    /// Makes a key of an index's values.
    public init(_ values: [Value], of index: Index) {
        for (place, value) in values.enumerated() {
            append(value, isDescending: index.isDescending(place))
        }
    }

    /// Whether values were cut off, so that only the record has all of them.
    public var isTruncated: Bool { bytes.count > IndexKey.maximumByteCount }

    /// The bytes as they are written to disk.
    public var storedBytes: ArraySlice<UInt8> { bytes.prefix(IndexKey.maximumByteCount) }

    /// Forgets all values, keeping the memory.
    public mutating func removeAll() {
        // Not `removeAll(keepingCapacity:)`, which puts an empty collection in their place.
        bytes.removeLast(bytes.count)
    }

    /// Appends a value in the direction of its element.
    public mutating func append(_ value: Value, isDescending: Bool) {
        let start = bytes.count
        append(value)
        if isDescending { complement(from: start) }
    }

    /// Appends a value of an ascending element.
    public mutating func append(_ value: Value) {
        guard !value.isNull else { return bytes.append(OrderedBytes.null) }
        bytes.append(OrderedBytes.value)
        switch value {
        case .null: break
        case .integer16(let number): append(Int64(number))
        case .integer32(let number): append(Int64(number))
        case .integer64(let number): append(number)
        case .double(let number), .date(let number): append(number)
        case .float(let number): append(Double(number))
        case .boolean(let flag): bytes.append(flag ? 1 : 0)
        case .uuid(let uuid):
            append(uuid.high)
            append(uuid.low)
        case .objectID(let key): append(key.rawValue)
        case .decimal(let number): append(number)
        case .string(let text), .uri(let text): append(text.utf8)
        case .binaryData(let data), .transformable(let data): append(data)
        }
    }

    /// Appends the start of a string without its end: the prefix of all strings that begin so.
    public mutating func appendPrefix(_ text: String, isDescending: Bool = false) {
        let start = bytes.count
        bytes.append(OrderedBytes.value)
        OrderedBytes.append(text.utf8, to: &bytes)
        if isDescending { complement(from: start) }
    }

    /// The least byte string that sorts after every key that begins with this one; `nil` if none.
    public var upperBound: [UInt8]? { IndexKey.successor(of: storedBytes) }

    /// The same of the whole key.
    public var successor: [UInt8]? { IndexKey.successor(of: bytes[...]) }

    /// The least byte string that sorts after every one that begins with some bytes; `nil` if none.
    public static func successor(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var bound = Array(bytes)
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
    private mutating func append(_ bits: UInt64) { OrderedBytes.append(bits, to: &bytes) }

    private mutating func append(_ number: Int64) { append(OrderedBytes.bits(number)) }

    private mutating func append(_ number: Double) { append(OrderedBytes.bits(number)) }

    /// Sign, position of the leading digit, digits; all but the sign inverted below zero.
    private mutating func append(_ number: DecimalValue) {
        guard number.significand != 0 else { return bytes.append(0x80) }
        bytes.append(number.isNegative ? 0x40 : 0xC0)
        let start = bytes.count
        append(Int64(number.magnitude))
        for digit in number.digits { bytes.append(digit + 1) }
        bytes.append(0)
        if number.isNegative { complement(from: start) }
    }

    private mutating func complement(from start: Int) {
        for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    }

    private mutating func append(_ content: some Sequence<UInt8>) {
        OrderedBytes.append(content, to: &bytes)
        OrderedBytes.end(&bytes)
    }
}
