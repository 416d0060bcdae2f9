// SPDX-License-Identifier: Apache-2.0

/// The bytes of values; `FileFormat.md` describes them under "Contents".
///
/// Each ``ContentNode`` has one form only, so two are the same if their bytes are, and the other
/// way round. (Their `==` takes texts for equal that differ in their Unicode scalars, and 0 and
/// -0.)
package enum ContentBytes {
    /// How deep values may lie within each other.
    package static let greatestDepth = 128
    /// The most bytes of a value.
    package static let greatestCount = 16 << 20

    enum Tag {
        static let null: UInt8 = 0
        static let no: UInt8 = 1
        static let yes: UInt8 = 2
        static let integer: UInt8 = 3
        static let largeInteger: UInt8 = 4
        static let float: UInt8 = 5
        static let double: UInt8 = 6
        static let text: UInt8 = 7
        static let list: UInt8 = 8
        static let fields: UInt8 = 9
        static let reference: UInt8 = 10
    }

    /// The bytes of a value.
    package static func make(_ node: ContentNode) -> [UInt8] {
        var bytes: [UInt8] = []
        append(node, to: &bytes)
        return bytes
    }

    private static func append(_ node: ContentNode, to bytes: inout [UInt8]) {
        switch node {
        case .null: bytes.append(Tag.null)
        case .boolean(let value): bytes.append(value ? Tag.yes : Tag.no)
        case .integer(let value):
            bytes.append(Tag.integer)
            append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
        case .largeInteger(let value):
            bytes.append(Tag.largeInteger)
            append(value, to: &bytes)
        case .float(let value):
            bytes.append(Tag.float)
            append(UInt64(value.bitPattern), byteCount: 4, to: &bytes)
        case .double(let value):
            bytes.append(Tag.double)
            append(value.bitPattern, byteCount: 8, to: &bytes)
        case .text(let text):
            bytes.append(Tag.text)
            append(text, to: &bytes)
        case .list(let values):
            bytes.append(Tag.list)
            append(UInt64(values.count), to: &bytes)
            for value in values { append(value, to: &bytes) }
        case .fields(let fields):
            bytes.append(Tag.fields)
            append(UInt64(fields.count), to: &bytes)
            for field in fields {
                append(field.name, to: &bytes)
                append(field.value, to: &bytes)
            }
        case .reference(let number):
            bytes.append(Tag.reference)
            append(number, byteCount: 8, to: &bytes)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    private static func append(_ number: UInt64, byteCount: Int, to bytes: inout [UInt8]) {
        for byte in 0..<byteCount {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(byte * 8)))
        }
    }

    /// Writes a number in groups of seven bits, lowest first.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The value of bytes.
    ///
    /// - Throws: ``ContentDamage`` for bytes that no writer makes, whatever they are.
    package static func read(_ bytes: [UInt8]) throws(ContentDamage) -> ContentNode {
        guard bytes.count <= greatestCount else {
            throw ContentDamage("\(bytes.count) bytes, and a value has at most \(greatestCount)")
        }
        var reader = ContentReader(bytes)
        let node = try reader.readNode(0)
        guard reader.isAtEnd else { throw ContentDamage("there are bytes behind the end") }
        return node
    }
}

/// Why bytes are no value.
package struct ContentDamage: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
}
