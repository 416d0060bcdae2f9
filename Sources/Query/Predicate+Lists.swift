// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

extension Predicate {
    /// An equal predicate in which `key == a OR key == b` is `key IN {a, b}`: one index serves it,
    /// and a filter compares each value once.
    func withLists() -> Predicate {
        guard case .or(let alternatives) = self else { return self }
        var lists: [(left: Expression, values: [Operand])] = []
        var others: [Predicate] = []
        for alternative in alternatives {
            guard let (left, values) = alternative.listed else {
                others.append(alternative)
                continue
            }
            if let known = lists.firstIndex(where: { $0.left == left }) {
                lists[known].values += values
            } else {
                lists.append((left, values))
            }
        }
        let joined = lists.map { left, values in
            Predicate.comparison(
                values.count == 1
                    ? Comparison(left: left, operator: .equalTo, right: .constant(values[0]))
                    : Comparison(left: left, operator: .in, right: .constant(.list(values))))
        }
        if others.isEmpty, joined.count == 1 { return joined[0] }
        return .or(joined + others)
    }

    /// The key path and the values of a plain equality, or list, of values that are equal in one
    /// way only; `nil` for other conditions.
    private var listed: (Expression, [Operand])? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct,
            comparison.options.isEmpty, case .keyPath = comparison.left,
            let constant = comparison.right.constantOperand
        else { return nil }
        let values: [Operand]
        switch (comparison.operator, constant) {
        case (.equalTo, .value): values = [constant]
        case (.in, .list(let members)): values = members
        default: return nil
        }
        return values.allSatisfy(\.isPlain) ? (comparison.left, values) : nil
    }
}

extension Operand {
    fileprivate var isPlain: Bool {
        switch self {
        case .value(.string), .value(.uuid), .value(.integer16), .value(.integer32),
            .value(.integer64):
            true
        default: false
        }
    }
}
