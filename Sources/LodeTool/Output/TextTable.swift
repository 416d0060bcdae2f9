// SPDX-License-Identifier: Apache-2.0

/// Text in columns, without characters that a terminal would obey.
enum TextTable {
    /// Rows with a header and a rule below it; numbers stand to the right.
    static func table(header: [String], rows: [[String]], isNumber: [Bool]) -> String {
        let (header, rows) = (shown(header), rows.map(shown))
        let widths = self.widths([header] + rows)
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([header, rule] + rows).map { line($0, widths, isNumber) + "\n" }.joined()
    }

    /// Rows indented by two spaces, without a header.
    static func aligned(_ rows: [[String]]) -> String {
        let rows = rows.map(shown)
        let widths = self.widths(rows)
        return rows.map { "  " + line($0, widths, []) + "\n" }.joined()
    }

    private static func shown(_ row: [String]) -> [String] { row.map(TerminalText.escaped) }

    private static func widths(_ rows: [[String]]) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], width(cell))
            }
        }
        return widths
    }

    /// The characters of a cell.
    private static func width(_ cell: String) -> Int {
        TerminalText.isPlain(cell) ? cell.utf8.count : cell.count
    }

    private static func line(_ row: [String], _ widths: [Int], _ isNumber: [Bool]) -> String {
        var text = ""
        for (column, cell) in row.enumerated() {
            let space = String(repeating: " ", count: widths[column] - width(cell))
            let isRight = column < isNumber.count && isNumber[column]
            text += (column == 0 ? "" : "  ") + (isRight ? space + cell : cell + space)
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
