// SPDX-License-Identifier: Apache-2.0

/// One text file of the package.
struct SourceFile {
    /// The path from the root of the package.
    let path: String
    /// The lines, without their ends.
    let lines: [Substring]
    /// The lines without comments and with the content of strings blanked; only for Swift.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
        code = path.hasSuffix(".swift") ? SourceFile.codeLines(text) : []
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// The folder that decides on the rules: `Sources/Store`, `Tests/StoreTests`, ….
    var folder: String {
        let parts = path.split(separator: "/")
        let depth = parts.starts(with: ["Sources", "Examples"]) ? 3 : 2
        return parts.dropLast().prefix(depth).joined(separator: "/")
    }

    private static func codeLines(_ text: String) -> [String] {
        var blanker = CodeBlanker(text)
        let code = blanker.blanked()
        return code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Replaces comments and the content of string literals by spaces, keeping lines and columns.
///
/// Interpolations count as content: what they hold is short and has balanced braces.
struct CodeBlanker {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
    }

    mutating func blanked() -> String {
        while position < bytes.count {
            if starts(with: "//") {
                blank(until: "\n", including: false)
            } else if starts(with: "/*") {
                blankBlockComment()
            } else if let hashes = stringStart() {
                blankString(hashes: hashes)
            } else {
                output.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func starts(with text: String, at offset: Int = 0) -> Bool {
        bytes[min(position + offset, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func skip(_ count: Int) {
        for byte in bytes[position..<min(position + count, bytes.count)] {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position = min(position + count, bytes.count)
    }

    private mutating func blank(until end: String, including: Bool) {
        while position < bytes.count, !starts(with: end) { skip(1) }
        if including { skip(end.utf8.count) }
    }

    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                skip(2)
            } else if starts(with: "*/") {
                depth -= 1
                skip(2)
            } else {
                skip(1)
            }
        } while depth > 0 && position < bytes.count
    }

    /// The count of `#` before a quote that begins a string here; nil for no string.
    private func stringStart() -> Int? {
        var hashes = 0
        while starts(with: "#", at: hashes) { hashes += 1 }
        return starts(with: "\"", at: hashes) ? hashes : nil
    }

    private mutating func blankString(hashes: Int) {
        skip(hashes)
        let isLong = starts(with: "\"\"\"")
        let end = (isLong ? "\"\"\"" : "\"") + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        skip(isLong ? 3 : 1)
        while position < bytes.count, !starts(with: end) {
            if !isLong, starts(with: "\n") { return }
            if starts(with: escape + "(") {
                skip(escape.utf8.count)
                blankInterpolation()
            } else {
                skip(starts(with: escape) ? escape.utf8.count + 1 : 1)
            }
        }
        skip(end.utf8.count)
    }

    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if let hashes = stringStart() {
                blankString(hashes: hashes)
                continue
            }
            if starts(with: "(") { depth += 1 }
            if starts(with: ")") { depth -= 1 }
            skip(1)
        } while depth > 0 && position < bytes.count
    }
}
