// SPDX-License-Identifier: Apache-2.0

/// Prints the rows of a query.
struct ResultPrinter {
    /// The forms of a result.
    enum Format: String {
        case table, json, csv
    }

    let format: Format
    /// The names of the columns.
    let names: [String]
    /// Whether the cells of a column stand to the right.
    let isNumber: [Bool]

    func print(_ rows: some Collection<[ValueText]>, _ output: ToolOutput) {
        switch format {
        case .table:
            output.write(
                TextTable.table(
                    header: names, rows: rows.map { $0.map(\.plain) }, isNumber: isNumber))
            output.line(rows.count.counted("row"))
        case .csv: printCSV(rows, output)
        case .json: printJSON(rows, output)
        }
    }

    private func printCSV(_ rows: some Collection<[ValueText]>, _ output: ToolOutput) {
        output.line(names.map(ValueText.quotedForCSV).joined(separator: ","))
        var text = ""
        for row in rows {
            for (position, value) in row.enumerated() {
                if position > 0 { text += "," }
                text += value.csv
            }
            text += "\n"
            Self.pass(&text, to: output)
        }
        output.write(text)
    }

    private func printJSON(_ rows: some Collection<[ValueText]>, _ output: ToolOutput) {
        let keys = names.map { ValueText.quotedForJSON($0) + ": " }
        var text = "["
        for (number, row) in rows.enumerated() {
            text += number == 0 ? "\n  {" : ",\n  {"
            for (position, value) in row.enumerated() {
                if position > 0 { text += ", " }
                text += keys[position]
                text += value.json
            }
            text += "}"
            Self.pass(&text, to: output)
        }
        output.line(text + (rows.isEmpty ? "]" : "\n]"))
    }

    /// Writes text when there is enough of it: each write is a call of the system.
    private static func pass(_ text: inout String, to output: ToolOutput) {
        guard text.utf8.count >= 1 << 16 else { return }
        output.write(text)
        text.removeAll(keepingCapacity: true)
    }
}
