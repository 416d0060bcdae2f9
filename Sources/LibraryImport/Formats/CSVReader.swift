// SPDX-License-Identifier: Apache-2.0

/// Reads rows from a CSV file of RFC 4180 whose first record names the columns.
///
/// Records end with LF, CR LF or CR; empty lines are skipped; an empty field is null, in quotes an
/// empty text. A record with too few or too many fields is a row with a problem. A quote in the
/// middle of an unquoted field, and text after a closing quote, are errors.
package final class CSVReader: RowSource {
    package let file: String
    package private(set) var sections: [RowSection]
    package var isUntyped: Bool { true }
    package var bytesRead: Int { scanner.bytes.bytesRead }

    private var scanner: CSVScanner
    private var names: [String] = []
    private var isStarted = false
    private let options: ReaderOptions

    /// Makes a reader.
    package init(
        _ input: ByteInput, entityName: String, delimiter: UInt8 = 0x2C,
        options: ReaderOptions = .init()
    ) {
        file = input.file
        sections = [RowSection(name: entityName)]
        self.options = options
        scanner = CSVScanner(input, delimiter: delimiter, options: options)
    }

    package func fieldNames(of section: Int) -> [String] { names }

    package func next(into row: inout RawRow) throws(ImportError) -> Bool {
        if !isStarted { try readHeader() }
        guard try scanner.skipEmptyLines() else { return false }
        row.reset(fieldCount: names.count)
        row.line = scanner.bytes.line
        row.section = 0
        sections[0].rowCount += 1
        row.number = sections[0].rowCount
        let found = try scanner.readRecord(into: &row)
        if found != names.count {
            row.problem = "expected \(names.count) fields, found \(found)"
        }
        return true
    }

    private func readHeader() throws(ImportError) {
        isStarted = true
        try scanner.bytes.skipByteOrderMark()
        guard try scanner.skipEmptyLines() else {
            throw scanner.bytes.malformed(
                "the file is empty; its first line must name the columns")
        }
        let place = scanner.bytes.mark
        var header = RawRow()
        header.reset(fieldCount: options.maximumFields)
        let count = try scanner.readRecord(into: &header)
        if count > options.maximumFields {
            throw scanner.bytes.malformed(
                "the header has \(count) columns; the most is \(options.maximumFields)", at: place)
        }
        for (index, value) in header.values.prefix(count).enumerated() {
            let name =
                if case .text(let range) = value { header.string(range) } else {
                    "column\(index + 1)"
                }
            if names.contains(name) {
                throw scanner.bytes.malformed(
                    "the header names column '\(name)' twice; rename one", at: place)
            }
            names.append(name)
        }
    }
}
