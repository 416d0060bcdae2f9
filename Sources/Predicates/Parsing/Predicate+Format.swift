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
    /// - Throws: ``PredicateSyntaxError`` with the place of the error. Nesting beyond 64 levels
    ///   and more than 300 arithmetic operators in a row are errors, so that no text can exhaust
    ///   the stack.
    /// - Complexity: O(*n*) in the length of the format.
    public init(
        format: String, arguments: [Argument] = []
    ) throws(PredicateSyntaxError) {
        var parser = try Parser(format: format, arguments: arguments)
        let item = try parser.item()
        self = try parser.predicate(item)
        try parser.finish(expecting: "AND, OR or the end")
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
        var parser = try Parser(format: format, arguments: arguments)
        let item = try parser.item()
        self = try parser.expression(item)
        try parser.finish(expecting: "an operator or the end")
    }
}
