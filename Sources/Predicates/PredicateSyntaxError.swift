// SPDX-License-Identifier: Apache-2.0

/// Why a predicate format cannot be read.
public struct PredicateSyntaxError: Error, Sendable, Hashable {
    /// The kind of a syntax error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Something else was expected at this place.
        case unexpectedText
        /// A character belongs to no token.
        case unknownCharacter
        /// A string has no closing quote.
        case unterminatedString
        /// A backslash in a string is followed by something unknown.
        case invalidEscape
        /// A number cannot be read.
        case invalidNumber
        /// A `%` is not followed by a known conversion.
        case unknownConversion
        /// The format has more conversions than there are arguments.
        case tooFewArguments
        /// There are more arguments than the format has conversions.
        case tooManyArguments
        /// An argument does not have the type that its conversion names.
        case argumentType
        /// There is no function of a name, or none of that many arguments.
        case unknownFunction
        /// An operator or a modifier can apply to no operand of that kind.
        case operandKind
        /// Parentheses, operators or functions are nested too deeply.
        case nestedTooDeeply
        /// The form belongs to the language but is not available here.
        case unsupported
    }

    /// The kind of the error.
    public let code: Code
    /// The text that was read.
    public let format: String
    /// Where the error is: the count of characters before it.
    public let offset: Int
    /// What the text needs instead.
    public let expected: String
    /// What was found there.
    public let found: String

    /// Makes an error.
    public init(code: Code, format: String, offset: Int, expected: String, found: String) {
        self.code = code
        self.format = format
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

extension PredicateSyntaxError: CustomStringConvertible {
    /// The whole message: expected, found, offset, format.
    public var description: String {
        "expected \(expected) but found \(found) at offset \(offset) of the predicate "
            + "format: \(excerpt)"
    }

    /// The format; of a long one the characters around the place.
    private var excerpt: String {
        let (before, after) = (60, 60)
        let start = max(0, offset - before)
        let tail = format.dropFirst(start)
        let text = tail.prefix(offset - start + after)
        return (start > 0 ? "…" : "") + text + (text.endIndex < format.endIndex ? "…" : "")
    }
}
