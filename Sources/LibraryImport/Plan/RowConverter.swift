// SPDX-License-Identifier: Apache-2.0

import Schema

/// Turns the rows of one source into typed values, or reports why it cannot.
package struct RowConverter {
    /// The outcome for a row.
    package enum Outcome: Sendable, Hashable {
        /// The values are in the converted row.
        case converted
        /// The plan has no use for the row.
        case ignored
        /// The row cannot be used.
        case rejected(RejectedRow)
    }

    /// A section of the source: its table, and the planned column of each field.
    private struct Binding {
        var table: TableIndex?
        var columns: [TablePlan.Column?]
    }

    private let plan: ImportPlan
    private var bindings: [Binding] = []

    /// Makes a converter for one reading of one source.
    package init(_ plan: ImportPlan) {
        self.plan = plan
    }

    /// A row's table; `nil` when the plan does not know it.
    package mutating func table(of row: RawRow, from reader: any RowSource) -> TableIndex? {
        while bindings.count <= row.section {
            let name = reader.sections[bindings.count].name
            bindings.append(Binding(table: plan.table(named: name), columns: []))
        }
        return bindings[row.section].table
    }

    /// Converts a row that `reader` just returned.
    package mutating func convert(
        _ row: RawRow, from reader: any RowSource, into output: inout ConvertedRow
    ) -> Outcome {
        guard let index = table(of: row, from: reader) else { return .ignored }
        let target = plan.tables[index].target
        if target == .ignored { return .ignored }
        output.table = index
        output.target = target
        output.line = row.line
        output.number = row.number
        if let problem = row.problem { return reject(row, index, reader, problem) }
        bindFields(of: row, in: index, from: reader)
        reset(&output)
        if let reason = fill(&output, with: row) { return reject(row, index, reader, reason) }
        return .converted
    }

    private func reset(_ output: inout ConvertedRow) {
        guard case .entity(let entity) = output.target else {
            return output.reset(valueCount: 0, referenceCount: 0, arrayCount: 0)
        }
        output.reset(
            valueCount: plan.model[entity].attributes.count,
            referenceCount: plan.model[entity].toOne.count,
            arrayCount: plan.tables[output.table].arrayLinks.count)
    }

    /// Fields go by name, so that a file may order its columns as it likes.
    private mutating func bindFields(
        of row: RawRow, in table: TableIndex, from reader: any RowSource
    ) {
        let known = bindings[row.section].columns.count
        if known >= row.values.count { return }
        let planned = plan.tables[table].columns
        for name in reader.fieldNames(of: row.section)[known..<row.values.count] {
            bindings[row.section].columns.append(planned.first { $0.sourceName == name })
        }
    }

    private func reject(
        _ row: RawRow, _ table: TableIndex, _ reader: any RowSource, _ reason: String
    ) -> Outcome {
        .rejected(
            RejectedRow(
                file: reader.file, line: row.line, row: row.number,
                entity: plan.tables[table].name, reason: reason))
    }
}

extension RowConverter {
    /// Converts all fields; the reason when one cannot be.
    private func fill(_ output: inout ConvertedRow, with row: RawRow) -> String? {
        let columns = bindings[row.section].columns
        var required = 0
        for field in row.values.indices {
            guard let column = columns[field] else { continue }
            let raw = row.values[field]
            if raw.isMissing, raw != .emptyText || !column.takesEmptyText {
                if column.isRequired { return missing(column) }
                continue
            }
            if column.isRequired { required += 1 }
            if case .toMany(let index) = column.slot {
                guard append(raw, of: row, as: column.type, to: &output.arrays[index]) else {
                    return mismatch(column, raw, row)
                }
                continue
            }
            guard let value = ValueConverter.convert(raw, in: row.bytes, to: column.type) else {
                return mismatch(column, raw, row)
            }
            store(value, in: column.slot, of: &output)
        }
        return required == plan.tables[output.table].requiredCount ? nil : lacking(row, output)
    }

    @inline(__always)
    private func store(_ value: Value, in slot: TablePlan.Slot, of output: inout ConvertedRow) {
        switch slot {
        case .attribute(let index): output.values[index] = value
        case .toOne(let index): output.references[index] = value
        case .firstEnd: output.first = value
        case .secondEnd: output.second = value
        case .toMany: break
        }
    }

    private func append(
        _ raw: RowValue, of row: RawRow, as type: AttributeType, to keys: inout [Value]
    ) -> Bool {
        guard case .nested(let range) = raw,
            var elements = NestedElements(row.bytes[range])
        else { return false }
        while let element = elements.next() {
            let value: Value?
            switch element {
            case .integer(let number):
                value = ValueConverter.convert(.integer(number), in: [], to: type)
            case .text(let text):
                value = ValueConverter.convert(.text(0..<text.count), in: text, to: type)
            case .other: value = nil
            }
            guard let value else { return false }
            keys.append(value)
        }
        return true
    }

    /// The reason for a row without a field of a required column.
    private func lacking(_ row: RawRow, _ output: ConvertedRow) -> String {
        let columns = bindings[row.section].columns
        let absent = plan.tables[output.table].columns.first {
            $0.isRequired && !columns.contains($0)
        }
        return absent.map(missing) ?? "a required value is missing"
    }

    private func missing(_ column: TablePlan.Column) -> String {
        "\(column.sourceName) is missing"
    }

    private func mismatch(_ column: TablePlan.Column, _ raw: RowValue, _ row: RawRow) -> String {
        let expected: String
        switch column.slot {
        case .attribute: expected = ImportedType.name(column.type)
        case .toMany: expected = "an array of \(ImportedType.name(column.type)) keys"
        default: expected = "a key of type \(ImportedType.name(column.type))"
        }
        return "\(column.sourceName) should be \(expected), not \(Self.excerpt(raw, row))"
    }

    private static func excerpt(_ raw: RowValue, _ row: RawRow) -> String {
        switch raw {
        case .absent, .null, .emptyText: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let range), .nested(let range): return row.string(range).shortened()
        case .text(let range): return "\"\(row.string(range).shortened())\""
        }
    }
}
