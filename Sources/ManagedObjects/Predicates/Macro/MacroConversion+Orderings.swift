// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// An expression of `#Predicate` whose value says how two texts stand to each other.
///
/// The language has no such value: compared with a constant one it is a comparison of the texts.
private protocol TextOrderingExpression: PredicateExpression {
    /// The texts, the option of their comparison, and what has to be there for it.
    func texts(_ conversion: inout MacroConversion) throws(MacroFailure) -> TextPair
}

private typealias TextPair = (
    left: Predicates.Expression, right: Predicates.Expression, options: ComparisonOptions,
    present: [Predicates.Expression]
)

extension PredicateExpressions.StringCaseInsensitiveCompare: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        (try conversion.value(root), try conversion.value(other), .caseInsensitive, [])
    }
}

extension PredicateExpressions.StringLocalizedCompare: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        (try conversion.value(root), try conversion.value(other), .localeSensitive, [])
    }
}

// `nick?.caseInsensitiveCompare("x") == same`, which a missing text satisfies as little as a
// comparison with it.
extension PredicateExpressions.OptionalFlatMap: TextOrderingExpression {
    fileprivate func texts(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> TextPair {
        let value = try conversion.value(wrapped)
        conversion.bind(variable.key, to: value)
        guard let ordering = transform as? any TextOrderingExpression else {
            throw MacroFailure(message: "the expression \(self)")
        }
        var pair = try ordering.texts(&conversion)
        if !pair.left.isPath(from: value) { pair.present.append(value) }
        return pair
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
        let (left, right, options, present) = try ordering.texts(&self)
        let operation: Operator =
            switch result {
            case .orderedSame: .equalTo
            case .orderedAscending: .lessThan
            case .orderedDescending: .greaterThan
            }
        let tree = PredicateTree.comparison(left, operation, right, options)
        return present.isEmpty ? tree : .present(present, tree)
    }

    private static func result(_ expression: some PredicateExpression) -> ComparisonResult? {
        guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
        return value as? ComparisonResult
    }
}
