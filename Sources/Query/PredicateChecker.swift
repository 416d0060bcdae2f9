// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Checks that every key path of a predicate exists, before a record is read.
struct PredicateChecker {
    let resolver: KeyPathResolver
    let entity: String
    private var variables: [String: KeyPathTarget] = [:]

    init(_ resolver: KeyPathResolver, entity: String) {
        self.resolver = resolver
        self.entity = entity
    }

    /// Checks a predicate.
    ///
    /// - Throws: ``QueryError`` with `unknownKeyPath` or `unsupported`.
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
            guard comparison.modifier == .direct else {
                return try checkMembers(left, comparison.left, comparison.modifier.text)
            }
            try checkSide(left, comparison.left, of: comparison, against: comparison.right)
            try checkSide(right, comparison.right, of: comparison, against: comparison.left)
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

    /// Refuses one value where an operation goes through many; a transformable one may be a
    /// collection.
    private func checkMembers(
        _ target: KeyPathTarget, _ expression: Expression, _ operation: String
    ) throws(QueryError) {
        let found: String
        switch target {
        case .attribute(.transformable), .objects, .values, .unknown: return
        case .attribute(let type): found = "one value of the type \(type)"
        case .object(let entity): found = "one object of \(entity)"
        }
        throw QueryError(
            .unsupported,
            "\(operation) needs a collection, and \(expression.description.prefix(80)) of "
                + "\(entity) is \(found)")
    }

    /// Refuses operands that an operator can never apply to, so that a fetch fails with an empty
    /// store as it does with a full one.
    private func checkSide(
        _ target: KeyPathTarget, _ expression: Expression, of comparison: Comparison,
        against other: Expression
    ) throws(QueryError) {
        switch comparison.operator {
        case .equalTo, .notEqualTo:
            guard case .constant(.value) = other else { return }
            try refuseMembers(target, expression, comparison, other)
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            try refuseMembers(target, expression, comparison, other)
        case .matches, .like, .beginsWith, .endsWith:
            try refuseMembers(target, expression, comparison, other)
            guard case .attribute(let type) = target, ![.string, .uri].contains(type) else {
                return
            }
            throw QueryError(
                .unsupported,
                "\(comparison.operator.text) needs text, and \(expression) is of the type \(type)")
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
            let needsIntegers = BitOperation.isFunction(name)
            for argument in arguments {
                let target = try target(of: argument)
                if needsIntegers { try checkInteger(target, argument, of: name) }
                if arguments.count == 1, FunctionName.aggregates.contains(name) {
                    try checkMembers(target, argument, name)
                }
            }
            return .unknown
        case .subquery(let collection, let variable, let predicate):
            let members = try target(of: collection)
            var inner = self
            inner.variables[variable] = members.entity.map { .object($0) } ?? .unknown
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

    /// Refuses an argument that has no bits; nil and what only evaluation knows may have some.
    private func checkInteger(
        _ target: KeyPathTarget, _ argument: Expression, of function: String
    ) throws(QueryError) {
        let found: String
        switch (target, argument.constantOperand) {
        case (.attribute(let type), _):
            if type.isInteger { return }
            found = "of the type \(type)"
        case (.object, _): found = "an object"
        case (.objects, _), (.values, _): found = "a collection"
        case (.unknown, .value(let value)?):
            guard let type = value.type, !type.isInteger else { return }
            found = "of the type \(type)"
        case (.unknown, .list?): found = "a list"
        case (.unknown, nil): return
        }
        throw QueryError(
            .typeMismatch,
            "\(function) needs integers, and \(argument.description.prefix(80)) is \(found)")
    }
}

extension AttributeType {
    /// Whether values are integers, as booleans are to functions.
    fileprivate var isInteger: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: true
        default: false
        }
    }
}
