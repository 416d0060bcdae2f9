// SPDX-License-Identifier: Apache-2.0

/// Finds functions that are too long, by their braces.
enum FunctionLengths {
    static let maximumLines = 70

    /// A function whose body is open.
    private struct Open {
        let name: String
        let line: Int
        let depth: Int
    }

    static func violations(in file: SourceFile) -> [Violation] {
        var found: [Violation] = []
        var open: [Open] = []
        var announced: (name: String, line: Int)?
        var depth = 0
        var parentheses = 0
        for (index, line) in file.code.enumerated() {
            if let name = functionName(line) {
                announced = (name, index + 1)
                parentheses = 0
            }
            for character in line {
                switch character {
                case "(": parentheses += 1
                case ")": parentheses -= 1
                case "{":
                    depth += 1
                    // A brace inside the parameters belongs to a default value.
                    if let start = announced, parentheses <= 0 {
                        open.append(Open(name: start.name, line: start.line, depth: depth))
                        announced = nil
                    }
                case "}":
                    if let last = open.last, last.depth == depth {
                        open.removeLast()
                        let count = index + 2 - last.line
                        if count > maximumLines {
                            found.append(
                                Violation(
                                    path: file.path, line: last.line,
                                    text: "\(last.name) has \(count) lines, \(maximumLines) are "
                                        + "allowed"))
                        }
                    }
                    depth -= 1
                    // A declaration without a body ends with its protocol.
                    if parentheses <= 0 { announced = nil }
                default: break
                }
            }
        }
        return found
    }

    /// The function that a line begins to declare.
    static func functionName(_ line: String) -> String? {
        let separators: Set<Character> = [" ", "(", "<", "?", "!"]
        let words = line.split { separators.contains($0) }
        for (index, word) in words.enumerated() {
            if word == "func" { return index + 1 < words.count ? String(words[index + 1]) : nil }
            if word == "init" || word == "deinit" || word == "subscript" { return String(word) }
            guard word.hasPrefix("@") || modifiers.contains(word) else { return nil }
        }
        return nil
    }

    static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "open", "static", "class",
        "final", "override", "mutating", "nonmutating", "borrowing", "consuming", "convenience",
        "required", "nonisolated", "isolated", "indirect", "prefix", "postfix", "infix",
        "inline", "__always)", "never)", "distributed", "dynamic", "lazy", "weak", "unowned",
    ]
}
