// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Checks that every key path of a predicate exists, before a record is read.
struct PredicateChecker {
    let resolver: KeyPathResolver
    let entity: String
    private var variables: [String: KeyPathTarget] = [:]
    private var operands: OperandChecker

    init(_ resolver: KeyPathResolver, entity: String) {
        self.resolver = resolver
        self.entity = entity
        operands = OperandChecker(resolver.schema, entity: entity)
    }

    /// Checks a predicate.
    ///
    /// - Throws: ``QueryError`` with `unknownKeyPath`, `unsupported` or `typeMismatch`.
    func check(_ predicate: Predicate) throws(QueryError) {
        switch predicate {
        case .constant: break
        case .not(let operand): try check(operand)
        case .and(let members), .or(let members):
            for member in members { try check(member) }
        case .comparison(let comparison):
            try checkForm(comparison)
            let left = try target(of: comparison.left)
            let right = try target(of: comparison.right)
            // With `ANY` each of many values is compared; of one value it changes nothing.
            if comparison.modifier == .direct || left.isOne {
                try checkSide(left, comparison.left, of: comparison, against: comparison.right)
                try checkSide(right, comparison.right, of: comparison, against: comparison.left)
            }
            try operands.check(comparison)
        }
    }

    /// Refuses what a format may not say, but a built comparison does.
    private func checkForm(_ comparison: Comparison) throws(QueryError) {
        guard let fault = comparison.fault else { return }
        throw QueryError(
            .unsupported,
            "\(Predicate.comparison(comparison).description.prefix(80)) needs "
                + "\(fault.expected), not \(fault.found)")
    }

    /// Refuses one value where an aggregate function goes through many.
    private func checkMembers(
        _ target: KeyPathTarget, _ expression: Expression, _ function: String
    ) throws(QueryError) {
        guard target.isOne else { return }
        let found =
            switch target {
            case .attribute(let type): "one value of the type \(type)"
            default: "one object of \(target.entity ?? entity)"
            }
        throw QueryError(
            .unsupported,
            "\(function) needs a collection, and \(expression.description.prefix(80)) of "
                + "\(entity) is \(found)")
    }

    /// Refuses many values where an operator compares one.
    private func checkSide(
        _ target: KeyPathTarget, _ expression: Expression, of comparison: Comparison,
        against other: Expression
    ) throws(QueryError) {
        switch comparison.operator {
        case .equalTo, .notEqualTo:
            guard case .constant(.value) = other else { return }
            try refuseMembers(target, expression, comparison, other)
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .matches, .like,
            .beginsWith, .endsWith:
            try refuseMembers(target, expression, comparison, other)
        case .in, .contains, .between: return
        }
    }

    /// Refuses to compare many values with one: `ANY` was forgotten.
    private func refuseMembers(
        _ target: KeyPathTarget, _ expression: Expression, _ comparison: Comparison,
        _ other: Expression
    ) throws(QueryError) {
        guard target.isCollection else { return }
        throw QueryError(
            .unsupported,
            "\(expression) leads to many values, which \(comparison.operator.text) cannot compare "
                + "with \(other); use ANY, ALL, NONE or @count")
    }

    private func target(of expression: Expression) throws(QueryError) -> KeyPathTarget {
        switch expression {
        case .constant: return .unknown
        case .evaluatedObject: return .object(entity)
        case .variable(let name):
            guard let target = variables[name] else {
                throw QueryError(
                    .unsupported,
                    "the variable $\(name) has no value; substitute a constant before fetching")
            }
            return target
        case .keyPath(let keys): return try resolver.target(keys, of: .object(entity))
        case .member(let base, let keys):
            return try resolver.target(keys, of: try target(of: base))
        case .aggregate(let members):
            for member in members { _ = try target(of: member) }
            return .unknown
        case .function(let name, let arguments):
            try checkFunction(name, arguments.count)
            for argument in arguments {
                let target = try target(of: argument)
                if arguments.count == 1, FunctionName.aggregates.contains(name) {
                    try checkMembers(target, argument, name)
                }
            }
            try operands.checkCall(of: name, arguments)
            return .unknown
        case .subquery(let collection, let variable, let predicate):
            let members = try target(of: collection)
            var inner = self
            inner.variables[variable] = members.entity.map { .object($0) } ?? .unknown
            inner.operands.types.addMember(variable, of: collection)
            try inner.check(predicate)
            return members
        case .conditional(let predicate, let first, let second):
            try check(predicate)
            _ = try target(of: first)
            _ = try target(of: second)
            return .unknown
        }
    }
}

extension PredicateChecker {
    private func checkFunction(_ name: String, _ count: Int) throws(QueryError) {
        guard name != FunctionName.call, let fault = FunctionName.fault(name, count) else { return }
        throw QueryError(
            .unsupported, "a predicate needs \(fault.expected), and has \(fault.found)")
    }
}
