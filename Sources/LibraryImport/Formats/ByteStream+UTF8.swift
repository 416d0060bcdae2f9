// SPDX-License-Identifier: Apache-2.0

extension ByteStream {
    /// Copies one well-formed multi-byte scalar, whose first byte comes next.
    ///
    /// The ranges are those of table 3-7 of the Unicode standard: no overlong forms, no
    /// surrogates, nothing above U+10FFFF.
    mutating func copyMultibyte(into sink: inout [UInt8]) throws(ImportError) {
        let start = mark
        let lead = chunk[position]
        let length: Int
        var allowed: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, allowed) = (3, 0xA0...0xBF)
        case 0xED: (length, allowed) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, allowed) = (4, 0x90...0xBF)
        case 0xF4: (length, allowed) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw notUTF8(at: start)
        }
        sink.append(lead)
        advance()
        for _ in 1..<length {
            guard let byte = try peek(), allowed.contains(byte) else { throw notUTF8(at: start) }
            sink.append(byte)
            advance()
            allowed = 0x80...0xBF
        }
    }

    private func notUTF8(at mark: Mark) -> ImportError {
        malformed("the text is not UTF-8 here; convert the file to UTF-8", at: mark)
    }

    /// Steps over a UTF-8 byte order mark at the start of the file.
    /// - Throws: ``ImportError/Code/unsupportedFormat`` for the marks of UTF-16.
    mutating func skipByteOrderMark() throws(ImportError) {
        guard let first = try peek() else { return }
        // Without a mark, one half of each character of a text that starts in ASCII is zero.
        let isUnmarked =
            first == 0 || (first < 0x80 && position + 1 < limit && chunk[position + 1] == 0)
        if first == 0xFE || first == 0xFF || isUnmarked {
            throw ImportError(
                .unsupportedFormat, file: file, line: 1, column: 1,
                message: "the file is UTF-16; convert it to UTF-8")
        }
        guard first == 0xEF else { return }
        let start = mark
        for expected: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try peek() == expected else { throw notUTF8(at: start) }
            advance()
        }
        startFirstLineHere()
    }
}
