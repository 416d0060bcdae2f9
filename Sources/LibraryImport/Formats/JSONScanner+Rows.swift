// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads the object that comes next into the values of `row`.
    ///
    /// A key that comes twice is a problem of the row: it is not clear which value is meant. An
    /// object under the key `fields` is flattened: that is the form of Django fixtures,
    /// `{"model": …, "pk": …, "fields": {…}}`. The `model` beside it names the row's entity and is
    /// returned; a `model` or `pk` within it stays a column.
    mutating func readRow(
        into row: inout RawRow, fields: inout FieldTable
    ) throws(ImportError) -> Range<Int>? {
        var held = HeldFields()
        var isFixture = false
        var previous = -1
        bytes.advance()
        while let field = try nextField(after: previous, into: &row, fields: &fields) {
            if field == fields.fieldsField, try peekToken() == 0x7B {
                try readFlattened(into: &row, fields: &fields)
                isFixture = true
                previous = field
                continue
            }
            let value = try readValue(into: &row.bytes)
            try checkSize(row.bytes)
            switch held.hold(value, field: field, fields: fields) {
            case .held: break
            case .repeated: note(repeated: field, in: &row, fields)
            case .none: put(value, field, into: &row, fields)
            }
            previous = field
        }
        return held.release(into: &row, isFixture: isFixture)
    }

    private mutating func readFlattened(
        into row: inout RawRow, fields: inout FieldTable
    ) throws(ImportError) {
        var previous = -1
        bytes.advance()
        while let field = try nextField(after: previous, into: &row, fields: &fields) {
            let value = try readValue(into: &row.bytes)
            try checkSize(row.bytes)
            put(value, field, into: &row, fields)
            previous = field
        }
    }

    @inline(__always)
    private func put(_ value: RowValue, _ field: Int, into row: inout RawRow, _ fields: FieldTable)
    {
        guard case .absent = row.values[field] else {
            return note(repeated: field, in: &row, fields)
        }
        row.values[field] = value
    }

    @inline(never)
    private func note(repeated field: Int, in row: inout RawRow, _ fields: FieldTable) {
        guard row.problem == nil else { return }
        row.problem = "the key \"\(fields.names[field].shortened())\" comes twice in the object"
    }

    /// Reads up to the colon of the next member; `nil` after the last member.
    ///
    /// `previous` is the member before, -1 for none: it decides whether a comma must come, and
    /// which field is likely next.
    @inline(__always)
    private mutating func nextField(
        after previous: Int, into row: inout RawRow, fields: inout FieldTable
    ) throws(ImportError) -> Int? {
        var byte = try peekToken()
        if byte == 0x7D {
            bytes.advance()
            return nil
        }
        if previous >= 0 {
            guard byte == 0x2C else { throw try unexpected("',' or '}'") }
            bytes.advance()
            byte = try peekToken()
        }
        guard byte == 0x22 else { throw try unexpected("a key in quotes") }
        var field = previous + 1
        if !skipKey(ifField: field, of: fields) {
            field = try readKey(into: &row, fields: &fields)
        }
        try expect(0x3A, "':' after the key")
        return field
    }

    /// Steps over a key when it is the expected one and lies within the chunk.
    @inline(__always)
    private mutating func skipKey(ifField field: Int, of fields: FieldTable) -> Bool {
        guard field < fields.count else { return false }
        let name = fields.plainNames[field]
        let start = bytes.position + 1
        let end = start + name.count
        guard !name.isEmpty, end < bytes.limit, bytes.chunk[end] == 0x22 else { return false }
        for index in 0..<name.count where bytes.chunk[start + index] != name[index] {
            return false
        }
        bytes.position = end + 1
        return true
    }

    private mutating func readKey(
        into row: inout RawRow, fields: inout FieldTable
    ) throws(ImportError) -> Int {
        let place = bytes.mark
        var key: [UInt8] = []
        swap(&key, &scratch)
        key.removeAll(keepingCapacity: true)
        _ = try readString(into: &key)
        let field = fields.index(of: key)
        swap(&key, &scratch)
        if fields.count > options.maximumFields {
            throw bytes.malformed(
                "more than \(options.maximumFields) different keys in one section; "
                    + "rows must share their keys", at: place)
        }
        while row.values.count < fields.count { row.values.append(.absent) }
        return field
    }
}

/// The members `model` and `pk` of a row, whose meaning is known at the end of the row.
private struct HeldFields {
    private var model: (field: Int, value: RowValue)?
    private var key: (field: Int, value: RowValue)?

    enum Holding {
        case held
        case repeated
        case none
    }

    mutating func hold(_ value: RowValue, field: Int, fields: FieldTable) -> Holding {
        if field == fields.keyField {
            if key != nil { return .repeated }
            key = (field, value)
        } else if field == fields.modelField {
            if model != nil { return .repeated }
            model = (field, value)
        } else {
            return .none
        }
        return .held
    }

    func release(into row: inout RawRow, isFixture: Bool) -> Range<Int>? {
        if let key { row.values[key.field] = key.value }
        guard let model else { return nil }
        if isFixture, case .text(let range) = model.value { return range }
        row.values[model.field] = model.value
        return nil
    }
}
