// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of a value, which may be anything.
struct ContentReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func readNode(_ depth: Int) throws(ContentDamage) -> ContentNode {
        typealias Tag = ContentBytes.Tag
        guard depth <= ContentBytes.greatestDepth else {
            throw ContentDamage(
                "values lie more than \(ContentBytes.greatestDepth) deep within each other")
        }
        let tag = try readByte()
        switch tag {
        case Tag.null: return .null
        case Tag.no: return .boolean(false)
        case Tag.yes: return .boolean(true)
        case Tag.integer:
            let number = try readNumber()
            return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
        case Tag.largeInteger:
            let number = try readNumber()
            guard number > Int64.max else { throw ContentDamage("\(number) has the wrong tag") }
            return .largeInteger(number)
        case Tag.float:
            return .float(Float(bitPattern: UInt32(try readFixed(4))))
        case Tag.double: return .double(Double(bitPattern: try readFixed(8)))
        case Tag.text: return .text(try readText())
        case Tag.list: return .list(try readList(depth))
        case Tag.fields: return .fields(try readFields(depth))
        case Tag.reference: return .reference(try readFixed(8))
        default: throw ContentDamage("there is no tag \(tag)")
        }
    }

    private mutating func readList(_ depth: Int) throws(ContentDamage) -> [ContentNode] {
        let count = try readCount()
        var values: [ContentNode] = []
        // A wrong number may be as large as the rest of the bytes, in lists within lists.
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try readNode(depth + 1)) }
        return values
    }

    private mutating func readFields(_ depth: Int) throws(ContentDamage) -> [ContentNode.Field] {
        var fields: [ContentNode.Field] = []
        for _ in 0..<(try readCount()) {
            let name = try readText()
            if let last = fields.last, !last.name.utf8.lexicographicallyPrecedes(name.utf8) {
                throw ContentDamage("\(name) comes behind \(last.name)")
            }
            fields.append(ContentNode.Field(name, try readNode(depth + 1)))
        }
        return fields
    }

    private mutating func readByte() throws(ContentDamage) -> UInt8 {
        guard place < bytes.count else { throw ContentDamage("the bytes end too early") }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func readFixed(_ count: Int) throws(ContentDamage) -> UInt64 {
        var number: UInt64 = 0
        for byte in 0..<count { number |= UInt64(try readByte()) << UInt64(byte * 8) }
        return number
    }

    private mutating func readNumber() throws(ContentDamage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try readByte()
            // The last group has one bit, and a number ends with no group of zeros.
            guard shift < 63 || byte <= 1, byte != 0 || shift == 0 else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw ContentDamage("a number is not as writers make it")
    }

    private mutating func readCount() throws(ContentDamage) -> Int {
        let count = try readNumber()
        guard count <= UInt64(bytes.count - place) else {
            throw ContentDamage("the bytes end too early")
        }
        return Int(count)
    }

    private mutating func readText() throws(ContentDamage) -> String {
        let count = try readCount()
        defer { place += count }
        guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else {
            throw ContentDamage("a text is not UTF-8")
        }
        return text
    }
}
