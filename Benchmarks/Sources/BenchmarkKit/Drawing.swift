// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What charts have in common as SVG.
enum Drawing {
    /// How the shapes of a series have its colour.
    enum Kind: String {
        case filled = "fill"
        case stroked = "stroke"
    }

    private static let colours = ["#e8590c", "#4c6ef5", "#12b886", "#ae3ec9", "#868e96"]

    /// The file.
    ///
    /// - Parameters:
    ///   - body: Elements, those of series with the classes `s0`, `s1` and so on.
    ///   - series: The number of series.
    static func make(
        _ body: String, width: Int, height: Int, series: Int, kind: Kind
    ) -> String {
        let styles = (0..<series).map {
            ".s\($0){\(kind.rawValue):\(colours[$0 % colours.count])}"
        }.joined()
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" font-family="system-ui,sans-serif" \
            font-size="12"><style>text{fill:#24292f}.b{font-weight:600}.n{font-size:11px}\
            .v{font-size:9px}.g{stroke:#8c959f;stroke-opacity:.35}.o{stroke:#8c959f}\(styles)\
            @media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>

            """
        return wrapped(head + body) + "</svg>\n"
    }

    static func text(
        _ content: String, x: Int, y: Int, _ anchor: String, style: String = ""
    ) -> String {
        let escaped = content.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
        return "<text\(style.isEmpty ? "" : " class=\"\(style)\"") x=\"\(x)\" y=\"\(y)\" "
            + "text-anchor=\"\(anchor)\">\(escaped)</text>\n"
    }

    /// Breaks long lines at spaces, at the end of a rule of style, and between elements: so a chart
    /// can be kept beside source code.
    private static func wrapped(_ text: String) -> String {
        text.replacingOccurrences(of: "><", with: ">\n<")
            .replacingOccurrences(of: "}", with: "}\n")
            .split(separator: "\n").map { line in
                var result = ""
                var column = 0
                for word in line.split(separator: " ") {
                    let breaks = column > 0 && column + word.count >= 100
                    result += column == 0 ? "" : breaks ? "\n " : " "
                    column = (breaks ? 0 : column) + word.count + 1
                    result += word
                }
                return result + "\n"
            }.joined()
    }
}
