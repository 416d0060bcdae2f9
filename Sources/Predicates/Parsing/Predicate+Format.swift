// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// Reads a predicate format.
    ///
    /// The language is that of `NSPredicate(format:)`. `%@` takes a constant, `%K` a key path,
    /// the conversions of C take numbers and strings; inside quotes they are plain text. `NONE`
    /// becomes the negation of `ANY`, `TRUE` and `YES` the number 1, an aggregate of constants
    /// a list. A key that is not a word is written `#"any text"`.
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - arguments: One argument for each conversion, in order.
    /// - Throws: ``PredicateSyntaxError`` with the place of the error. Nesting beyond 400 levels
    ///   and more than 300 arithmetic operators in a row are errors, so that no text can exhaust
    ///   the stack: in a debug build reading takes at most 350 KB of the caller's, and what walks
    ///   the tree at most 720 KB.
    /// - Complexity: O(*n*) in the length of the format.
    public init(
        format: String, arguments: [Argument] = []
    ) throws(PredicateSyntaxError) {
        self = try Predicate.read(format, arguments, allowingFaults: false)
    }

    /// Reads the text of an archive, also one that ``init(format:arguments:)`` refuses because it
    /// can be evaluated with no object: that fails where it is used.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the place of the error.
    package init(archived text: String) throws(PredicateSyntaxError) {
        self = try Predicate.read(text, [], allowingFaults: true)
    }

    private static func read(
        _ format: String, _ arguments: [Argument], allowingFaults: Bool
    ) throws(PredicateSyntaxError) -> Predicate {
        try DeepFormat.read(format) { () throws(PredicateSyntaxError) in
            var parser = try Parser(format: format, arguments: arguments)
            parser.allowsFaults = allowingFaults
            let item = try parser.item()
            let tree = try parser.predicate(item)
            try parser.finish(expecting: "AND, OR or the end")
            return tree
        }
    }
}

extension Expression {
    /// Reads the format of an expression, such as `max(price) * 2`.
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - arguments: One argument for each conversion, in order.
    /// - Throws: ``PredicateSyntaxError`` with the place of the error.
    /// - Complexity: O(*n*) in the length of the format.
    public init(
        format: String, arguments: [Argument] = []
    ) throws(PredicateSyntaxError) {
        self = try Expression.read(format, arguments, allowingFaults: false)
    }

    /// Reads the text of an archive, also one that ``init(format:arguments:)`` refuses because it
    /// can be evaluated with no object: that fails where it is used.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the place of the error.
    package init(archived text: String) throws(PredicateSyntaxError) {
        self = try Expression.read(text, [], allowingFaults: true)
    }

    private static func read(
        _ format: String, _ arguments: [Argument], allowingFaults: Bool
    ) throws(PredicateSyntaxError) -> Expression {
        try DeepFormat.read(format) { () throws(PredicateSyntaxError) in
            var parser = try Parser(format: format, arguments: arguments)
            parser.allowsFaults = allowingFaults
            let item = try parser.item()
            let tree = try parser.expression(item)
            try parser.finish(expecting: "an operator or the end")
            return tree
        }
    }
}
