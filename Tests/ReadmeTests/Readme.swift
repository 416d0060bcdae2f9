// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The package's files that speak about each other, found from this file's place.
enum Readme {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of a file of the package.
    static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The blocks of a language in the README, in order.
    static func blocks(_ language: String) throws -> [[String]] {
        sections(of: try lines(of: "README.md"), from: "```\(language)", to: "```")
    }

    /// The lines between the marks of the compiled program, without their indentation.
    static func compiledProgram() throws -> [String] {
        let source = try lines(of: "Tests/ReadmeTests/ReadmeProgram.swift")
        let parts = sections(of: source, from: "// README: begin", to: "// README: end")
        return Array(parts.map(withoutIndentation).joined(separator: [""]))
    }

    private static func sections(
        of lines: [String], from begin: String, to end: String
    ) -> [[String]] {
        var result: [[String]] = []
        var current: [String]?
        for line in lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let section = current, text == end {
                result.append(section)
                current = nil
            } else if current != nil {
                current?.append(line)
            } else if text == begin {
                current = []
            }
        }
        return result
    }

    private static func withoutIndentation(_ lines: [String]) -> [String] {
        let widths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(widths.min() ?? 0)) }
    }
}
