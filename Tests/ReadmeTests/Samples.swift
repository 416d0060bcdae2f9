// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The Swift samples of the documentation, and their compiled counterparts.
///
/// A sample is a Swift block of a doc comment or an article under `Sources`. The same lines are in
/// a file of `Tests/ReadmeTests/Samples`, between `// SAMPLE: FILE`, the name of the file with the
/// sample, and `// SAMPLE: end`.
struct Sample {
    /// The file that has the text.
    let path: String
    /// The number of the line before the text.
    let line: Int
    /// The name of the file with the sample.
    let file: String
    let text: [String]

    var place: String { "\(path):\(line)" }

    /// Whether both are the same text for the same file.
    func matches(_ other: Sample) -> Bool { file == other.file && text == other.text }

    /// The samples of the doc comments and the articles.
    static func documented() throws -> [Sample] {
        try Readme.files(in: "Sources").flatMap { path in
            switch path.split(separator: ".").last {
            case "swift": blocks(docComments(try Readme.lines(of: path)), path)
            case "md": blocks(try Readme.lines(of: path), path)
            default: [Sample]()
            }
        }
    }

    /// What the files of samples have between marks.
    static func compiled() throws -> [Sample] {
        try Readme.files(in: "Tests/ReadmeTests/Samples").filter { $0.hasSuffix(".swift") }
            .flatMap { path in compiled(try Readme.lines(of: path), path) }
    }

    /// The doc comments of a source; other lines are empty, so that places stay.
    static func docComments(_ lines: [String]) -> [String] {
        lines.map { line in
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("///") else { return "" }
            let comment = text.dropFirst(3)
            return String(comment.hasPrefix(" ") ? comment.dropFirst() : comment)
        }
    }

    /// The Swift blocks of a text.
    static func blocks(_ lines: [String], _ path: String) -> [Sample] {
        Readme.sections(of: lines, from: "```swift", to: "```").map {
            Sample(
                path: path, line: $0.line, file: name(of: path),
                text: comparable($0.lines))
        }
    }

    /// What a file of samples has between marks.
    static func compiled(_ lines: [String], _ path: String) -> [Sample] {
        let mark = "// SAMPLE: "
        let names = Set(
            lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix(mark) }
                .map { String($0.dropFirst(mark.count)) }
        ).subtracting(["end"])
        return names.sorted().flatMap { name in
            Readme.sections(of: lines, from: mark + name, to: mark + "end").map {
                Sample(
                    path: path, line: $0.line, file: name,
                    text: comparable($0.lines))
            }
        }
    }

    /// The lines without their indentation, with two spaces before each comment behind a statement:
    /// a text may align its comments.
    private static func comparable(_ lines: [String]) -> [String] {
        Readme.withoutIndentation(lines).map { line in
            guard let comment = line.firstRange(of: "  //") else { return line }
            let statement = line[..<comment.lowerBound]
            let end = statement.lastIndex { $0 != " " }.map { statement.index(after: $0) }
            guard let end else { return line }
            return "\(statement[..<end])  \(line[comment.lowerBound...].drop { $0 == " " })"
        }
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
