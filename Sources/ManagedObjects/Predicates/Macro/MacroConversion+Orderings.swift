// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// An expression of `#Predicate` whose value says how two texts stand to each other.
///
/// The language has no such value: compared with a constant one it is a comparison of the texts.
private protocol TextOrderingExpression: PredicateExpression {
    /// The texts, and the option of their comparison.
    func texts(_ conversion: inout MacroConversion) throws(MacroFailure) -> TextPair
}

private typealias TextPair = (
    left: Predicates.Expression, right: Predicates.Expression, options: ComparisonOptions
)

extension PredicateExpressions.StringCaseInsensitiveCompare: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        (try conversion.value(root), try conversion.value(other), .caseInsensitive)
    }
}

extension PredicateExpressions.StringLocalizedCompare: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        (try conversion.value(root), try conversion.value(other), .localeSensitive)
    }
}

// `nick?.caseInsensitiveCompare("x") == same`, which a missing text satisfies as little as a
// comparison with it.
extension PredicateExpressions.OptionalFlatMap: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        conversion.bind(variable.key, to: try conversion.value(wrapped))
        guard let ordering = transform as? any TextOrderingExpression else {
            throw MacroFailure(message: "the expression \(self)")
        }
        return try ordering.texts(&conversion)
    }
}

extension MacroConversion {
    /// The comparison of two texts whose ordering is compared with a constant one; nil for other
    /// expressions.
    mutating func ordering(
        _ one: some PredicateExpression, _ other: some PredicateExpression
    ) throws(Failure) -> PredicateTree? {
        if let tree = try comparison(one, other) { return tree }
        return try comparison(other, one)
    }

    private mutating func comparison(
        _ ordering: some PredicateExpression, _ constant: some PredicateExpression
    ) throws(Failure) -> PredicateTree? {
        guard let result = MacroConversion.result(constant),
            let ordering = ordering as? any TextOrderingExpression
        else { return nil }
        let (left, right, options) = try ordering.texts(&self)
        switch result {
        case .orderedSame: return .comparison(left, .equalTo, right, options)
        case .orderedAscending: return .comparison(left, .lessThan, right, options)
        case .orderedDescending: return .comparison(left, .greaterThan, right, options)
        }
    }

    private static func result(_ expression: some PredicateExpression) -> ComparisonResult? {
        guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
        return value as? ComparisonResult
    }
}
