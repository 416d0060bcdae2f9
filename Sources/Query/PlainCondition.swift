// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// An attribute or a relationship compared with constants of one type, as most conditions are.
struct PlainCondition {
    let key: String
    let operation: Operator
    let options: ComparisonOptions
    /// A value, or a list of one or more; without null, which other sources find.
    let constant: Operand
    /// The type of all values.
    let type: AttributeType
    /// Whether a pattern of `LIKE` begins with literal text, which an index finds.
    let hasPrefix: Bool

    private init?(_ comparison: Comparison) {
        guard comparison.modifier == .direct, case .keyPath(let keys) = comparison.left,
            keys.count == 1, let constant = comparison.right.constantOperand,
            let type = PlainCondition.type(of: constant, for: comparison.operator)
        else { return nil }
        key = keys[0]
        operation = comparison.operator
        options = comparison.options
        self.constant = constant
        self.type = type
        hasPrefix = PlainCondition.hasPrefix(constant, comparison.operator)
    }

    private init?(_ predicate: Predicate) {
        switch predicate.withLists() {
        case .comparison(let comparison): self.init(comparison)
        default: return nil
        }
    }

    /// The type of what an operator compares with; `nil` where plans say nothing of other values.
    private static func type(
        of constant: Operand, for operation: Operator
    ) -> AttributeType? {
        switch (operation, constant) {
        case (.in, .list(let members)), (.between, .list(let members)):
            return commonType(of: members)
        case (.in, _), (.between, _), (_, .list): return nil
        case (.contains, .value(let value)), (.beginsWith, .value(let value)),
            (.endsWith, .value(let value)), (.like, .value(let value)),
            (.matches, .value(let value)):
            return value.type == .string ? .string : nil
        case (_, .value(let value)): return value.type
        }
    }

    private static func commonType(of members: [Operand]) -> AttributeType? {
        guard case .value(let first)? = members.first, let type = first.type else { return nil }
        for case let member in members.dropFirst() {
            guard case .value(let value) = member, value.type == type else { return nil }
        }
        return type
    }

    private static func hasPrefix(_ constant: Operand, _ operation: Operator) -> Bool {
        guard operation == .like, case .value(let value) = constant, let text = value.text else {
            return false
        }
        return !LikePattern(text).literalPrefix.isEmpty
    }

    /// The conditions that a predicate says must all hold; `nil` where it says anything else.
    static func list(of predicate: Predicate?) -> ContiguousArray<PlainCondition>? {
        switch predicate {
        case .and(let members)?:
            var found: ContiguousArray<PlainCondition> = []
            found.reserveCapacity(members.count)
            for member in members {
                guard let condition = PlainCondition(member) else { return nil }
                found.append(condition)
            }
            return found.isEmpty ? nil : found
        case .comparison?, .or?:
            return predicate.flatMap { PlainCondition($0) }.map { [$0] }
        default: return nil
        }
    }

    /// The condition with values of the type that a field needs; `nil` for one that has none.
    func comparison(with field: AttributeType) -> Comparison? {
        guard let constant = constant(of: field) else { return nil }
        return Comparison(
            left: .keyPath([key]), operator: operation, right: .constant(constant),
            options: options)
    }

    private func constant(of field: AttributeType) -> Operand? {
        switch constant {
        case .value(let value):
            // Operators of text take the text of what they are asked of.
            if !operation.relatesValues { return constant }
            return value.coerced(to: field, for: operation).map { .value($0) }
        case .list(let members):
            var values: [Operand] = []
            values.reserveCapacity(members.count)
            for case .value(let value) in members {
                guard let fitting = value.coerced(to: field, for: operation) else { return nil }
                values.append(.value(fitting))
            }
            return .list(values)
        }
    }
}
