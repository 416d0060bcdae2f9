// SPDX-License-Identifier: Apache-2.0

/// A reading position in a list of tokens.
struct TokenCursor {
    let tokens: [Token]
    private(set) var index = 0

    init(_ source: String) {
        tokens = Tokenizer.tokens(of: source)
    }

    var token: Token? { peek() }

    /// The bytes of the current token, or the end of the text.
    var range: Range<Int> {
        if let token { return token.range }
        let end = tokens.last?.range.upperBound ?? 0
        return end..<end
    }

    func peek(_ distance: Int = 0) -> Token? {
        index + distance < tokens.count ? tokens[index + distance] : nil
    }

    @discardableResult
    mutating func take() -> Token? {
        defer { index = min(index + 1, tokens.count) }
        return token
    }

    mutating func take(mark: String) -> Bool {
        guard token?.isMark(mark) == true else { return false }
        index += 1
        return true
    }

    /// Takes a parenthesised group and returns what is inside; nil if there is
    /// no parenthesis here.
    mutating func takeGroup() -> [Token]? {
        guard take(mark: "(") else { return nil }
        var depth = 1
        var inside: [Token] = []
        while let token = take() {
            if token.isMark("(") { depth += 1 }
            if token.isMark(")") { depth -= 1 }
            if depth == 0 { break }
            inside.append(token)
        }
        return inside
    }

    /// Moves past the generic arguments that begin here.
    mutating func skipAngles() {
        var depth = 0
        while let token = take() {
            if token.isMark("<") { depth += 1 }
            if token.isMark(">") { depth -= 1 }
            if depth == 0 { return }
        }
    }

    /// Moves past the rest of the line, for a conditional directive.
    mutating func skipLine() {
        take()
        while let token, !token.startsLine { take() }
    }
}
