// SPDX-License-Identifier: Apache-2.0

/// A table of text, printed with aligned columns as Markdown.
public struct Table: Sendable {
    /// The titles, then the rows.
    public private(set) var rows: [[String]]

    /// Makes a table with the titles of its columns.
    public init(_ titles: [String]) { rows = [titles] }

    /// Adds a row.
    public mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The lines of the table: the first column to the left, the others to the right.
    public var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = widths.enumerated().map { column, width in
            String(repeating: "-", count: width + 1) + (column == 0 ? "-" : ":")
        }
        var lines = rows.map { row in
            "| "
                + zip(row.indices, row).map { pad($1, to: widths[$0], isLeft: $0 == 0) }
                .joined(separator: " | ") + " |"
        }
        lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
        return lines
    }

    private func pad(_ text: String, to width: Int, isLeft: Bool) -> String {
        let space = String(repeating: " ", count: width - text.count)
        return isLeft ? text + space : space + text
    }
}
