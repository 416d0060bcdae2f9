// SPDX-License-Identifier: Apache-2.0

/// The reserved words of predicate formats, in any case.
///
/// A key that is spelled like one is written with a `#` before it.
enum Keyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case `in` = "IN"
    case all = "ALL"
    case any = "ANY"
    case someOf = "SOME"
    case noneOf = "NONE"
    case like = "LIKE"
    case caseInsensitive = "CASEINSENSITIVE"
    case caseInsensitiveShort = "CI"
    case matches = "MATCHES"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case between = "BETWEEN"
    case null = "NULL"
    case nilWord = "NIL"
    case evaluatedObject = "SELF"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case anyKey = "ANYKEY"
    case subquery = "SUBQUERY"
    case fetch = "FETCH"
    case cast = "CAST"
    case function = "FUNCTION"
    case ternary = "TERNARY"
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"

    private static let longest = 15

    /// The keyword that a word spells; `nil` for any other word.
    init?(word: String) {
        guard word.utf8.count <= Keyword.longest, word.utf8.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        self.init(rawValue: word.uppercased())
    }
}

extension Keyword {
    /// Whether the word is an ordinary key unless its place gives it a meaning: only before a
    /// parenthesis, in an index or between two expressions.
    var isContextual: Bool {
        switch self {
        case .first, .last, .size, .subquery, .fetch, .cast, .function, .ternary, .union,
            .intersect, .minus, .caseInsensitive, .caseInsensitiveShort:
            true
        default: false
        }
    }

    /// Whether the word joins expressions or predicates.
    var joins: Bool {
        switch self {
        case .and, .or, .union, .intersect, .minus: true
        default: comparisonOperator != nil
        }
    }

    /// The comparison operator that the word names.
    var comparisonOperator: Operator? {
        switch self {
        case .in: .in
        case .like: .like
        case .matches: .matches
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .between: .between
        default: nil
        }
    }
}
