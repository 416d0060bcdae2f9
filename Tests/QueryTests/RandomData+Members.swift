// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Questions of how many members of a relationship satisfy a condition of their own.
extension RandomData {
    /// How many objects a to-many path of a track leads to, with the paths that they have.
    mutating func memberCount(_ library: TestLibrary) -> Comparison {
        let count = Expression.member(of: subquery(library, depth: 0), ["@count"])
        let number: Value = pick([
            .integer64(0), .integer64(0), .integer64(1), .integer64(2), .integer64(-1),
            .double(0.5), .null,
        ])
        let relation: Operator = pick([
            .greaterThan, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .lessThan,
            .lessThanOrEqualTo, .between,
        ])
        let right: Operand =
            relation == .between ? .list([.value(number), .value(.integer64(2))]) : .value(number)
        if chance(15), relation != .between {
            return Comparison(left: .constant(right), operator: relation, right: count)
        }
        return Comparison(left: count, operator: relation, right: .constant(right))
    }

    private mutating func subquery(_ library: TestLibrary, depth: Int) -> Expression {
        let isOfTags = depth == 0 && chance(50)
        let variable = depth == 0 ? "m" : pick(["m", "n"])
        let base: Expression = depth == 0 ? .evaluatedObject : .variable("m")
        let tracks = depth == 0 ? ["album", "tracks"] : ["tracks"]
        let keys = isOfTags ? ["tags"] : tracks
        let condition = condition(library, !isOfTags, variable, depth)
        return .subquery(.path(keys, of: base), variable: variable, condition)
    }

    private mutating func condition(
        _ library: TestLibrary, _ isOfTracks: Bool, _ variable: String, _ depth: Int
    ) -> Predicate {
        let members = (0..<Int.random(in: 1...2, using: &random)).map { _ -> Predicate in
            // Of a tag's tracks there is a count of their own.
            if depth == 0, !isOfTracks, chance(20) {
                let inner = Expression.member(of: subquery(library, depth: 1), ["@count"])
                return .comparison(
                    Comparison(
                        left: inner, operator: pick([.greaterThan, .equalTo]),
                        right: .constant(.value(.integer64(pick([0, 1, 3]))))))
            }
            var inner = isOfTracks ? comparison(library) : label(library)
            // Now and then the condition asks the track itself, which no entity's filter knows.
            if chance(90) {
                inner.left = bound(inner.left, variable)
                inner.right = bound(inner.right, variable)
            } else if !isOfTracks {
                inner.left = .keyPath(["name"])
            }
            return .comparison(inner)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .or(members)
        case 1: return .not(.and(members))
        default: return .and(members)
        }
    }

    private func bound(_ side: Expression, _ variable: String) -> Expression {
        guard case .keyPath(let keys) = side else { return side }
        return .path(keys, of: .variable(variable))
    }

    private mutating func label(_ library: TestLibrary) -> Comparison {
        let right: Operand = .value(chance(10) ? .null : .string(pick(Self.texts)))
        let relation: Operator = pick([.equalTo, .equalTo, .notEqualTo, .beginsWith, .lessThan])
        return Comparison(
            left: .keyPath(["label"]), operator: relation, right: .constant(right))
    }
}
