// SPDX-License-Identifier: Apache-2.0

/// What turns off a check of the compiler or at run time must say why that is right.
///
/// In the library a `SAFETY:` comment does so: it states the invariant, and who keeps it.
enum SafetyRule {
    private static let tokens = [
        "Unmanaged", "_withUnsafeGuaranteedRef", "unsafeBitCast(", "unsafeDowncast(",
        "@exclusivity(unchecked)", "@unchecked Sendable", "nonisolated(unsafe)",
        "UncheckedTransfer(",
    ]

    /// What needs a reason in any comment: the first list is for all files, the second one for
    /// those outside the library.
    private static let needReasons = ["unowned(unsafe)"]
    private static let needReasonsElsewhere = ["@unchecked Sendable", "nonisolated(unsafe)"]

    static func violations(in file: SourceFile) -> [Violation] {
        let isLibrary = file.path.hasPrefix("Sources/")
        let others = needReasons + (isLibrary ? [] : needReasonsElsewhere)
        var found: [Violation] = []
        for (line, code) in file.code.enumerated() {
            func add(_ text: String) {
                found.append(Violation(path: file.path, line: line + 1, text: text))
            }
            for token in isLibrary ? tokens : [] where Rules.hasWord(code, token) {
                if !isExplained(file, at: line) { add("\(token) without a SAFETY: comment above") }
            }
            for token in others where code.contains(token) {
                if !hasReason(file, at: line, startsBody: token.hasPrefix("@")) {
                    add("\(token) without the reason in a comment above")
                }
            }
        }
        return found
    }

    /// Whether there is a comment on the line above, or on the first line of the body.
    private static func hasReason(_ file: SourceFile, at line: Int, startsBody: Bool) -> Bool {
        isComment(file, line - 1) || (startsBody && isComment(file, line + 1))
    }
}

// Where the comment may stand.
extension SafetyRule {
    /// Whether a `SAFETY:` comment speaks for a line.
    private static func isExplained(_ file: SourceFile, at line: Int) -> Bool {
        let (member, type) = enclosing(line, in: file.code)
        // In a function or a property: anywhere from the comment above it to the line.
        if let member { return hasSafety(file, in: top(file, of: member)...line) }
        if let header = header(of: line, in: type, file.code) {
            return hasSafety(file, in: top(file, of: header)...line)
                || startsBodyWithSafety(file, from: header)
        }
        // A member of its own: above it, or above members before it, but not inside those.
        let first = top(file, of: type ?? line)
        return hasSafety(file, in: first...line, atMost: indentation(file.lines[line]))
    }

    private static func hasSafety(
        _ file: SourceFile, in lines: ClosedRange<Int>, atMost depth: Int = .max
    ) -> Bool {
        lines.contains {
            isComment(file, $0) && file.lines[$0].contains("SAFETY:")
                && indentation(file.lines[$0]) <= depth
        }
    }

    /// The line where the comment and the attributes above a declaration begin.
    private static func top(_ file: SourceFile, of line: Int) -> Int {
        var first = line
        while isComment(file, first - 1) || isAttribute(file, first - 1) { first -= 1 }
        return first
    }

    /// The declaration of a type whose inheritance a line belongs to.
    private static func header(of line: Int, in type: Int?, _ code: [String]) -> Int? {
        if declaration(code[line]) == .type { return line }
        guard let type, !code[type..<line].contains(where: { $0.contains("{") }) else { return nil }
        return type
    }

    /// Whether the body of a type begins with such a comment, below the documentation of the type.
    private static func startsBodyWithSafety(_ file: SourceFile, from header: Int) -> Bool {
        guard let opening = file.code[header...].firstIndex(where: { $0.contains("{") }),
            opensBody(file.code[opening])
        else { return false }
        var end = opening
        while isComment(file, end + 1) { end += 1 }
        return hasSafety(file, in: opening...end)
    }

    private static func isComment(_ file: SourceFile, _ line: Int) -> Bool {
        file.lines.indices.contains(line) && Rules.trimmed(file.lines[line]).hasPrefix("//")
    }

    private static func isAttribute(_ file: SourceFile, _ line: Int) -> Bool {
        file.lines.indices.contains(line) && Rules.trimmed(file.lines[line]).hasPrefix("@")
            && declaration(file.code[line]) == nil
    }
}

// Declarations, as indentation tells them.
extension SafetyRule {
    enum Declaration {
        case type
        case member
    }

    /// The declarations around a line: the outermost one inside a type, and that type.
    private static func enclosing(_ line: Int, in code: [String]) -> (member: Int?, type: Int?) {
        var member: Int?
        var limit = indentation(code[line])
        for index in stride(from: line - 1, through: 0, by: -1) {
            let depth = indentation(code[index])
            guard depth < limit else { continue }
            limit = depth
            switch declaration(code[index]) {
            case .type: return (member, index)
            case .member: member = index
            case nil: if opensBody(code[index]) { limit += 1 }
            }
        }
        return (member, nil)
    }

    /// Whether a line may open the body of a declaration that begins further up, as deep.
    private static func opensBody(_ line: String) -> Bool {
        line.last { !$0.isWhitespace } == "{" || line.first { !$0.isWhitespace } == ")"
    }

    /// What a line begins to declare; `nil` for a statement.
    static func declaration(_ line: String) -> Declaration? {
        let words = withoutArguments(line).split(whereSeparator: \.isWhitespace)
        for (index, word) in words.enumerated() {
            let name = word.prefix { $0.isLetter }
            let next = index + 1 < words.count ? words[index + 1].prefix { $0.isLetter } : ""
            if types.contains(word) {
                // `class func` is a member.
                let isModifier = members.contains(next) || FunctionLengths.modifiers.contains(next)
                if word == "class", isModifier { continue }
                return next.isEmpty ? nil : .type
            }
            if members.contains(name) { return .member }
            guard word.hasPrefix("@") || FunctionLengths.modifiers.contains(name) else {
                return nil
            }
        }
        return nil
    }

    /// The line without what stands in parentheses, such as the arguments of attributes.
    private static func withoutArguments(_ line: String) -> String {
        var depth = 0
        return line.filter { character in
            if character == "(" { depth += 1 }
            defer { if character == ")" { depth -= 1 } }
            return depth == 0
        }
    }

    /// The spaces that a line begins with; more than any for an empty one.
    private static func indentation(_ line: some StringProtocol) -> Int {
        line.firstIndex { !$0.isWhitespace }.map { line.distance(from: line.startIndex, to: $0) }
            ?? .max
    }

    private static let types: Set<Substring> = [
        "class", "struct", "enum", "extension", "actor", "protocol",
    ]

    private static let members: Set<Substring> = [
        "func", "init", "deinit", "var", "let", "subscript", "case", "typealias",
    ]
}
