// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// The bounds of a range in `#Predicate`.
struct MacroBounds {
    var lower: Predicates.Expression?
    var upper: Predicates.Expression?
    var includesUpper = true

    /// - Returns: `nil` for an expression that is no range.
    init?(
        _ expression: some PredicateExpression, _ conversion: inout MacroConversion
    ) throws(MacroFailure) {
        if let value = try? expression.evaluate(PredicateBindings()) {
            guard let range = value as? any BoundedRange else { return nil }
            self = try range.bounds()
        } else if let range = expression as? any RangeExpressionParts {
            self = try range.bounds(&conversion)
        } else {
            return nil
        }
    }

    init(
        _ lower: Predicates.Expression?, _ upper: Predicates.Expression?, includesUpper: Bool = true
    ) {
        self.lower = lower
        self.upper = upper
        self.includesUpper = includesUpper
    }

    /// Whether a value is within the bounds.
    func predicate(_ value: Predicates.Expression) -> PredicateTree {
        if includesUpper, let lower, let upper {
            let bounds = Predicates.Expression.aggregate([lower, upper])
            return .comparison(
                value, .between, bounds.constantOperand.map { .constant($0) } ?? bounds)
        }
        var members: [PredicateTree] = []
        if let lower { members.append(.comparison(value, .greaterThanOrEqualTo, lower)) }
        if let upper {
            members.append(
                .comparison(value, includesUpper ? .lessThanOrEqualTo : .lessThan, upper))
        }
        return members.count == 1 ? members[0] : .and(members)
    }

    fileprivate static func constant(_ value: Any) throws(MacroFailure) -> Predicates.Expression {
        guard let operand = PredicateConversion.operand(value) else {
            throw MacroFailure(message: "the bound \(value)")
        }
        return .constant(operand)
    }
}

extension PredicateExpressions.RangeExpressionContains: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        guard let bounds = try MacroBounds(range, &conversion) else {
            throw MacroFailure(message: "the range \(range)")
        }
        return .predicate(bounds.predicate(try conversion.value(element)))
    }
}

/// A range that the macro's closure makes of two expressions.
private protocol RangeExpressionParts {
    func bounds(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroBounds
}

extension PredicateExpressions.ClosedRange: RangeExpressionParts {
    fileprivate func bounds(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> MacroBounds {
        MacroBounds(try conversion.value(lower), try conversion.value(upper))
    }
}

extension PredicateExpressions.Range: RangeExpressionParts {
    fileprivate func bounds(
        _ conversion: inout MacroConversion
    ) throws(MacroFailure) -> MacroBounds {
        MacroBounds(
            try conversion.value(lower), try conversion.value(upper), includesUpper: false)
    }
}

/// A range that is known.
private protocol BoundedRange {
    func bounds() throws(MacroFailure) -> MacroBounds
}

extension ClosedRange: BoundedRange {
    fileprivate func bounds() throws(MacroFailure) -> MacroBounds {
        MacroBounds(try MacroBounds.constant(lowerBound), try MacroBounds.constant(upperBound))
    }
}

extension Range: BoundedRange {
    fileprivate func bounds() throws(MacroFailure) -> MacroBounds {
        MacroBounds(
            try MacroBounds.constant(lowerBound), try MacroBounds.constant(upperBound),
            includesUpper: false)
    }
}

extension PartialRangeFrom: BoundedRange {
    fileprivate func bounds() throws(MacroFailure) -> MacroBounds {
        MacroBounds(try MacroBounds.constant(lowerBound), nil)
    }
}

extension PartialRangeThrough: BoundedRange {
    fileprivate func bounds() throws(MacroFailure) -> MacroBounds {
        MacroBounds(nil, try MacroBounds.constant(upperBound))
    }
}

extension PartialRangeUpTo: BoundedRange {
    fileprivate func bounds() throws(MacroFailure) -> MacroBounds {
        MacroBounds(nil, try MacroBounds.constant(upperBound), includesUpper: false)
    }
}
