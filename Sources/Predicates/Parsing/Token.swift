// SPDX-License-Identifier: Apache-2.0

/// The smallest part of a predicate format that has a meaning.
enum Token: Hashable {
    /// The end of the text.
    case end
    /// A word: a key, a function's name or a keyword.
    case word(String)
    /// A word after `#`, never a keyword.
    case key(String)
    /// A collection operator with its `@`.
    case collectionOperator(String)
    /// A function's name with colons, as in `modulus:by:`.
    case selector(String)
    /// A quoted string, its escapes resolved.
    case string(String)
    /// The text of a number without sign.
    case number(String)
    /// The name after a `$`.
    case variable(String)
    /// A `%` conversion.
    case conversion(Conversion)
    /// Punctuation.
    case symbol(Symbol)
}

/// What a `%` conversion takes from the arguments.
enum Conversion: Hashable {
    /// `%@`: any operand.
    case object
    /// `%K`: a key path.
    case keyPath
    /// `%d` and its kin: a whole number.
    case integer
    /// `%f` and its kin: a number.
    case number
    /// `%s`: a string.
    case string
    /// `%c`: a whole number or a string.
    case character
}

/// Punctuation of predicate formats.
enum Symbol: String, CaseIterable {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case power = "**"
    case divide = "/"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case complement = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case and = "&&"
    case or = "||"
    case not = "!"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case assign = ":="
}

extension Symbol {
    /// The symbol that begins a text and its length; the longest wins.
    init?(first: UInt8, second: UInt8, length: inout Int) {
        length = 2
        switch (first, second) {
        case (0x2A, 0x2A): self = .power
        case (0x26, 0x26): self = .and
        case (0x3C, 0x3C): self = .shiftLeft
        case (0x3E, 0x3E): self = .shiftRight
        case (0x7C, 0x7C): self = .or
        case (0x3D, 0x3D): self = .equal
        case (0x21, 0x3D), (0x3C, 0x3E): self = .notEqual
        case (0x3C, 0x3D), (0x3D, 0x3C): self = .lessOrEqual
        case (0x3E, 0x3D), (0x3D, 0x3E): self = .greaterOrEqual
        case (0x3A, 0x3D): self = .assign
        case (0x3D, _):
            length = 1
            self = .equal
        default:
            length = 1
            let text = String(decoding: CollectionOfOne(first), as: UTF8.self)
            guard let symbol = Symbol(rawValue: text) else { return nil }
            self = symbol
        }
    }

    /// The comparison operator that the symbol stands for.
    var comparisonOperator: Operator? {
        switch self {
        case .equal: .equalTo
        case .notEqual: .notEqualTo
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqualTo
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqualTo
        default: nil
        }
    }
}
