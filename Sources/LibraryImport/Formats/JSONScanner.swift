// SPDX-License-Identifier: Apache-2.0

/// Reads JSON values of RFC 8259 from a byte stream, one token at a time.
///
/// Text lands in the row's byte storage; nothing is allocated per token.
struct JSONScanner {
    var bytes: ByteStream
    /// Holds a key or a nested string while it is looked at.
    var scratch: [UInt8] = []
    let options: ReaderOptions

    init(_ input: ByteInput, options: ReaderOptions) {
        bytes = ByteStream(input, chunkSize: options.chunkSize)
        self.options = options
    }

    /// Steps over white space and counts lines.
    @inline(__always)
    mutating func skipSpace() throws(ImportError) {
        while true {
            var index = bytes.position
            let limit = bytes.limit
            while index < limit {
                let byte = bytes.chunk[index]
                if byte == 0x0A {
                    bytes.startLine(at: index + 1)
                } else if byte != 0x20, byte != 0x09, byte != 0x0D {
                    bytes.position = index
                    return
                }
                index += 1
            }
            bytes.position = limit
            guard try bytes.refill() else { return }
        }
    }

    /// Steps over white space and returns the byte after it without stepping over that.
    @inline(__always)
    mutating func peekToken() throws(ImportError) -> UInt8? {
        try skipSpace()
        return try bytes.peek()
    }

    /// Steps over white space and one byte that must be `byte`.
    mutating func expect(_ byte: UInt8, _ purpose: StaticString) throws(ImportError) {
        guard try peekToken() == byte else { throw try unexpected(purpose) }
        bytes.advance()
    }

    /// An error that names what was expected and what is there.
    mutating func unexpected(_ purpose: StaticString) throws(ImportError) -> ImportError {
        bytes.malformed("expected \(purpose), found \(try bytes.describeNext())")
    }

    /// Reads the value that comes next; its text is appended to `sink`.
    mutating func readValue(into sink: inout [UInt8]) throws(ImportError) -> RowValue {
        guard let byte = try peekToken() else { throw try unexpected("a value") }
        switch byte {
        case 0x22:
            return .text(try readString(into: &sink))
        case 0x2D, 0x30...0x39:
            return try readNumber(into: &sink)
        case 0x5B, 0x7B:
            let start = sink.count
            try copyNested(into: &sink, depth: 1)
            return .nested(start..<sink.count)
        case 0x74:
            try readLiteral("true")
            return .boolean(true)
        case 0x66:
            try readLiteral("false")
            return .boolean(false)
        case 0x6E:
            try readLiteral("null")
            return .null
        default:
            throw try unexpected("a value")
        }
    }

    private mutating func readLiteral(_ word: StaticString) throws(ImportError) {
        let start = bytes.mark
        for expected in word.description.utf8 {
            guard try bytes.peek() == expected else {
                throw bytes.malformed("expected the word \(word)", at: start)
            }
            bytes.advance()
        }
    }

    /// Refuses rows that would not fit in memory.
    @inline(__always)
    func checkSize(_ sink: [UInt8]) throws(ImportError) {
        if sink.count > options.maximumRowBytes { throw tooLarge() }
    }

    private func tooLarge() -> ImportError {
        bytes.malformed(
            "the row is larger than \(options.maximumRowBytes) bytes; raise maximumRowBytes")
    }
}
