// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads the string whose opening quote comes next; appends its unescaped bytes.
    mutating func readString(into sink: inout [UInt8]) throws(ImportError) -> Range<Int> {
        let opening = bytes.mark
        bytes.advance()
        let start = sink.count
        while true {
            copyPlainRun(into: &sink)
            guard let byte = try bytes.peek() else {
                throw bytes.malformed("the string that starts here is not closed", at: opening)
            }
            switch byte {
            case 0x22:
                bytes.advance()
                return start..<sink.count
            case 0x5C:
                try readEscape(into: &sink)
            case 0x80...:
                try bytes.copyMultibyte(into: &sink)
            case ..<0x20:
                let found = try bytes.describeNext()
                throw bytes.malformed(
                    "\(found) in a string; control characters have to be escaped")
            default:
                // The chunk ended within the run, and the next one goes on with plain bytes.
                break
            }
            try checkSize(sink)
        }
    }

    /// Copies ASCII bytes that stand for themselves, up to the end of the chunk.
    @inline(__always)
    private mutating func copyPlainRun(into sink: inout [UInt8]) {
        let start = bytes.position
        let limit = bytes.limit
        var index = start
        while index < limit {
            let byte = bytes.chunk[index]
            if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { break }
            index += 1
        }
        if index > start { sink.append(contentsOf: bytes.chunk[start..<index]) }
        bytes.position = index
    }

    private mutating func readEscape(into sink: inout [UInt8]) throws(ImportError) {
        let start = bytes.mark
        bytes.advance()
        guard let byte = try bytes.peek() else {
            throw bytes.malformed("the file ends within an escape", at: start)
        }
        bytes.advance()
        switch byte {
        case 0x22, 0x5C, 0x2F: sink.append(byte)
        case 0x62: sink.append(0x08)
        case 0x66: sink.append(0x0C)
        case 0x6E: sink.append(0x0A)
        case 0x72: sink.append(0x0D)
        case 0x74: sink.append(0x09)
        case 0x75: try readUnicodeEscape(into: &sink, start: start)
        default: throw bytes.malformed("unknown escape in a string", at: start)
        }
    }

    private mutating func readUnicodeEscape(
        into sink: inout [UInt8], start: ByteStream.Mark
    ) throws(ImportError) {
        var scalar = try readHexQuad(start: start)
        if 0xDC00...0xDFFF ~= scalar {
            throw bytes.malformed("a low surrogate without a high one before it", at: start)
        }
        if 0xD800...0xDBFF ~= scalar {
            let low = try readLowSurrogate(start: start)
            scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
        }
        // Surrogates are excluded above, so every value is a scalar.
        guard let unicode = UnicodeScalar(scalar) else { return }
        sink.append(contentsOf: UTF8.encode(unicode) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func readLowSurrogate(start: ByteStream.Mark) throws(ImportError) -> UInt32 {
        for expected: UInt8 in [0x5C, 0x75] {
            guard try bytes.peek() == expected else { throw loneHigh(at: start) }
            bytes.advance()
        }
        let low = try readHexQuad(start: start)
        guard 0xDC00...0xDFFF ~= low else { throw loneHigh(at: start) }
        return low
    }

    private func loneHigh(at mark: ByteStream.Mark) -> ImportError {
        bytes.malformed("a high surrogate without a low one after it", at: mark)
    }

    private mutating func readHexQuad(start: ByteStream.Mark) throws(ImportError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try bytes.peek(), let digit = hexDigit(byte) else {
                throw bytes.malformed("expected four hexadecimal digits after \\u", at: start)
            }
            value = value << 4 | UInt32(digit)
            bytes.advance()
        }
        return value
    }
}

/// The value of a hexadecimal digit in either case.
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
