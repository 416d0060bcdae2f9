// SPDX-License-Identifier: Apache-2.0

import Traps

/// The bytes of an input, one chunk in memory at a time, with the position in lines and columns.
///
/// Readers scan `chunk` between `position` and `limit` and call ``refill()`` when they meet; no
/// token has to lie within one chunk.
package struct ByteStream {
    /// A place to report later: the start of a string, of a row.
    struct Mark {
        var line: Int
        var column: Int
    }

    /// The bytes that were read last.
    private(set) var chunk: [UInt8]
    /// The index in `chunk` of the next byte.
    var position = 0
    /// The count of valid bytes in `chunk`.
    private(set) var limit = 0
    /// The offset in the input of `chunk[0]`.
    private(set) var chunkStart = 0
    /// The line of the next byte, from 1.
    var line = 1
    /// The offset in the input of the line's first byte.
    private var lineStart = 0
    private let input: ByteInput

    /// Makes a stream.
    package init(_ input: ByteInput, chunkSize: Int) {
        require(chunkSize > 0, "a chunk of \(chunkSize) bytes cannot hold a byte")
        self.input = input
        chunk = [UInt8](repeating: 0, count: chunkSize)
    }

    /// The path that errors name.
    var file: String { input.file }

    /// The bytes of the input that were read so far.
    var bytesRead: Int { chunkStart + position }

    /// The place of the next byte.
    var mark: Mark {
        Mark(line: line, column: chunkStart + position - lineStart + 1)
    }

    /// Replaces the chunk by the next one; false at the end of the input.
    mutating func refill() throws(ImportError) -> Bool {
        assert(position == limit, "\(limit - position) bytes would be lost")
        chunkStart += limit
        position = 0
        limit = 0
        limit = try input.read(into: &chunk)
        return limit > 0
    }

    /// The next byte, `nil` at the end of the input.
    @inline(__always)
    mutating func peek() throws(ImportError) -> UInt8? {
        if position == limit {
            guard try refill() else { return nil }
        }
        return chunk[position]
    }

    /// Steps over the byte that ``peek()`` returned.
    @inline(__always)
    mutating func advance() {
        position += 1
    }

    /// Counts a line that ends just before the byte at `index` of the chunk.
    @inline(__always)
    mutating func startLine(at index: Int) {
        line += 1
        lineStart = chunkStart + index
    }

    /// Lets columns of the first line count from the next byte, after a byte order mark.
    mutating func startFirstLineHere() {
        lineStart = chunkStart + position
    }
}

extension ByteStream {
    /// An error at the next byte.
    func malformed(_ message: String) -> ImportError {
        malformed(message, at: mark)
    }

    /// An error at a place that was marked.
    func malformed(_ message: String, at mark: Mark) -> ImportError {
        ImportError(.malformed, file: file, line: mark.line, column: mark.column, message: message)
    }

    /// The next byte in words, for errors.
    mutating func describeNext() throws(ImportError) -> String {
        guard let byte = try peek() else { return "the end of the file" }
        if byte > 0x20, byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (byte < 16 ? "0" : "") + digits
    }
}
