// SPDX-License-Identifier: Apache-2.0

import Schema

/// Reads what ``ByteWriter`` wrote; every length is checked, so damaged bytes throw.
public struct ByteReader {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position = 0

    /// Starts at the first byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes were read.
    public var isAtEnd: Bool { position == bytes.count }

    /// Throws unless all bytes were read; `what` names the structure.
    public func expectEnd(of what: String) throws(RecordFormatError) {
        guard isAtEnd else {
            throw RecordFormatError(
                .trailingBytes, "\(bytes.count - position) bytes follow the end of \(what)")
        }
    }

    @inlinable
    mutating func take(_ count: Int) throws(RecordFormatError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw truncation(count) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    @usableFromInline
    func truncation(_ count: Int) -> RecordFormatError {
        RecordFormatError(
            .truncated,
            "\(count) bytes expected at offset \(position), \(bytes.count - position) left")
    }

    // Inlinable, as a generic function called from another module works through witness tables.
    /// Reads an integer.
    @inlinable
    public mutating func read<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(RecordFormatError) -> Number {
        var number: Number = 0
        for byte in try take(Number.bitWidth / 8).reversed() {
            number = number << 8 | Number(truncatingIfNeeded: byte)
        }
        return number
    }

    /// Reads what ``ByteWriter/writeVarint(_:)`` wrote.
    public mutating func readVarint() throws(RecordFormatError) -> UInt64 {
        var number: UInt64 = 0
        for shift: UInt64 in stride(from: 0, to: 70, by: 7) {
            let byte = try read(UInt8.self)
            guard shift < 63 || byte <= 1 else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw RecordFormatError(
            .unknownNumber, "the number that ends at offset \(position) has more than 64 bits")
    }

    /// Reads the bytes that are left.
    public mutating func readRest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    /// Reads a flag; any byte but 0 is true.
    public mutating func readFlag() throws(RecordFormatError) -> Bool {
        try read(UInt8.self) != 0
    }

    /// Reads counted bytes.
    public mutating func readData() throws(RecordFormatError) -> [UInt8] {
        Array(try take(Int(try read(UInt32.self))))
    }

    /// Reads counted UTF-8.
    public mutating func readText() throws(RecordFormatError) -> String {
        let start = position
        guard let text = String(validating: try readData(), as: UTF8.self) else {
            throw RecordFormatError(.badText, "the text at offset \(start) is not UTF-8")
        }
        return text
    }

    /// Reads optional text.
    public mutating func readOptionalText() throws(RecordFormatError) -> String? {
        try readFlag() ? try readText() : nil
    }

    /// Reads a count that announces elements of at least one byte each.
    public mutating func readCount() throws(RecordFormatError) -> Int {
        let count = Int(try read(UInt32.self))
        guard count <= bytes.count - position else {
            throw RecordFormatError(
                .truncated, "\(count) elements announced, \(bytes.count - position) bytes left")
        }
        return count
    }

    /// Reads a value.
    public mutating func readValue() throws(RecordFormatError) -> Value {
        let number = try read(UInt16.self)
        if number == 0 { return .null }
        guard let type = AttributeType(rawValue: number) else {
            throw RecordFormatError(.unknownNumber, "\(number) is no attribute type")
        }
        switch type {
        case .integer16: return .integer16(try read())
        case .integer32: return .integer32(try read())
        case .integer64: return .integer64(try read())
        case .decimal:
            return .decimal(
                DecimalValue(
                    significand: try read(), exponent: try read(), isNegative: try readFlag()))
        case .double: return .double(Double(bitPattern: try read()))
        case .float: return .float(Float(bitPattern: try read()))
        case .string: return .string(try readText())
        case .boolean: return .boolean(try readFlag())
        case .date: return .date(Double(bitPattern: try read()))
        case .binaryData: return .binaryData(try readData())
        case .uuid: return .uuid(UUIDValue(high: try read(), low: try read()))
        case .uri: return .uri(try readText())
        case .transformable: return .transformable(try readData())
        case .objectID: return .objectID(ObjectKey(rawValue: try read()))
        }
    }
}
