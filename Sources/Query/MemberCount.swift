// SPDX-License-Identifier: Apache-2.0

import Predicates

/// How many members of a to-many relationship satisfy a condition, compared with a number:
/// `SUBQUERY(tracks, $t, $t.length > 300).@count > 0`.
///
/// Only where the condition asks nothing but the member: then it is a condition on the member's
/// entity, which filters and indexes answer as they do for a fetch of that entity.
struct MemberCount {
    /// The keys that lead to the members.
    let keys: [String]
    /// What members are counted, as a condition on the member.
    let condition: Predicate
    /// The counts that satisfy, or that do not.
    private(set) var interval: IntegerInterval
    private(set) var isNegated: Bool
    private let variable: String
    private let stated: Predicate

    /// - Returns: `nil` for a comparison of another form.
    init?(_ comparison: Comparison) {
        guard comparison.modifier == .direct,
            case .member(.subquery(.keyPath(let keys), let variable, let predicate), ["@count"]) =
                comparison.left,
            let constant = comparison.right.constantOperand,
            let test = try? FieldTest(comparison.operator, constant, comparison.options),
            let interval = test.integerInterval, predicate.asksOnly(variable)
        else { return nil }
        self.keys = keys
        self.variable = variable
        self.interval = interval
        stated = predicate
        condition = predicate.substituting([variable: .evaluatedObject]).normalized()
        isNegated = test.operation == .notEqualTo
        // Other than none are some.
        if isNegated, interval == IntegerInterval(lower: 0, upper: 0) {
            self.interval = .some
            isNegated = false
        }
    }

    /// Whether an object without members satisfies.
    var holdsForNone: Bool { holds(0) }

    /// Whether no object satisfies without such a member.
    var needsMember: Bool { !isNegated && interval.lower > 0 }

    /// Whether any such member is enough.
    var isSettledByOne: Bool { !isNegated && interval == .some }

    /// Whether a count satisfies.
    func holds(_ count: Int64) -> Bool {
        (count >= interval.lower && count <= interval.upper) != isNegated
    }

    /// What is to be asked at the end of the first key.
    func behindFirstKey(_ comparison: Comparison) -> Comparison {
        var inner = comparison
        let rest = Expression.path(Array(keys.dropFirst()), of: .evaluatedObject)
        inner.left = .member(of: .subquery(rest, variable: variable, stated), ["@count"])
        return inner
    }
}

extension IntegerInterval {
    /// One and more.
    fileprivate static let some = IntegerInterval(lower: 1, upper: .max)
}

extension Predicate {
    /// Whether nothing but a variable, and variables of its own, are read.
    fileprivate func asksOnly(_ variable: String) -> Bool {
        guard variables.isSubset(of: [variable]) else { return false }
        var asksOthers = false
        _ = replacing { expression in
            switch expression {
            case .evaluatedObject, .keyPath: asksOthers = true
            default: break
            }
            return nil
        }
        return !asksOthers
    }
}
