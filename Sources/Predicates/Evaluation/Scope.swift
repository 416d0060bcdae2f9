// SPDX-License-Identifier: Apache-2.0

import Schema

/// What the expressions of one evaluation refer to.
struct Scope {
    private(set) var root: SubjectOperand
    var variables: [String: SubjectOperand]
    var allowance: SearchAllowance?

    func holds(_ node: PreparedPredicate.Node) throws -> Bool {
        switch node {
        case .constant(let value): value
        case .not(let operand): try !holds(operand)
        case .and(let members): try members.allSatisfy { try holds($0) }
        case .or(let members): try members.contains { try holds($0) }
        case .comparison(let comparison, let matcher): try holds(comparison, matcher)
        }
    }

    private func holds(_ comparison: Comparison, _ matcher: Matcher) throws -> Bool {
        let left = try leftOperand(comparison)
        let right = try rightOperand(comparison, matcher)
        let relation = Relation(
            operator: comparison.operator, options: comparison.options, matcher: matcher,
            allowance: allowance)
        return switch comparison.modifier {
        case .direct: try relation.holds(left, right)
        case .any: try left.members.contains { try relation.holds($0, right) }
        case .all: try left.members.allSatisfy { try relation.holds($0, right) }
        }
    }

    /// The left side; for `ANY` and `ALL` what a group's members have.
    private func leftOperand(_ comparison: Comparison) throws -> SubjectOperand {
        if comparison.modifier != .direct, let many = try operandOfMembers(comparison.left) {
            return many
        }
        return try value(of: comparison.left)
    }

    /// The right side; not needed where the matcher stands for it.
    private func rightOperand(
        _ comparison: Comparison, _ matcher: Matcher
    ) throws -> SubjectOperand {
        switch matcher {
        case .like, .regular, .set, .bounds: .value(.null)
        case .none, .text: try value(of: comparison.right)
        }
    }

    func value(of expression: Expression) throws -> SubjectOperand {
        switch expression {
        case .constant(let operand): return SubjectOperand(operand)
        case .evaluatedObject: return root
        case .variable(let name):
            guard let value = variables[name] else {
                throw PredicateEvaluationError(
                    code: .missingVariable,
                    message: "the variable $\(name) has no value; supply one or substitute it")
            }
            return value
        case .keyPath(let keys): return try root.follow(keys[...])
        case .member(let base, let keys): return try value(of: base).follow(keys[...])
        case .aggregate(let members):
            return .collection(try members.map { try value(of: $0) })
        case .function(let name, let arguments):
            if let values = try values(of: arguments, for: name) {
                return try Functions.call(name, [values], of: arguments)
            }
            return try Functions.call(
                name, try arguments.map { try value(of: $0) }, of: arguments)
        case .subquery(let collection, let variable, let predicate):
            return try members(of: try value(of: collection), variable, predicate)
        case .conditional(let predicate, let first, let second):
            let holds = try holds(try PreparedPredicate.Node(predicate))
            return try value(of: holds ? first : second)
        }
    }

    /// What the members of a group have at the key path that an expression is; nil for all else.
    private func operandOfMembers(_ expression: Expression) throws -> SubjectOperand? {
        guard case .keyPath(let keys) = expression, case .subject(let subject) = root else {
            return nil
        }
        return try subject.operandOfMembers(at: keys)
    }

    /// What an expression yields for each member of a group, for a function that sums them up, as
    /// in `sum:(price * count)`; nil for all else.
    private func values(
        of arguments: [Expression], for name: String
    ) throws -> SubjectOperand? {
        guard arguments.count == 1, FunctionName.aggregates.contains(name) else { return nil }
        if let many = try operandOfMembers(arguments[0]) { return many }
        guard arguments[0].isComputedOfMembers, let members = root.groupMembers else { return nil }
        var inner = self
        var values: [SubjectOperand] = []
        values.reserveCapacity(members.count)
        for member in members {
            inner.root = member
            switch try inner.value(of: arguments[0]) {
            case .collection(let many): values += many
            case let value: values.append(value)
            }
        }
        return .collection(values)
    }

    private func members(
        of collection: SubjectOperand, _ variable: String, _ predicate: Predicate
    ) throws -> SubjectOperand {
        let node = try PreparedPredicate.Node(predicate)
        var inner = self
        let matches = try collection.members.filter { member in
            inner.variables[variable] = member
            return try inner.holds(node)
        }
        return .collection(matches)
    }
}

extension SubjectOperand {
    /// The members of a collection or of a group.
    fileprivate var groupMembers: [SubjectOperand]? {
        switch self {
        case .collection(let members): members
        case .subject(let subject): subject.isGroup ? subject.predicateMembers : nil
        case .value: nil
        }
    }
}
