// SPDX-License-Identifier: Apache-2.0

/// The relation of a comparison.
///
/// Raw values are those of `NSComparisonPredicate.Operator`.
public enum Operator: UInt, Sendable, Hashable, CaseIterable {
    /// `<`.
    case lessThan = 0
    /// `<=`.
    case lessThanOrEqualTo = 1
    /// `>`.
    case greaterThan = 2
    /// `>=`.
    case greaterThanOrEqualTo = 3
    /// `==`.
    case equalTo = 4
    /// `!=`; true when exactly one side is nil.
    case notEqualTo = 5
    /// `MATCHES`: a regular expression that covers the whole text.
    case matches = 6
    /// `LIKE`: a pattern with `*` and `?` that covers the whole text, see ``LikePattern``.
    case like = 7
    /// `BEGINSWITH`.
    case beginsWith = 8
    /// `ENDSWITH`.
    case endsWith = 9
    /// `IN`: the left side is a member, or a part of the text, on the right.
    case `in` = 10
    /// `CONTAINS`: the right side is a member, or a part of the text, on the left.
    case contains = 99
    /// `BETWEEN`: within two bounds, both included.
    case between = 100
}

extension Operator {
    /// The operator as predicate formats write it.
    public var text: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}
