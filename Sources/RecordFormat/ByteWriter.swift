// SPDX-License-Identifier: Apache-2.0

import Schema

/// Appends little-endian integers and length-prefixed text: the catalog's encoding.
public struct ByteWriter {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer.
    public init() {}

    /// Makes an empty writer with room for some bytes.
    public init(reserving byteCount: Int) { bytes.reserveCapacity(byteCount) }

    /// Forgets what was written, and keeps the room for it.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends an integer, least significant byte first.
    public mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends an integer in groups of seven bits, the lowest first, each but the last with bit 7.
    public mutating func writeVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends UTF-8 without a count.
    public mutating func append(_ text: String) {
        // At once: an append of the view goes unit by unit.
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            bytes.append(contentsOf: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { bytes.append(contentsOf: text.utf8) }
    }

    /// Appends bytes as they are, without a count.
    public mutating func append(_ raw: [UInt8]) { bytes.append(contentsOf: raw) }

    /// Appends 1 or 0.
    public mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Appends a u32 count and the bytes.
    public mutating func write(_ data: [UInt8]) {
        write(UInt32(data.count))
        bytes.append(contentsOf: data)
    }

    /// Appends a u32 count and UTF-8.
    public mutating func write(_ text: String) { write(Array(text.utf8)) }

    /// Appends 0, or 1 and the text.
    public mutating func write(_ text: String?) {
        write(text != nil)
        if let text { write(text) }
    }

    /// Appends a value: its type (u16, 0 for null) and its payload.
    public mutating func write(_ value: Value) {
        write(value.type?.rawValue ?? UInt16(0))
        switch value {
        case .null: break
        case .integer16(let number): write(number)
        case .integer32(let number): write(number)
        case .integer64(let number): write(number)
        case .decimal(let number):
            write(number.significand)
            write(number.exponent)
            write(number.isNegative)
        case .double(let number), .date(let number): write(number.bitPattern)
        case .float(let number): write(number.bitPattern)
        case .string(let text), .uri(let text): write(text)
        case .boolean(let flag): write(flag)
        case .binaryData(let data), .transformable(let data): write(data)
        case .uuid(let uuid):
            write(uuid.high)
            write(uuid.low)
        case .objectID(let key): write(key.rawValue)
        }
    }
}
