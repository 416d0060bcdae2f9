// SPDX-License-Identifier: Apache-2.0

/// A line that breaks a rule.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let text: String

    var description: String { "\(path):\(line): \(text)" }
}

/// The rules for the text of a file.
enum Rules {
    static let maximumColumns = 100
    static let maximumFileLines = 500

    /// All rules, applied to one file.
    static func violations(in file: SourceFile) -> [Violation] {
        var found = layout(file)
        if file.isSwift {
            found += license(file) + words(file)
            found += FunctionLengths.violations(in: file) + SafetyRule.violations(in: file)
        }
        if file.path.hasPrefix("Sources/") {
            found += layers(file) + Observers.violations(in: file)
        }
        return found
    }

    private static func layout(_ file: SourceFile) -> [Violation] {
        var found: [Violation] = []
        for (index, line) in file.lines.enumerated() {
            // A row of a Markdown table cannot be broken.
            if line.count > maximumColumns, !(file.path.hasSuffix(".md") && line.hasPrefix("|")) {
                found.append(
                    Violation(
                        path: file.path, line: index + 1,
                        text: "\(line.count) columns, \(maximumColumns) are allowed"))
            }
            if let last = line.last, last.isWhitespace {
                found.append(
                    Violation(path: file.path, line: index + 1, text: "white space at the end"))
            }
            for word in ["FIX" + "ME", "TO" + "DO"] where hasWord(String(line), word) {
                found.append(Violation(path: file.path, line: index + 1, text: word))
            }
        }
        if file.isSwift, file.lines.count > maximumFileLines {
            found.append(
                Violation(
                    path: file.path, line: file.lines.count,
                    text: "\(file.lines.count) lines, \(maximumFileLines) are allowed"))
        }
        return found
    }

    private static func license(_ file: SourceFile) -> [Violation] {
        // The manifest's first line belongs to the package manager.
        let isManifest = file.path.split(separator: "/").last == "Package.swift"
        let line = isManifest ? 1 : 0
        let expected = "// SPDX-License-Identifier: Apache-2.0"
        guard file.lines.count <= line || file.lines[line] != expected else { return [] }
        return [Violation(path: file.path, line: line + 1, text: "not \"\(expected)\"")]
    }

    private static func words(_ file: SourceFile) -> [Violation] {
        var found: [Violation] = []
        // Traps is where every layer ends the process: the optimiser drops the text of others.
        let silent = ["precondition(", "preconditionFailure("]
        let traps = file.path.hasPrefix("Sources/Traps/") ? [] : ["fatalError("]
        let words = ["try!"] + traps + (file.path.hasPrefix("Sources/") ? silent : [])
        for (index, line) in file.code.enumerated() {
            for word in words where hasWord(line, word) {
                found.append(
                    Violation(path: file.path, line: index + 1, text: "\(word) is not allowed"))
            }
        }
        return found
    }

    private static func layers(_ file: SourceFile) -> [Violation] {
        guard let layer = Layers.layer(of: file) else {
            return [Violation(path: file.path, line: 1, text: "belongs to no target")]
        }
        guard file.isSwift else { return [] }
        var found: [Violation] = []
        let allowsPointers = layer.pointerPaths.contains { file.path.hasPrefix($0) }
        for (index, line) in file.code.enumerated() {
            func add(_ text: String) {
                found.append(Violation(path: file.path, line: index + 1, text: text))
            }
            if let module = importedModule(line) {
                if Layers.modules.contains(module), !layer.imports.contains(module) {
                    add("\(layer.folder) must not import \(module)")
                }
                if module.hasPrefix("Foundation"), !layer.allowsFoundation {
                    add("\(layer.folder) must not import \(module)")
                }
            }
            if !allowsPointers, let name = pointerName(line),
                !(layer.allowsBuffers && name.hasSuffix("BufferPointer"))
            {
                add("\(name) is not for this layer")
            }
        }
        return found
    }

    /// The module that a line imports.
    static func importedModule(_ line: String) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
            words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
        let name =
            kinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
        return name?.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    /// The name of a raw pointer type in a line.
    static func pointerName(_ line: String) -> Substring? {
        line.split { !$0.isLetter }.first { $0.hasPrefix("Unsafe") && $0.hasSuffix("Pointer") }
    }

    /// Whether a line has a word that does not continue before it.
    static func hasWord(_ line: String, _ word: String) -> Bool {
        var rest = Substring(line)
        while let range = rest.firstRange(of: word) {
            let before = rest[..<range.lowerBound].last
            let after = rest[range.upperBound...].first
            let continues =
                before?.isLetter == true || (word.last?.isLetter == true && after?.isLetter == true)
            if !continues { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }

    static func trimmed(_ line: Substring) -> Substring {
        line.drop(while: \.isWhitespace)
    }
}
