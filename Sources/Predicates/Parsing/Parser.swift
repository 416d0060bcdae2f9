// SPDX-License-Identifier: Apache-2.0

/// Reads a predicate format by recursive descent.
///
/// A parenthesis may begin a predicate or an expression, so one grammar covers both: every level
/// returns an ``Item``, and the operator that joins items demands the kind it needs. No text is
/// read twice. Nesting is bounded, and so is the height of the tree, which long chains of `+` raise
/// without nesting, so code that walks the tree may recurse.
struct Parser {
    /// The deepest nesting of parentheses, operators and functions, see ``DeepFormat``.
    static let maximumNesting = 400
    /// The highest tree of expressions.
    ///
    /// Measured in debug builds, printing and evaluation take up to 2.4 KB of stack for a level.
    static let maximumHeight = 300

    var lexer: Lexer
    var token = Token.end
    /// The byte where the token begins.
    var start = 0
    /// The byte after the token before this one.
    var previousEnd = 0
    let arguments: [Argument]
    var usedArguments = 0
    /// Whether variables stand in the places of arguments, see ``PredicateTemplate``.
    var leavesArgumentsOpen = false
    /// Whether what can be evaluated with no object is read as well, as archives may hold it: a
    /// program can build it, and earlier versions read it in formats.
    var allowsFaults = false
    /// What `:=` has assigned to variables so far.
    var assigned: [String: Item] = [:]
    private var nesting = 0

    init(format: String, arguments: [Argument]) throws(PredicateSyntaxError) {
        lexer = Lexer(format)
        self.arguments = arguments
        try advance()
    }

    /// A part of the tree, with its height and the byte where its text begins.
    struct Item {
        enum Node {
            case predicate(Predicate)
            case expression(Expression)
        }

        var node: Node
        var height = 1
        var start: Int
    }

    /// Moves to the next token.
    mutating func advance() throws(PredicateSyntaxError) {
        previousEnd = lexer.position
        lexer.skipWhitespace()
        start = lexer.position
        token = try lexer.next()
    }

    /// Runs a part of the grammar one level deeper.
    mutating func nested(
        _ body: (inout Parser) throws(PredicateSyntaxError) -> Item
    ) throws(PredicateSyntaxError) -> Item {
        guard nesting < Parser.maximumNesting else {
            throw tooDeep("at most \(Parser.maximumNesting) levels of nesting")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try body(&self)
    }

    /// Joins parts under one node.
    func item(
        _ node: Item.Node, over parts: [Item], start: Int
    ) throws(PredicateSyntaxError) -> Item {
        let height = 1 + (parts.lazy.map(\.height).max() ?? 0)
        guard height <= Parser.maximumHeight else {
            throw tooDeep("at most \(Parser.maximumHeight) operators in a row")
        }
        return Item(node: node, height: height, start: start)
    }

    /// Checks that all text and all arguments were used.
    func finish(expecting expected: String) throws(PredicateSyntaxError) {
        guard token == .end else { throw unexpected(expected) }
        guard usedArguments == arguments.count else {
            throw lexer.error(
                .tooManyArguments, at: lexer.bytes.count,
                expected: "\(usedArguments) arguments", found: "\(arguments.count)")
        }
    }
}

extension Parser {
    /// The keyword that the token spells.
    var keyword: Keyword? {
        if case .word(let word) = token { Keyword(word: word) } else { nil }
    }

    /// Moves past a keyword; returns whether it was there.
    mutating func accept(_ keyword: Keyword) throws(PredicateSyntaxError) -> Bool {
        guard self.keyword == keyword else { return false }
        try advance()
        return true
    }

    /// Moves past punctuation; returns whether it was there.
    mutating func accept(_ symbol: Symbol) throws(PredicateSyntaxError) -> Bool {
        guard token == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    /// Moves past punctuation that must be there.
    mutating func require(_ symbol: Symbol) throws(PredicateSyntaxError) {
        guard try accept(symbol) else { throw unexpected("“\(symbol.rawValue)”") }
    }

    /// The error of a token that cannot stand where it does.
    func unexpected(_ expected: String) -> PredicateSyntaxError {
        let text = lexer.text(start..<min(lexer.position, start + 160))
        let found = token == .end ? "the end" : "“\(text.prefix(40))”"
        return lexer.error(.unexpectedText, at: start, expected: expected, found: found)
    }

    func unsupported(_ form: String, instead: String) -> PredicateSyntaxError {
        lexer.error(.unsupported, at: start, expected: instead, found: form)
    }

    private func tooDeep(_ expected: String) -> PredicateSyntaxError {
        lexer.error(.nestedTooDeeply, at: start, expected: expected, found: "more")
    }

    /// The predicate of an item; an expression still lacks its comparison operator here.
    func predicate(_ item: Item) throws(PredicateSyntaxError) -> Predicate {
        if case .predicate(let predicate) = item.node { return predicate }
        if keyword == .not {
            throw unexpected("a comparison operator; NOT stands before the whole comparison")
        }
        throw unexpected("a comparison operator")
    }

    /// The expression of an item.
    func expression(_ item: Item) throws(PredicateSyntaxError) -> Expression {
        if case .expression(let expression) = item.node { return expression }
        throw lexer.error(
            .unexpectedText, at: item.start, expected: "an expression", found: "a predicate")
    }
}
