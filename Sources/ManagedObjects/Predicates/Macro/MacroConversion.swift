// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// Turns the expressions of `#Predicate` into the trees that stores run.
struct MacroConversion {
    /// What has no form in the predicate language.
    struct Failure: Error {
        let message: String
    }

    /// What an expression becomes.
    enum Part {
        case expression(Predicates.Expression)
        case predicate(PredicateTree)
        /// A condition on values that may be missing: nil where one of them is.
        case optional([Predicates.Expression], PredicateTree)
    }

    private var variables: [PredicateExpressions.VariableID: Predicates.Expression]
    private var members = 0

    init(_ object: PredicateExpressions.VariableID) {
        variables = [object: .evaluatedObject]
    }

    /// What a variable stands for.
    func expression(of variable: PredicateExpressions.VariableID) throws(Failure)
        -> Predicates.Expression
    {
        guard let known = variables[variable] else { throw Failure(message: "an unknown variable") }
        return known
    }

    /// Has a variable stand for an expression.
    mutating func bind(
        _ variable: PredicateExpressions.VariableID, to expression: Predicates.Expression
    ) {
        variables[variable] = expression
    }

    /// Has a variable stand for each member of a collection; its name.
    mutating func bindMember(_ variable: PredicateExpressions.VariableID) -> String {
        members += 1
        let name = members == 1 ? "x" : "x\(members)"
        variables[variable] = .variable(name)
        return name
    }
}

/// An expression of `#Predicate` that has a form in the predicate language.
protocol ConvertiblePredicateExpression: PredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroConversion.Failure)
        -> MacroConversion.Part
}

extension MacroConversion {
    /// The form of an expression: a constant, if it contains no variable.
    mutating func part(_ expression: some PredicateExpression) throws(Failure) -> Part {
        if let value = try? expression.evaluate(PredicateBindings()),
            let operand = PredicateConversion.operand(value)
        {
            return .expression(.constant(operand))
        }
        guard let convertible = expression as? any ConvertiblePredicateExpression else {
            throw Failure(message: "the expression \(expression)")
        }
        return try convertible.convert(&self)
    }

    /// The form of an expression as a condition.
    mutating func predicate(_ expression: some PredicateExpression) throws(Failure) -> PredicateTree
    {
        switch try part(expression) {
        case .predicate(let tree): return tree
        case .optional(let values, let tree): return .present(values, tree)
        case .expression(.constant(.value(.boolean(let flag)))): return .constant(flag)
        case .expression(let value):
            return .comparison(value, .equalTo, .constant(.value(.boolean(true))))
        }
    }

    /// The form of an expression as a value.
    mutating func value(_ expression: some PredicateExpression) throws(Failure)
        -> Predicates.Expression
    {
        try part(expression).expression
    }
}

extension MacroConversion.Part {
    /// The part as a value; a condition is a boolean.
    var expression: Predicates.Expression {
        switch self {
        case .expression(let value): value
        case .predicate(let tree): tree.flag
        case .optional(let values, let tree):
            .conditional(.present(values), tree.flag, .constant(.value(.null)))
        }
    }
}

extension PredicateTree {
    /// A direct comparison.
    static func comparison(
        _ left: Predicates.Expression, _ operation: Operator, _ right: Predicates.Expression,
        _ options: ComparisonOptions = []
    ) -> PredicateTree {
        .comparison(
            Comparison(left: left, operator: operation, right: right, options: options))
    }

    /// Whether a value is there.
    static func isNotNull(_ value: Predicates.Expression) -> PredicateTree {
        .comparison(value, .notEqualTo, .constant(.value(.null)))
    }

    /// Whether all values are there, and a condition holds.
    static func present(
        _ values: [Predicates.Expression], _ tree: PredicateTree? = nil
    ) -> PredicateTree {
        let members = values.map { isNotNull($0) }
        guard let tree else { return members.count == 1 ? members[0] : .and(members) }
        return .conjunction(.and(members), tree)
    }

    /// Whether one of the values is missing.
    static func absent(_ values: [Predicates.Expression]) -> PredicateTree {
        let members = values.map { value in
            PredicateTree.comparison(value, .equalTo, .constant(.value(.null)))
        }
        return members.count == 1 ? members[0] : .or(members)
    }

    /// The condition as a boolean.
    fileprivate var flag: Predicates.Expression {
        .conditional(
            self, .constant(.value(.boolean(true))), .constant(.value(.boolean(false))))
    }

    /// Members of an `and` in the list of another.
    static func conjunction(_ left: PredicateTree, _ right: PredicateTree) -> PredicateTree {
        var list: [PredicateTree] = []
        for side in [left, right] {
            if case .and(let members) = side { list += members } else { list.append(side) }
        }
        return .and(list)
    }

    /// Members of an `or` in the list of another.
    static func disjunction(_ left: PredicateTree, _ right: PredicateTree) -> PredicateTree {
        var list: [PredicateTree] = []
        for side in [left, right] {
            if case .or(let members) = side { list += members } else { list.append(side) }
        }
        return .or(list)
    }
}
