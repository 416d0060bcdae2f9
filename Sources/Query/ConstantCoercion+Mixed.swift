// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Comparisons with what has several types, each of which has constants of its own: the branches of
/// `TERNARY` and the members of a list.
extension ConstantCoercion {
    /// Compares each branch of a conditional expression by itself, where the branches are of
    /// several types, or constants among them have to be converted; nil in all other cases.
    ///
    /// `TERNARY(p, a, b) == c` becomes `TERNARY(p, TERNARY(a == c, 1, 0), TERNARY(b == c, 1, 0)) ==
    /// 1`, which says the same.
    func ofEachBranch(_ comparison: Comparison) throws(QueryError) -> Predicate? {
        guard comparison.modifier == .direct else { return nil }
        if let parts = try ofEachBranchInList(comparison) { return parts }
        guard comparison.operator.relatesValues else { return nil }
        var part = comparison
        let predicate: Predicate
        let branches: [Expression]
        let isLeft: Bool
        switch (comparison.left, comparison.right) {
        case (.conditional(let condition, let first, let second), _):
            (predicate, branches, isLeft) = (condition, [first, second], true)
        case (_, .conditional(let condition, let first, let second)):
            (predicate, branches, isLeft) = (condition, [first, second], false)
        default: return nil
        }
        let whole = types.type(of: isLeft ? comparison.left : comparison.right)
        let other = isLeft ? comparison.right : comparison.left
        guard !whole.isCollection, let otherType = oneType(of: other) else { return nil }
        var inner = self
        if whole.kind == .unknown {
            // Of a branch that the other side does not fit only evaluation knows whether it counts.
            inner.isStrict = false
        } else {
            guard other.constantOperand == nil, !whole.isComparable(to: otherType) else {
                return nil
            }
        }
        var results: [Predicate] = []
        for branch in branches {
            let branch = fitting(branch, otherType, comparison.operator)
            if isLeft { part.left = branch } else { part.right = branch }
            results.append(try inner.converted(part))
        }
        return .branch(predicate, results[0], results[1])
    }

    /// The same for branches of several types that are looked for in a list or between two bounds.
    private func ofEachBranchInList(_ comparison: Comparison) throws(QueryError) -> Predicate? {
        guard comparison.operator == .in || comparison.operator == .between,
            case .conditional(let predicate, let first, let second) = comparison.left,
            types.type(of: comparison.left).kind == .unknown, isListOfMembers(comparison.right)
        else { return nil }
        var inner = self
        inner.isStrict = false
        var part = comparison
        part.left = first
        let ofFirst = try inner.converted(part)
        part.left = second
        return .branch(predicate, ofFirst, try inner.converted(part))
    }

    /// Compares a constant with each member of a list by itself, where the members are of several
    /// types; nil in all other cases.
    func ofEachMember(_ comparison: Comparison) throws(QueryError) -> Predicate? {
        guard comparison.modifier == .direct else { return nil }
        let isReversed = comparison.operator == .contains
        let (one, list) =
            isReversed
            ? (comparison.right, comparison.left) : (comparison.left, comparison.right)
        guard case .aggregate(let members) = list, oneType(of: one) != nil,
            one.constantOperand != nil, types.type(of: list).kind == .unknown,
            members.allSatisfy(isOneMember)
        else { return nil }
        var inner = self
        inner.isStrict = false
        let common = commonType(of: members)
        func part(_ relation: Operator, _ member: Expression) throws(QueryError) -> Predicate {
            var (one, member) = (one, member)
            // Two constants are of the type of the others.
            if let common, member.constantOperand != nil {
                one = fitting(one, .value(common), relation)
                member = fitting(member, .value(common), relation)
            }
            return try inner.converted(
                Comparison(
                    left: isReversed ? member : one, operator: relation,
                    right: isReversed ? one : member, options: comparison.options))
        }
        switch comparison.operator {
        case .in, .contains:
            var parts: [Predicate] = []
            for member in members { parts.append(try part(.equalTo, member)) }
            return .or(parts)
        case .between:
            guard members.count == 2 else { return nil }
            return .and([
                try part(.greaterThanOrEqualTo, members[0]),
                try part(.lessThanOrEqualTo, members[1]),
            ])
        default: return nil
        }
    }

    /// A list whose constants have the type of its other members, if these are of one type.
    func alike(_ list: Expression) -> Expression {
        guard case .aggregate(let members) = list, let type = commonType(of: members) else {
            return list
        }
        return .aggregate(
            members.map { member in
                guard case .value(let value)? = member.constantOperand else { return member }
                return .constant(.value(value.coerced(to: type) ?? value))
            })
    }

    /// The type of all members that are no constants; nil where they have several.
    private func commonType(of members: [Expression]) -> AttributeType? {
        var common: OperandType?
        for member in members where member.constantOperand == nil {
            let found = types.type(of: member)
            guard found.kind != .unknown, common?.isComparable(to: found) != false else {
                return nil
            }
            common = common ?? found
        }
        return if case .value(let type)? = common?.kind { type } else { nil }
    }

    /// A branch as it is compared with a constant of a type, where it is a constant itself.
    private func fitting(
        _ branch: Expression, _ other: OperandType, _ relation: Operator
    ) -> Expression {
        guard case .value(let value)? = branch.constantOperand,
            case .value(let type) = other.kind, let fitting = value.coerced(to: type, for: relation)
        else { return branch }
        return .constant(.value(fitting))
    }

    /// The type of an operand that is one value or object, as far as it is known; nil for nil and
    /// for collections.
    private func oneType(of expression: Expression) -> OperandType? {
        switch expression.constantOperand {
        case .value(let value)?: return value.type.map { .value($0) }
        case .list?: return nil
        case nil:
            let found = types.type(of: expression)
            return found.kind == .unknown || found.isCollection ? nil : found
        }
    }

    private func isListOfMembers(_ expression: Expression) -> Bool {
        switch expression {
        case .constant(.list), .aggregate: true
        default: false
        }
    }

    private func isOneMember(_ member: Expression) -> Bool {
        if case .list? = member.constantOperand { return false }
        return !types.type(of: member).isCollection
    }
}

extension Predicate {
    /// One predicate where a condition holds, another one where it does not.
    fileprivate static func branch(
        _ condition: Predicate, _ first: Predicate, _ second: Predicate
    ) -> Predicate {
        .comparison(
            Comparison(
                left: .conditional(
                    condition, .conditional(first, .yes, .no), .conditional(second, .yes, .no)),
                operator: .equalTo, right: .yes))
    }
}

extension Expression {
    fileprivate static let yes = Expression.constant(.value(.integer64(1)))
    fileprivate static let no = Expression.constant(.value(.integer64(0)))
}
