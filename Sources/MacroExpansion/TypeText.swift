// SPDX-License-Identifier: Apache-2.0

/// A type as it was written, without its comments.
struct TypeText: Equatable {
    var tokens: [Token]

    init(tokens: [Token]) {
        self.tokens = tokens
    }

    /// Takes the tokens of a type: up to a `=`, `{` or `,` outside of brackets.
    init(parsing cursor: inout TokenCursor) {
        tokens = []
        var depth = 0
        while let token = cursor.token {
            if depth <= 0, ["=", "{", ",", ";"].contains(where: token.isMark) { return }
            depth += Self.nesting(token)
            tokens.append(token)
            cursor.take()
        }
    }

    /// The source text, with one blank where anything stood between tokens.
    var source: String {
        var text = ""
        for (index, token) in tokens.enumerated() {
            if index > 0, token.isSpaced { text += " " }
            text += token.text
        }
        return text
    }

    /// +1 for a token that opens brackets, −1 for one that closes them.
    private static func nesting(_ token: Token) -> Int {
        guard token.kind == .mark else { return 0 }
        switch token.text {
        case "(", "[", "<": return 1
        case ")", "]", ">": return -1
        default: return 0
        }
    }
}

extension TypeText {
    /// The type inside `?`, `!`, `Optional<…>` and needless parentheses.
    var unwrapped: TypeText {
        var type = self
        // Real code does not nest deeper; without a bound odd input costs quadratic time.
        for _ in 0..<16 {
            guard let inner = type.unwrappedOnce else { return type }
            type = inner
        }
        return type
    }

    private var unwrappedOnce: TypeText? {
        if let last = tokens.last, last.isMark("?") || last.isMark("!") {
            return TypeText(tokens: tokens.dropLast())
        }
        if let (name, argument) = generic, name == "Optional" { return argument }
        if tokens.count > 2, tokens[0].isMark("("), spans(0, tokens.count - 1) {
            return TypeText(tokens: Array(tokens.dropFirst().dropLast()))
        }
        return nil
    }

    /// The name of a type that is nothing but a name, without `Swift.` or
    /// `Foundation.` before it.
    var name: String? {
        let tokens = unqualified
        return tokens.count == 1 && tokens[0].kind == .word
            ? Identifier(tokens[0].text).text : nil
    }

    /// Name and argument of a type with one generic argument.
    var generic: (name: String, argument: TypeText)? {
        let tokens = unqualified
        guard tokens.count > 3, tokens[0].kind == .word, tokens[1].isMark("<") else { return nil }
        let type = TypeText(tokens: tokens)
        guard type.spans(1, tokens.count - 1) else { return nil }
        return (Identifier(tokens[0].text).text, TypeText(tokens: Array(tokens[2...].dropLast())))
    }

    private var unqualified: [Token] {
        guard tokens.count > 2, tokens[1].isMark("."),
            ["Swift", "Foundation"].contains(tokens[0].text)
        else { return tokens }
        return Array(tokens[2...])
    }

    /// Whether the bracket at `first` is closed by the one at `last`, with no
    /// comma directly inside.
    private func spans(_ first: Int, _ last: Int) -> Bool {
        var depth = 0
        for index in first...last {
            depth += Self.nesting(tokens[index])
            if depth == 0 { return index == last }
            if depth == 1, tokens[index].isMark(",") { return false }
        }
        return false
    }
}
