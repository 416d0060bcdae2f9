// SPDX-License-Identifier: Apache-2.0

extension PropertyDeclaration {
    /// Reads the source of a declaration.
    ///
    /// - Throws: `Misuse` unless it is one stored-looking instance property with
    ///   a type and nothing after it.
    init(parsing source: String, macro: String) throws(Misuse) {
        var cursor = TokenCursor(source)
        try parseModifiers(&cursor, macro)
        try parseIntroducer(&cursor, macro)
        try parseName(&cursor, macro)
        try parseType(&cursor, macro)
        try parseEnd(&cursor, macro)
    }

    private mutating func parseModifiers(_ cursor: inout TokenCursor, _ macro: String)
        throws(Misuse)
    {
        while let token = cursor.token {
            if token.isMark("#") {
                cursor.skipLine()
            } else if token.isMark("@") {
                Self.skipAttribute(&cursor)
            } else if token.kind == .word, Self.isModifier(at: cursor) {
                cursor.take()
                let argument = cursor.takeGroup()?.first?.text
                try apply(token, argument, macro)
            } else {
                return
            }
        }
    }

    private static func skipAttribute(_ cursor: inout TokenCursor) {
        cursor.take()
        cursor.take()
        while cursor.token?.isMark(".") == true {
            cursor.take()
            cursor.take()
        }
        if cursor.token?.isMark("<") == true { cursor.skipAngles() }
        if let next = cursor.token, next.isMark("("), !next.isSpaced { _ = cursor.takeGroup() }
    }

    private static let introducers: Set<String> = [
        "var", "let", "func", "init", "deinit", "subscript", "case", "struct", "enum", "actor",
        "protocol", "extension", "typealias", "associatedtype", "macro", "import", "operator",
        "precedencegroup",
    ]

    /// `class` introduces a class unless a property or method follows.
    private static func isModifier(at cursor: TokenCursor) -> Bool {
        guard let token = cursor.token, !introducers.contains(token.text) else { return false }
        guard token.text == "class" else { return true }
        guard let next = cursor.peek(1) else { return false }
        return ["var", "let", "func", "subscript"].contains(next.text)
            || modifiers.contains(next.text) || AccessLevel(rawValue: next.text) != nil
    }

    private static let modifiers: Set<String> = [
        "override", "final", "dynamic", "lazy", "weak", "unowned", "nonisolated", "static",
    ]

    private mutating func apply(_ token: Token, _ argument: String?, _ macro: String) throws(Misuse)
    {
        switch token.text {
        case "static", "class":
            throw Misuse(
                "'@\(macro)' needs an instance property: a '\(token.text)' property belongs to no"
                    + " object", at: token.range)
        case "lazy", "weak", "unowned":
            throw Misuse(
                "'@\(macro)' cannot be combined with '\(token.text)': the context keeps the value",
                at: token.range)
        case "override":
            isOverride = true
        case "nonisolated":
            isNonisolated = true
        default:
            guard let level = AccessLevel(rawValue: token.text) else { return }
            if argument == "set" { setterAccess = level } else { access = level }
        }
    }

    private func parseIntroducer(_ cursor: inout TokenCursor, _ macro: String) throws(Misuse) {
        let range = cursor.range
        switch cursor.take()?.text {
        case "var":
            return
        case "let":
            throw Misuse(
                "'@\(macro)' needs a 'var': the value of a managed property is read from and"
                    + " written to its object", at: range,
                fix: .init(message: "change 'let' to 'var'", text: "var"))
        default:
            throw Misuse("'@\(macro)' can only be attached to a property", at: range)
        }
    }

    private mutating func parseName(_ cursor: inout TokenCursor, _ macro: String) throws(Misuse) {
        let range = cursor.range
        guard let token = cursor.take(), token.kind == .word, token.text != "_" else {
            throw Misuse(
                "'@\(macro)' needs a property with a name of its own, not a pattern", at: range)
        }
        name = Identifier(token.text)
    }

    private mutating func parseType(_ cursor: inout TokenCursor, _ macro: String) throws(Misuse) {
        guard cursor.take(mark: ":") else {
            if cursor.token?.isMark(",") == true { throw Self.several(macro, cursor.range) }
            throw Misuse(
                "'@\(macro)' needs the type written out: '\(name.text): <type>'",
                at: nameRange(cursor))
        }
        typeRange = cursor.range
        type = TypeText(parsing: &cursor)
        if type.tokens.isEmpty {
            throw Misuse("'@\(macro)' needs a type after the colon", at: cursor.range)
        }
    }

    private func nameRange(_ cursor: TokenCursor) -> Range<Int> {
        cursor.index > 0 ? cursor.tokens[cursor.index - 1].range : cursor.range
    }

    private func parseEnd(_ cursor: inout TokenCursor, _ macro: String) throws(Misuse) {
        guard let token = cursor.token else { return }
        switch token.text {
        case "=":
            throw Misuse(
                "'@\(macro)' cannot take an initial value: give the default in the model",
                at: token.range)
        case "{":
            throw Misuse(
                "'@\(macro)' writes the accessors itself: remove these, or the macro",
                at: token.range)
        case ",":
            throw Self.several(macro, token.range)
        default:
            // A semicolon: TypeText stops at nothing else.
            return
        }
    }

    private static func several(_ macro: String, _ range: Range<Int>) -> Misuse {
        Misuse("'@\(macro)' needs a declaration of its own for every property", at: range)
    }
}
