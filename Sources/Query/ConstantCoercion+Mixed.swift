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
        guard comparison.modifier == .direct, comparison.operator.relatesValues else { return nil }
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
        var results: [Expression] = []
        for branch in branches {
            let branch = fitting(branch, otherType, comparison.operator)
            if isLeft { part.left = branch } else { part.right = branch }
            let holds = try inner.related(part)
            results.append(.conditional(holds, .yes, .no))
        }
        return .comparison(
            Comparison(
                left: .conditional(predicate, results[0], results[1]), operator: .equalTo,
                right: .yes))
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
        func part(_ relation: Operator, _ member: Expression) throws(QueryError) -> Predicate {
            try inner.related(
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
        guard case .aggregate(let members) = list else { return list }
        var common: OperandType?
        for member in members where member.constantOperand == nil {
            let found = types.type(of: member)
            guard found.kind != .unknown, common?.isComparable(to: found) != false else {
                return list
            }
            common = common ?? found
        }
        guard case .value(let type)? = common?.kind else { return list }
        return .aggregate(
            members.map { member in
                guard case .value(let value)? = member.constantOperand else { return member }
                return .constant(.value(value.coerced(to: type) ?? value))
            })
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

    /// A comparison of two sides that are converted already.
    private func related(_ comparison: Comparison) throws(QueryError) -> Predicate {
        if let parts = try ofEachBranch(comparison) { return parts }
        var comparison = comparison
        try match(&comparison)
        return .comparison(comparison)
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

    private func isOneMember(_ member: Expression) -> Bool {
        if case .list? = member.constantOperand { return false }
        return !types.type(of: member).isCollection
    }
}

extension Expression {
    fileprivate static let yes = Expression.constant(.value(.integer64(1)))
    fileprivate static let no = Expression.constant(.value(.integer64(0)))
}
