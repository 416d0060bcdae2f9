// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

extension NSComparisonPredicate {
    /// Compares the values of two expressions.
    ///
    /// ```swift
    /// let named = NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "title"),
    ///     rightExpression: NSExpression(forConstantValue: "the"), modifier: .direct,
    ///     type: .beginsWith, options: .caseInsensitive)
    /// print(named)  // title BEGINSWITH[c] "the"
    /// ```
    ///
    /// Equals the predicate of a format that says the same, in stores and in memory.
    ///
    /// - Parameters:
    ///   - lhs: The left side; with a modifier other than `direct`, a collection.
    ///   - rhs: The right side. A closed range in it is a pair of bounds.
    ///   - modifier: Whether all or any members of the collection are compared.
    ///   - type: The relation.
    ///   - options: How texts are compared.
    public convenience init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier,
        type: Operator, options: Options = []
    ) {
        guard let relation = Predicates.Operator(type), let scope = Predicates.Modifier(modifier)
        else {
            trap("a comparison has no relation \(type) with modifier \(modifier)")
        }
        var binder = ArgumentBinder()
        let left = binder.part(lhs)
        let comparison = Comparison(
            left: left, operator: relation, right: binder.part(rhs), modifier: scope,
            options: ComparisonOptions(rawValue: options.rawValue))
        self.init(
            _made: ManagedComparison.make(binder.finished(.comparison(comparison))),
            of: "two expressions", "NSComparisonPredicate")
    }
}

/// The members of `NSComparisonPredicate` that are unavailable on Linux, see ``ExpressionParts``.
public protocol ComparisonParts: NSComparisonPredicate {}

extension NSComparisonPredicate: ComparisonParts {}

extension ComparisonParts {
    private var bound: BoundTree<PredicateTree> {
        guard let content = managedContent else {
            trap("\(type(of: self)) has no expressions; make an NSComparisonPredicate")
        }
        return content.content
    }

    private var comparison: Comparison {
        if case .comparison(let comparison) = bound.tree { return comparison }
        trap("\(self) compares nothing")
    }

    /// The left side.
    public var leftExpression: NSExpression {
        ManagedExpression.make(BoundTree(comparison.left, bound.values))
    }

    /// The right side.
    public var rightExpression: NSExpression {
        ManagedExpression.make(BoundTree(comparison.right, bound.values))
    }

    /// The relation of the two sides.
    public var predicateOperatorType: NSComparisonPredicate.Operator {
        NSComparisonPredicate.Operator(comparison.operator)
    }

    /// Whether all or any members of the left side are compared.
    public var comparisonPredicateModifier: NSComparisonPredicate.Modifier {
        switch comparison.modifier {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }

    /// How texts are compared.
    public var options: NSComparisonPredicate.Options {
        NSComparisonPredicate.Options(rawValue: comparison.options.rawValue)
    }
}

extension Predicates.Modifier {
    fileprivate init?(_ modifier: NSComparisonPredicate.Modifier) {
        self.init(rawValue: modifier.rawValue)
    }
}

// Foundation's numbers of the last two differ on Linux from those of Apple's systems.
extension Predicates.Operator {
    fileprivate init?(_ type: NSComparisonPredicate.Operator) {
        switch type {
        case .contains: self = .contains
        case .between: self = .between
        default: self.init(rawValue: type.rawValue)
        }
    }
}

extension NSComparisonPredicate.Operator {
    fileprivate init(_ relation: Predicates.Operator) {
        switch relation {
        case .contains: self = .contains
        case .between: self = .between
        default: self = Self(rawValue: relation.rawValue) ?? .equalTo
        }
    }
}
