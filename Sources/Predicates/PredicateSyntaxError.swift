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
    /// The whole message: expected, found and offset, and below them the format with a caret under
    /// the place.
    public var description: String {
        let (text, place) = excerpt
        let indent = String(text.prefix(place).map { $0.isWide ? "\u{3000}" : " " })
        return "expected \(expected) but found \(found) at offset \(offset) of the predicate "
            + "format:\n  \(text)\n  \(indent)^"
    }

    /// The format in one line, of a long one the characters around the place, and where in it the
    /// place is.
    private var excerpt: (text: String, place: Int) {
        let (before, after) = (60, 60)
        let start = max(0, offset - before)
        let tail = format.dropFirst(start)
        let part = tail.prefix(offset - start + after)
        let line = String(part.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        let lead = start > 0 ? "…" : ""
        return (
            lead + line + (part.endIndex < format.endIndex ? "…" : ""), lead.count + offset - start
        )
    }
}

extension Character {
    /// Whether terminals show the character two columns wide, as most of East Asia's and emoji.
    fileprivate var isWide: Bool {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
