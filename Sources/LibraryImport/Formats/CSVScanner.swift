// SPDX-License-Identifier: Apache-2.0

import Traps

/// Splits CSV records into fields.
struct CSVScanner {
    var bytes: ByteStream
    private let delimiter: UInt8
    private let options: ReaderOptions

    init(_ input: ByteInput, delimiter: UInt8, options: ReaderOptions) {
        require(
            delimiter < 0x80 && delimiter != 0x22 && delimiter != 0x0A && delimiter != 0x0D,
            "byte \(delimiter) cannot delimit CSV fields")
        bytes = ByteStream(input, chunkSize: options.chunkSize)
        self.delimiter = delimiter
        self.options = options
    }

    /// Steps over line ends; false at the end of the file.
    mutating func skipEmptyLines() throws(ImportError) -> Bool {
        while let byte = try bytes.peek() {
            guard byte == 0x0A || byte == 0x0D else { return true }
            try endLine()
        }
        return false
    }

    /// Reads one record and returns its count of fields; those beyond `row.values` are dropped.
    mutating func readRecord(into row: inout RawRow) throws(ImportError) -> Int {
        var count = 0
        while true {
            let start = row.bytes.count
            let isQuoted = try bytes.peek() == 0x22
            if isQuoted {
                try readQuoted(into: &row.bytes)
            } else {
                try readUnquoted(into: &row.bytes)
            }
            if count < row.values.count {
                let range = start..<row.bytes.count
                row.values[count] =
                    !range.isEmpty ? .text(range) : isQuoted ? .emptyText : .null
            }
            count += 1
            guard let byte = try bytes.peek() else { return count }
            if byte == delimiter {
                bytes.advance()
            } else {
                try endLine()
                return count
            }
        }
    }

    /// Steps over LF, CR or CR LF.
    private mutating func endLine() throws(ImportError) {
        let isReturn = try bytes.peek() == 0x0D
        bytes.advance()
        if isReturn, try bytes.peek() == 0x0A { bytes.advance() }
        bytes.startLine(at: bytes.position)
    }

    private mutating func readUnquoted(into sink: inout [UInt8]) throws(ImportError) {
        while true {
            copyRun(into: &sink, isQuoted: false)
            try checkSize(sink)
            guard let byte = try bytes.peek() else { return }
            if byte == delimiter || byte == 0x0A || byte == 0x0D { return }
            if byte == 0x22 {
                throw bytes.malformed(
                    "a quote within an unquoted field; quote the field and double the quote")
            }
            if byte >= 0x80 { try bytes.copyMultibyte(into: &sink) }
        }
    }

    private mutating func readQuoted(into sink: inout [UInt8]) throws(ImportError) {
        let opening = bytes.mark
        bytes.advance()
        while true {
            copyRun(into: &sink, isQuoted: true)
            try checkSize(sink)
            guard let byte = try bytes.peek() else {
                throw bytes.malformed("the quote that opens here is not closed", at: opening)
            }
            switch byte {
            case 0x22:
                bytes.advance()
                guard try bytes.peek() == 0x22 else { return try endQuoted() }
                sink.append(0x22)
                bytes.advance()
            case 0x0A, 0x0D:
                try copyLineEnd(into: &sink)
            case 0x80...:
                try bytes.copyMultibyte(into: &sink)
            default:
                // The chunk ended within the run.
                break
            }
        }
    }

    private mutating func endQuoted() throws(ImportError) {
        guard let byte = try bytes.peek() else { return }
        if byte == delimiter || byte == 0x0A || byte == 0x0D { return }
        let found = try bytes.describeNext()
        throw bytes.malformed("\(found) after a closing quote; double quotes within a field")
    }

    private mutating func copyLineEnd(into sink: inout [UInt8]) throws(ImportError) {
        let isReturn = try bytes.peek() == 0x0D
        sink.append(isReturn ? 0x0D : 0x0A)
        bytes.advance()
        if isReturn, try bytes.peek() == 0x0A {
            sink.append(0x0A)
            bytes.advance()
        }
        bytes.startLine(at: bytes.position)
    }

    /// Copies ASCII bytes that stand for themselves, up to the end of the chunk.
    @inline(__always)
    private mutating func copyRun(into sink: inout [UInt8], isQuoted: Bool) {
        let start = bytes.position
        let limit = bytes.limit
        let end = isQuoted ? 0x22 : delimiter
        let index = plainEnd(of: bytes.chunk.span, from: start, to: limit, end)
        if index > start { sink.append(contentsOf: bytes.chunk[start..<index]) }
        bytes.position = index
    }

    /// Where the bytes that stand for themselves end.
    @inline(__always)
    private func plainEnd(
        of chunk: Span<UInt8>, from start: Int, to limit: Int, _ end: UInt8
    ) -> Int {
        var index = start
        while index < limit {
            let byte = chunk[index]
            // Digits and letters, most of a file, by two comparisons.
            let isOther = byte &- 0x30 >= 0x50
            if isOther, byte >= 0x80 || byte == 0x22 || byte == 0x0A || byte == 0x0D { break }
            if byte == end { break }
            index += 1
        }
        return index
    }

    private func checkSize(_ sink: [UInt8]) throws(ImportError) {
        if sink.count > options.maximumRowBytes {
            throw bytes.malformed(
                "the row is larger than \(options.maximumRowBytes) bytes; close an open quote or "
                    + "raise maximumRowBytes")
        }
    }
}
