// SPDX-License-Identifier: Apache-2.0

/// Reads rows from one JSON document.
///
/// The document is an object whose keys are entities and whose values are arrays of row objects,
/// or an array of row objects, which is named after the file. An element that is no object is a
/// row with a problem; everything else that departs from this shape is an error.
final class JSONReader: RowSource {
    private enum State {
        case start
        /// Within the top-level object.
        case members(afterValue: Bool)
        /// Within an array of rows.
        case rows(afterRow: Bool)
        /// After the last byte.
        case done
    }

    let file: String
    private(set) var sections: [RowSection] = []
    var isUntyped: Bool { false }
    var bytesRead: Int { scanner.bytes.bytesRead }

    private var scanner: JSONScanner
    private let arrayName: String
    private var state = State.start
    private var isTopLevelArray = false
    private var current = 0
    private var fields = FieldTable()
    /// The names of sections that ended; within a top-level array all sections share `fields`.
    private var endedFields: [[String]] = []

    /// Makes a reader.
    /// - Parameter entityName: The name of the rows' entity when the document is an array.
    init(_ input: ByteInput, entityName: String, options: ReaderOptions = .init()) {
        file = input.file
        arrayName = entityName
        scanner = JSONScanner(input, options: options)
    }

    func fieldNames(of section: Int) -> [String] {
        section < endedFields.count ? endedFields[section] : fields.names
    }

    func next(into row: inout RawRow) throws(ImportError) -> Bool {
        while true {
            switch state {
            case .start: try readStart()
            case .members(let afterValue): try readMember(afterValue: afterValue)
            case .rows(let afterRow):
                if try readRow(into: &row, afterRow: afterRow) { return true }
            case .done: return false
            }
        }
    }

    private func readStart() throws(ImportError) {
        try scanner.bytes.skipByteOrderMark()
        switch try scanner.peekToken() {
        case 0x5B:
            scanner.bytes.advance()
            isTopLevelArray = true
            try startSection(arrayName)
        case 0x7B:
            scanner.bytes.advance()
            state = .members(afterValue: false)
        default:
            throw try scanner.unexpected("an object of entities or an array of rows")
        }
    }

    private func startSection(_ name: String) throws(ImportError) {
        if sections.count == scanner.options.maximumSections {
            throw scanner.bytes.malformed(
                "more than \(sections.count) sections in one file; split the file")
        }
        sections.append(RowSection(name: name))
        current = sections.count - 1
        state = .rows(afterRow: false)
    }

    private func finish() throws(ImportError) {
        if try scanner.peekToken() != nil {
            throw try scanner.unexpected("nothing more after the document")
        }
        state = .done
    }
}

extension JSONReader {
    private func readMember(afterValue: Bool) throws(ImportError) {
        var byte = try scanner.peekToken()
        if byte == 0x7D {
            scanner.bytes.advance()
            return try finish()
        }
        if afterValue {
            guard byte == 0x2C else { throw try scanner.unexpected("',' or '}'") }
            scanner.bytes.advance()
            byte = try scanner.peekToken()
        }
        guard byte == 0x22 else { throw try scanner.unexpected("an entity's name in quotes") }
        var key: [UInt8] = []
        _ = try scanner.readString(into: &key)
        try scanner.expect(0x3A, "':' after the entity's name")
        try readMemberValue(String(decoding: key, as: UTF8.self))
    }

    private func readMemberValue(_ name: String) throws(ImportError) {
        if try scanner.peekToken() == 0x5B {
            scanner.bytes.advance()
            return try startSection(name)
        }
        let place = scanner.bytes.mark
        var discarded: [UInt8] = []
        let value = try scanner.readValue(into: &discarded)
        guard scanner.options.ignoredKeys.contains(name) else {
            throw scanner.bytes.malformed(
                "'\(name)' holds \(Self.describe(value)), expected an array of rows; "
                    + "set \"ignore\": true for it in a mapping file to skip it", at: place)
        }
        state = .members(afterValue: true)
    }

    private static func describe(_ value: RowValue) -> String {
        switch value {
        case .absent, .null, .emptyText: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .text: "a string"
        case .nested: "an object or array"
        }
    }

    private func readRow(into row: inout RawRow, afterRow: Bool) throws(ImportError) -> Bool {
        var byte = try scanner.peekToken()
        if byte == 0x5D {
            scanner.bytes.advance()
            try endSection()
            return false
        }
        if afterRow {
            guard byte == 0x2C else { throw try scanner.unexpected("',' or ']'") }
            scanner.bytes.advance()
            byte = try scanner.peekToken()
        }
        row.reset(fieldCount: fields.count)
        row.line = scanner.bytes.line
        row.section = current
        if byte == 0x7B {
            if let model = try scanner.readRow(into: &row, fields: &fields) {
                row.section = try section(ofModel: row.bytes[model])
            }
        } else {
            let value = try scanner.readValue(into: &row.bytes)
            row.problem = "expected an object, found \(Self.describe(value))"
        }
        sections[row.section].rowCount += 1
        row.number = sections[row.section].rowCount
        state = .rows(afterRow: true)
        return true
    }

    private func endSection() throws(ImportError) {
        if isTopLevelArray { return try finish() }
        endedFields.append(fields.names)
        fields = FieldTable()
        state = .members(afterValue: true)
    }

    /// The section of a fixture's row: `resources.film` belongs to `film`.
    ///
    /// The first section is the file's own; the first model takes it over while it is empty.
    private func section(ofModel model: ArraySlice<UInt8>) throws(ImportError) -> Int {
        let dot = model.lastIndex(of: 0x2E).map { $0 + 1 } ?? model.startIndex
        let name = model[dot...]
        if sections[current].name.utf8.elementsEqual(name) { return current }
        if let known = sections.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) {
            current = known
            return known
        }
        let text = String(decoding: name, as: UTF8.self)
        if isTopLevelArray, sections.count == 1, sections[0].rowCount == 0 {
            sections[0].name = text
            return 0
        }
        // Only a top-level array may hold many models: the sections of an object have names.
        guard isTopLevelArray else { return current }
        try startSection(text)
        return current
    }
}
