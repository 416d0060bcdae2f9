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
        case .csv:
            output.line(names.map(ValueText.quotedForCSV).joined(separator: ","))
            for row in rows { output.line(row.map(\.csv).joined(separator: ",")) }
        case .json: printJSON(rows, output)
        }
    }

    private func printJSON(_ rows: some Collection<[ValueText]>, _ output: ToolOutput) {
        let names = names.map(ValueText.quotedForJSON)
        var separator = "[\n"
        for row in rows {
            let members = zip(names, row).map { "\($0): \($1.json)" }
            output.write("\(separator)  {\(members.joined(separator: ", "))}")
            separator = ",\n"
        }
        output.line(separator == "[\n" ? "[]" : "\n]")
    }
}
