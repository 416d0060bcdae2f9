// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Copies an array or object as JSON text without white space.
    mutating func copyNested(into sink: inout [UInt8], depth: Int) throws(ImportError) {
        if depth > ReaderOptions.maximumDepth {
            throw bytes.malformed(
                "nested deeper than \(ReaderOptions.maximumDepth) arrays and objects")
        }
        if try bytes.peek() == 0x5B {
            try copyArray(into: &sink, depth: depth)
        } else {
            try copyObject(into: &sink, depth: depth)
        }
    }

    private mutating func copyArray(into sink: inout [UInt8], depth: Int) throws(ImportError) {
        sink.append(0x5B)
        bytes.advance()
        var isFirst = true
        while try !endList(isFirst, closing: 0x5D, "',' or ']'", into: &sink) {
            isFirst = false
            try copyElement(into: &sink, depth: depth)
        }
    }

    private mutating func copyObject(into sink: inout [UInt8], depth: Int) throws(ImportError) {
        sink.append(0x7B)
        bytes.advance()
        var isFirst = true
        while try !endList(isFirst, closing: 0x7D, "',' or '}'", into: &sink) {
            isFirst = false
            guard try peekToken() == 0x22 else { throw try unexpected("a key in quotes") }
            try copyString(into: &sink)
            try expect(0x3A, "':'")
            sink.append(0x3A)
            try copyElement(into: &sink, depth: depth)
        }
    }

    /// Steps over the comma between two elements, or the bracket after the last.
    private mutating func endList(
        _ isFirst: Bool, closing: UInt8, _ purpose: StaticString, into sink: inout [UInt8]
    ) throws(ImportError) -> Bool {
        let byte = try peekToken()
        if byte == closing {
            sink.append(closing)
            bytes.advance()
            return true
        }
        if !isFirst {
            guard byte == 0x2C else { throw try unexpected(purpose) }
            sink.append(0x2C)
            bytes.advance()
        }
        return false
    }

    private mutating func copyElement(into sink: inout [UInt8], depth: Int) throws(ImportError) {
        switch try peekToken() {
        case 0x5B, 0x7B:
            try copyNested(into: &sink, depth: depth + 1)
        case 0x22:
            try copyString(into: &sink)
        default:
            switch try readValue(into: &sink) {
            case .boolean(true): sink.append(contentsOf: "true".utf8)
            case .boolean(false): sink.append(contentsOf: "false".utf8)
            case .null: sink.append(contentsOf: "null".utf8)
            case .integer(let value): sink.append(contentsOf: value.description.utf8)
            default: break  // a number already left its text
            }
        }
        try checkSize(sink)
    }

    private mutating func copyString(into sink: inout [UInt8]) throws(ImportError) {
        var text: [UInt8] = []
        swap(&text, &scratch)
        text.removeAll(keepingCapacity: true)
        _ = try readString(into: &text)
        JSONText.appendQuoted(text[...], to: &sink)
        swap(&text, &scratch)
    }
}
