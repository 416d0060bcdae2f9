// SPDX-License-Identifier: Apache-2.0

/// Reads rows from a JSON Lines file: one object a line, all of one entity.
///
/// Empty lines are skipped.
final class JSONLinesReader: RowSource {
    let file: String
    private(set) var sections: [RowSection]
    var isUntyped: Bool { false }
    var bytesRead: Int { scanner.bytes.bytesRead }

    private var scanner: JSONScanner
    private var fields = FieldTable()
    private var isStarted = false

    /// Makes a reader.
    init(_ input: ByteInput, entityName: String, options: ReaderOptions = .init()) {
        file = input.file
        sections = [RowSection(name: entityName)]
        scanner = JSONScanner(input, options: options)
    }

    func fieldNames(of section: Int) -> [String] { fields.names }

    func next(into row: inout RawRow) throws(ImportError) -> Bool {
        if !isStarted {
            isStarted = true
            try scanner.bytes.skipByteOrderMark()
        }
        guard let byte = try scanner.peekToken() else { return false }
        row.reset(fieldCount: fields.count)
        row.line = scanner.bytes.line
        row.section = 0
        let place = scanner.bytes.mark
        if byte == 0x7B {
            try readObject(into: &row, from: place)
        } else {
            _ = try scanner.readValue(into: &row.bytes)
            row.problem = "expected an object on the line"
        }
        if scanner.bytes.line != row.line {
            throw scanner.bytes.malformed("the object that starts here spans lines", at: place)
        }
        try endLine()
        sections[0].rowCount += 1
        row.number = sections[0].rowCount
        return true
    }

    private func readObject(
        into row: inout RawRow, from place: ByteStream.Mark
    ) throws(ImportError) {
        do throws(ImportError) {
            _ = try scanner.readRow(into: &row, fields: &fields)
        } catch {
            // What follows on later lines is only read because this line's object is not closed.
            guard error.code == .malformed, scanner.bytes.line != row.line else { throw error }
            throw scanner.bytes.malformed(
                "the object that starts here is not closed on its line", at: place)
        }
    }

    private func endLine() throws(ImportError) {
        let line = scanner.bytes.line
        if try scanner.peekToken() != nil, scanner.bytes.line == line {
            throw try scanner.unexpected("the end of the line after the object")
        }
    }
}
