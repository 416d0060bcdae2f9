// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

extension Predicate {
    /// The predicate that states the condition of an index.
    public init(_ condition: IndexCondition) {
        switch condition {
        case .all(let members):
            self = members.isEmpty ? .constant(true) : .and(members.map(Predicate.init))
        case .any(let members):
            self = members.isEmpty ? .constant(false) : .or(members.map(Predicate.init))
        case .not(.isNull(let name)): self = .comparing(name, .notEqualTo, .null)
        case .not(.compares(let name, .equal, let value)):
            self = .comparing(name, .notEqualTo, value)
        case .not(let operand): self = .not(Predicate(operand))
        case .isNull(let name): self = .comparing(name, .equalTo, .null)
        case .compares(let name, let relation, let value):
            self = .comparing(name, relation.operator, value)
        }
    }

    private static func comparing(
        _ name: String, _ relation: Operator, _ value: Value
    ) -> Predicate {
        .comparison(
            Comparison(
                left: .keyPath([name]), operator: relation, right: .constant(.value(value))))
    }
}

extension IndexCondition.Relation {
    fileprivate var `operator`: Operator {
        switch self {
        case .equal: .equalTo
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqualTo
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqualTo
        case .begins: .beginsWith
        }
    }
}
