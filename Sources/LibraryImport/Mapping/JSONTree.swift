// SPDX-License-Identifier: Apache-2.0

/// A whole JSON document in memory, with the place of each value; for small files only.
struct JSONTree {
    /// A value's content.
    indirect enum Content {
        case null
        case boolean(Bool)
        case number
        case string(String)
        case array([JSONTree])
        case object([(key: String, value: JSONTree)])
    }

    let content: Content
    let place: ByteStream.Mark

    /// Reads a document.
    /// - Throws: ``ImportError/Code/malformed``, ``ImportError/Code/cannotOpen``.
    static func read(_ input: ByteInput) throws(ImportError) -> JSONTree {
        var scanner = JSONScanner(input, options: ReaderOptions())
        try scanner.bytes.skipByteOrderMark()
        let tree = try read(&scanner, depth: 1)
        if try scanner.peekToken() != nil {
            throw try scanner.unexpected("nothing more after the document")
        }
        return tree
    }

    /// The value in words, for errors.
    var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string(let text): "\"\(text)\""
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(ImportError) -> JSONTree {
        let first = try scanner.peekToken()
        let place = scanner.bytes.mark
        if depth > ReaderOptions.maximumDepth {
            throw scanner.bytes.malformed("nested too deeply")
        }
        switch first {
        case 0x5B: return JSONTree(content: .array(try readArray(&scanner, depth)), place: place)
        case 0x7B: return JSONTree(content: .object(try readObject(&scanner, depth)), place: place)
        default: break
        }
        var text: [UInt8] = []
        switch try scanner.readValue(into: &text) {
        case .boolean(let value): return JSONTree(content: .boolean(value), place: place)
        case .integer, .number: return JSONTree(content: .number, place: place)
        case .text:
            let string = String(decoding: text, as: UTF8.self)
            return JSONTree(content: .string(string), place: place)
        default: return JSONTree(content: .null, place: place)
        }
    }

    private static func readArray(
        _ scanner: inout JSONScanner, _ depth: Int
    ) throws(ImportError) -> [JSONTree] {
        var elements: [JSONTree] = []
        scanner.bytes.advance()
        while try scanner.peekToken() != 0x5D {
            if !elements.isEmpty { try scanner.expect(0x2C, "',' or ']'") }
            elements.append(try read(&scanner, depth: depth + 1))
        }
        scanner.bytes.advance()
        return elements
    }

    private static func readObject(
        _ scanner: inout JSONScanner, _ depth: Int
    ) throws(ImportError) -> [(key: String, value: JSONTree)] {
        var members: [(key: String, value: JSONTree)] = []
        scanner.bytes.advance()
        while try scanner.peekToken() != 0x7D {
            if !members.isEmpty { try scanner.expect(0x2C, "',' or '}'") }
            guard try scanner.peekToken() == 0x22 else {
                throw try scanner.unexpected("a key in quotes")
            }
            var key: [UInt8] = []
            _ = try scanner.readString(into: &key)
            try scanner.expect(0x3A, "':' after the key")
            let value = try read(&scanner, depth: depth + 1)
            members.append((String(decoding: key, as: UTF8.self), value))
        }
        scanner.bytes.advance()
        return members
    }
}
