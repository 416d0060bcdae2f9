// SPDX-License-Identifier: Apache-2.0

import Foundation
import _TestSupport

/// The package's files that speak about each other, found from this file's place.
enum Readme {
    private static let root = URL(fileURLWithPath: packageRoot())

    /// The lines of a file of the package.
    static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The paths of the files in a folder of the package and below it, in order.
    static func files(in folder: String) -> [String] {
        let path = root.appendingPathComponent(folder).path
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (names ?? []).sorted().map { "\(folder)/\($0)" }
    }

    /// The blocks of a language in the README, in order.
    static func blocks(_ language: String) throws -> [[String]] {
        sections(of: try lines(of: "README.md"), from: "```\(language)", to: "```").map(\.lines)
    }

    /// The lines between the marks of a compiled program, without their indentation.
    static func compiledProgram(_ file: String) throws -> [String] {
        let source = try lines(of: "Tests/ReadmeTests/\(file)")
        let parts = sections(of: source, from: "// README: begin", to: "// README: end")
        return parts.flatMap { withoutIndentation($0.lines) }
    }

    /// The lines between two marks, each time that they come.
    static func sections(of lines: [String], from begin: String, to end: String) -> [Section] {
        var result: [Section] = []
        var current: Section?
        for (index, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let section = current, text == end {
                result.append(section)
                current = nil
            } else if current != nil {
                current?.lines.append(line)
            } else if text == begin {
                current = Section(line: index + 1, lines: [])
            }
        }
        return result
    }

    static func withoutIndentation(_ lines: [String]) -> [String] {
        let widths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(widths.min() ?? 0)) }
    }
}

extension Readme {
    /// Lines of a file between two marks.
    struct Section {
        /// The number of the line with the first mark.
        let line: Int
        var lines: [String]
    }
}
