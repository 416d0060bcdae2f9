// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Converts the constants of a predicate to the types of the attributes that they are compared
/// with.
///
/// So the text of a number is compared as that number wherever the predicate runs: by an index, by
/// a filter or in memory. `Value.coerced(to:isOrdered:)` defines the conversions. `ANY` and `ALL`
/// of a path to one value are left out, as they say nothing, but not in predicates on groups.
public struct ConstantCoercion {
    private(set) var types: OperandTypes
    /// Whether a constant that does not fit is an error; otherwise it is left to evaluation.
    var isStrict: Bool
    /// Whether a key stands for what all objects of a group have, so that `ANY` says something.
    private var isOfGroups = false

    /// Makes a coercion for predicates on the objects of an entity.
    public init(_ schema: Schema, entity: String, isStrict: Bool) {
        types = OperandTypes(
            schema: schema, root: OperandType(kind: .object(entity), property: entity))
        self.isStrict = isStrict
    }

    /// Makes a coercion for predicates on groups of objects, which read columns by their names.
    public init(_ schema: Schema, entity: String, columns: [String: Expression]) {
        self.init(schema, entity: entity, isStrict: true)
        isOfGroups = true
        var known: [String: OperandType] = [:]
        for (name, expression) in columns {
            known[name] = types.type(of: expression)
            if known[name]?.property.isEmpty == true { known[name]?.property = name }
        }
        types.columns = known
        types.variables = known
    }

    /// The predicate with constants of the types that it needs.
    ///
    /// - Throws: ``QueryError`` with `typeMismatch`, naming attribute, type and constant.
    public func coerced(_ predicate: Predicate) throws(QueryError) -> Predicate {
        switch predicate {
        case .constant: return predicate
        case .not(let operand): return .not(try coerced(operand))
        case .and(let members): return .and(try coerced(members))
        case .or(let members): return .or(try coerced(members))
        case .comparison(let comparison): return try coerced(comparison)
        }
    }

    private func coerced(_ members: [Predicate]) throws(QueryError) -> [Predicate] {
        var result: [Predicate] = []
        result.reserveCapacity(members.count)
        for member in members { result.append(try coerced(member)) }
        return result
    }

    /// The predicates inside of an expression.
    private func coerced(_ expression: Expression) throws(QueryError) -> Expression {
        switch expression {
        case .constant, .evaluatedObject, .variable, .keyPath: return expression
        case .member(let base, let keys): return .member(of: try coerced(base), keys)
        case .aggregate(let members): return .aggregate(try coerced(members))
        case .function(let name, let arguments):
            let arguments = try coerced(arguments)
            let isOfMembers = FunctionName.aggregates.contains(name)
            return .function(name, isOfMembers ? arguments.map(alike) : arguments)
        case .subquery(let collection, let variable, let predicate):
            var inner = self
            inner.types.addMember(variable, of: collection)
            return .subquery(
                try coerced(collection), variable: variable, try inner.coerced(predicate))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                try coerced(predicate), try coerced(first), try coerced(second))
        }
    }

    private func coerced(_ members: [Expression]) throws(QueryError) -> [Expression] {
        var result: [Expression] = []
        result.reserveCapacity(members.count)
        for member in members { result.append(try coerced(member)) }
        return result
    }

    private func coerced(_ stated: Comparison) throws(QueryError) -> Predicate {
        if let plain = plain(stated) { return .comparison(plain) }
        var comparison = stated
        if stated.modifier != .direct, isOneProperty(stated.left) { comparison.modifier = .direct }
        comparison.left = try coerced(stated.left)
        comparison.right = try coerced(stated.right)
        return try converted(comparison)
    }

    /// A comparison whose sides are converted, each by itself.
    func converted(_ stated: Comparison) throws(QueryError) -> Predicate {
        if let parts = try ofEachBranch(stated) { return parts }
        if let parts = try ofEachMember(stated) { return parts }
        var comparison = stated
        switch stated.operator {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
            .greaterThanOrEqualTo, .between:
            try match(&comparison)
        case .in:
            // Of one value that is no text there are no members, whatever its type.
            if !isText(comparison.right), !isOne(comparison.right) { try match(&comparison) }
        case .contains:
            if types.type(of: comparison.left).isCollection || isList(comparison.left) {
                try match(&comparison)
            }
        case .matches, .like, .beginsWith, .endsWith: break
        }
        return .comparison(comparison)
    }

    /// A comparison of an attribute with one constant, as most are, in the form that the general
    /// way gives; `nil` for all others, and for a constant that does not fit.
    private func plain(_ stated: Comparison) -> Comparison? {
        guard stated.operator.relatesValues, let (key, value) = stated.keyAndConstant,
            types.columns.isEmpty,
            case .object(let name) = types.root.kind, let entity = types.schema.entity(name),
            let attribute = entity.attributes.first(where: { $0.name == key }),
            let fitting = fit(value, to: .value(attribute.type), stated.operator)
        else { return nil }
        var comparison = stated
        comparison.right = .constant(.value(fitting))
        return comparison
    }

    /// Whether an expression is the one value or object that a path leads to.
    private func isOneProperty(_ expression: Expression) -> Bool {
        if isOfGroups { return false }
        switch expression {
        case .keyPath, .evaluatedObject, .variable, .member(.variable, _):
            return types.type(of: expression).isOne
        case .constant, .member, .aggregate, .function, .subquery, .conditional: return false
        }
    }

    /// Whether an expression is one text, in which `IN` looks for a part.
    private func isText(_ expression: Expression) -> Bool {
        if case .value(let value) = expression.constantOperand { return value.text != nil }
        let type = types.type(of: expression)
        guard case .value(let own) = type.kind, own.isText else { return false }
        return !type.isCollection
    }

    private func isOne(_ expression: Expression) -> Bool {
        if case .value = expression.constantOperand { true } else { false }
    }

    private func isList(_ expression: Expression) -> Bool {
        if case .list = expression.constantOperand { true } else { false }
    }
}

extension ConstantCoercion {
    /// Converts the constants of one side to the type of the other.
    private func match(_ comparison: inout Comparison) throws(QueryError) {
        let left = types.type(of: comparison.left)
        let right = types.type(of: comparison.right)
        let relation = comparison.operator
        comparison.right = try fit(comparison.right, to: left, relation)
        comparison.left = try fit(comparison.left, to: right, relation)
        guard isStrict else { return }
        try requireComparable(left, right, relation)
        switch relation {
        case .in, .between: try requireComparable(left, membersOf: comparison.right, relation)
        case .contains: try requireComparable(right, membersOf: comparison.left, relation)
        default: break
        }
    }

    private func requireComparable(
        _ left: OperandType, _ right: OperandType, _ relation: Operator
    ) throws(QueryError) {
        if left.isComparable(to: right) { return }
        throw QueryError(
            .typeMismatch,
            "\(left.text) and \(right.text) cannot be compared by \(relation.text); see CAST")
    }

    /// Checks the members of a list that are no constants, which may be of several types.
    private func requireComparable(
        _ one: OperandType, membersOf list: Expression, _ relation: Operator
    ) throws(QueryError) {
        guard case .aggregate(let members) = list else { return }
        for member in members where member.constantOperand == nil {
            try requireComparable(one, types.type(of: member), relation)
        }
    }

    /// A constant, or the constants of an aggregate, of a type.
    private func fit(
        _ expression: Expression, to type: OperandType, _ relation: Operator
    ) throws(QueryError) -> Expression {
        if type.kind == .unknown { return expression }
        switch expression {
        case .constant(let operand): return .constant(try fit(operand, to: type, relation))
        case .aggregate(let members):
            var result: [Expression] = []
            for member in members { result.append(try fit(member, to: type, relation)) }
            return .aggregate(result)
        default: return expression
        }
    }

    private func fit(
        _ operand: Operand, to type: OperandType, _ relation: Operator
    ) throws(QueryError) -> Operand {
        switch operand {
        case .list(let members):
            var result: [Operand] = []
            result.reserveCapacity(members.count)
            for member in members { result.append(try fit(member, to: type, relation)) }
            return .list(result)
        case .value(let value):
            if let fitting = fit(value, to: type.kind, relation) { return .value(fitting) }
            guard isStrict else { return operand }
            let literal = Comparison(
                left: .evaluatedObject, operator: relation, right: .constant(operand)
            ).description.dropFirst("SELF \(relation.text) ".count)
            throw QueryError(
                .typeMismatch,
                "\(type.text) cannot be compared with \(literal.prefix(80)) by \(relation.text); "
                    + "give a value of the attribute's type, or see CAST")
        }
    }

    private func fit(
        _ value: Value, to kind: OperandType.Kind, _ relation: Operator
    ) -> Value? {
        switch kind {
        case .unknown: return value
        case .object: return value.coerced(to: .objectID)
        // In memory a transformable attribute has the value that its transformer makes.
        case .value(.transformable) where !isStrict: return value
        case .value(let type):
            return value.coerced(to: type, for: relation)
        }
    }
}
