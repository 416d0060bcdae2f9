// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Refuses operands that an operation never applies to, so that a fetch from an empty store fails
/// as one from a full store does.
///
/// Lets pass what only evaluation knows: nil, transformable values, the results of `TERNARY`,
/// members of lists of several types, computed positions, and whether a value fits a cast.
struct OperandChecker {
    var types: OperandTypes

    init(_ schema: Schema, entity: String) {
        types = OperandTypes(
            schema: schema, root: OperandType(kind: .object(entity), property: entity))
    }

    /// Checks the operands of the operators that need text, collections or one value; the types of
    /// values that are equal or in order are checked where constants get theirs.
    ///
    /// - Throws: ``QueryError`` with `typeMismatch`.
    func check(_ comparison: Comparison) throws(QueryError) {
        let name = comparison.operator.text
        switch comparison.operator {
        case .matches, .like, .beginsWith, .endsWith:
            try require(.text, left(of: comparison), comparison.left, name)
            try require(.text, found(comparison.right), comparison.right, name)
        case .contains:
            let left = left(of: comparison)
            try require(.textOrCollection, left, comparison.left, name)
            guard left?.isOneText == true else { return }
            try require(.text, found(comparison.right), comparison.right, name)
        case .in:
            let right = found(comparison.right)
            try require(.textOrCollection, right, comparison.right, name)
            guard right?.isOneText == true else { return }
            try require(.text, left(of: comparison), comparison.left, name)
        case .between:
            let right = found(comparison.right)
            try require(.collection, right, comparison.right, name)
            guard right != nil else { return }
            try require(.oneValue, left(of: comparison), comparison.left, name)
            for (bound, type) in members(comparison.right) {
                try require(.oneValue, type, bound, name)
            }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            if !comparison.left.isSurelyOneValue {
                try require(.oneValue, left(of: comparison), comparison.left, name)
            }
            if !comparison.right.isSurelyOneValue {
                try require(.oneValue, found(comparison.right), comparison.right, name)
            }
        case .equalTo, .notEqualTo: break
        }
    }

    /// The type of what a comparison asks, which is each member with `ANY` and its like.
    private func left(of comparison: Comparison) -> OperandType? {
        var left = found(comparison.left)
        if comparison.modifier != .direct { left?.isCollection = false }
        return left
    }

    /// Checks the arguments of a function.
    ///
    /// - Throws: ``QueryError`` with `typeMismatch`.
    func checkCall(of name: String, _ arguments: [Expression]) throws(QueryError) {
        if name == FunctionName.cast { return try checkCast(arguments) }
        if name == FunctionName.index { return try checkIndex(arguments) }
        guard let need = OperandNeed(argumentsOf: name) else { return }
        let operands =
            FunctionName.aggregates.contains(name)
            ? arguments.flatMap(members) : arguments.map { ($0, found($0)) }
        for (argument, type) in operands {
            // The model does not say which numbers are the result of a computation.
            if need == .integers, type?.isComputedNumber == true,
                argument.constantOperand == nil
            {
                continue
            }
            try require(need, type, argument, name)
        }
        try checkTime(name, arguments)
    }

    /// What an aggregate or `BETWEEN` applies to: the members of a list as it is written, or each
    /// member of another operand, with their types.
    private func members(_ argument: Expression) -> [(Expression, OperandType?)] {
        switch argument {
        case .aggregate(let members): return members.map { ($0, found($0)) }
        case .constant(.list(let members)):
            return members.map { (.constant($0), found(.constant($0))) }
        default:
            var type = found(argument)
            type?.isCollection = false
            return [(argument, type)]
        }
    }

    /// Refuses the sum of two dates, and a number less a date.
    private func checkTime(_ name: String, _ arguments: [Expression]) throws(QueryError) {
        guard arguments.count == 2, found(arguments[1])?.kind == .value(.date),
            case .value(let type)? = found(arguments[0])?.kind
        else { return }
        switch name {
        case FunctionName.add where type == .date:
            throw QueryError(.typeMismatch, "\(name) adds seconds to a date, and no date")
        case FunctionName.subtract where type.isNumeric:
            throw QueryError(.typeMismatch, "\(name) takes a date from a date, not from a number")
        default: return
        }
    }

    private func checkCast(_ arguments: [Expression]) throws(QueryError) {
        guard arguments.count == 2, case .value(let name)? = arguments[1].constantOperand else {
            return
        }
        guard let text = name.text, FunctionName.castTypes.contains(text) else {
            throw QueryError(
                .typeMismatch,
                "CAST cannot make \(arguments[1].description.prefix(80)); it makes "
                    + FunctionName.castTypes.joined(separator: ", "))
        }
        try require(.oneValue, found(arguments[0]), arguments[0], FunctionName.cast)
    }

    /// A position needs a collection; a text is the key of any value.
    private func checkIndex(_ arguments: [Expression]) throws(QueryError) {
        guard arguments.count == 2, case .value(let index)? = arguments[1].constantOperand,
            index.type?.isNumeric == true
        else { return }
        try require(.collection, found(arguments[0]), arguments[0], FunctionName.index)
    }

    private func require(
        _ need: OperandNeed, _ type: OperandType?, _ expression: Expression, _ operation: String
    ) throws(QueryError) {
        guard let type, !need.accepts(type) else { return }
        throw QueryError(
            .typeMismatch,
            "\(operation) needs \(need.text), and \(expression.description.prefix(80)) is "
                + type.foundText)
    }
}

extension OperandChecker {
    /// The type of an operand; nil where it depends on the objects.
    private func found(_ expression: Expression) -> OperandType? {
        switch expression {
        case .constant(.value(let value)): return value.type.map { .value($0) }
        case .constant(.list), .aggregate: return OperandType(kind: .unknown, isCollection: true)
        case .conditional: return nil
        case .member(let base, _): if found(base) == nil { return nil }
        case .function(let name, let arguments):
            if Self.givesArgument.contains(name), arguments.contains(where: { found($0) == nil }) {
                return nil
            }
        case .evaluatedObject, .variable, .keyPath, .subquery: break
        }
        let type = types.type(of: expression)
        return type.kind == .unknown && !type.isCollection ? nil : type
    }

    /// The functions whose result has the type of their argument.
    private static let givesArgument = [
        "min:", "max:", "noindex:", FunctionName.first, FunctionName.last,
    ]
}

extension OperandType {
    fileprivate var isOneText: Bool {
        if case .value(let type) = kind { type.isText && !isCollection } else { false }
    }

    fileprivate var isComputedNumber: Bool {
        if case .value(let type) = kind { type.isNumeric && property.isEmpty } else { false }
    }

    /// What an operand is, for messages.
    fileprivate var foundText: String {
        if isCollection { return kind == .unknown ? "a list" : "a collection" }
        return switch kind {
        case .unknown: "of any type"
        case .value(let type): "of the type \(type)"
        case .object: "an object"
        }
    }
}

extension Expression {
    /// Whether the expression has one value, as far as that is seen without looking for its type,
    /// which takes a while for a subquery.
    fileprivate var isSurelyOneValue: Bool {
        switch self {
        case .constant(.value): true
        case .keyPath(let keys), .member(_, let keys): keys.last == "@count"
        default: false
        }
    }
}
