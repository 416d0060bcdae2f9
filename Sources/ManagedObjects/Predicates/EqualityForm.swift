// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// What a predicate says, if that is no more than that a key has a value.
enum EqualityForm {
    /// `key == value`, or what says the same in other words, `value == key` and `key IN {value}`:
    /// nothing is resolved at each use.
    case value(String, Value)
    /// `key == $name`.
    case variable(String, name: String)
    case other

    init(_ content: BoundTree<PredicateTree>) {
        self = .other
        guard case .comparison(let comparison) = content.tree, content.values.isEmpty,
            comparison.modifier == .direct, comparison.options.isEmpty
        else { return }
        guard case .keyPath(let keys) = comparison.left else {
            if comparison.operator == .equalTo,
                case .keyPath(let keys) = comparison.right, keys.count == 1,
                case .constant(.value(let value)) = comparison.left
            {
                self = .value(keys[0], value)
            }
            return
        }
        guard keys.count == 1 else { return }
        switch (comparison.operator, comparison.right) {
        case (.equalTo, .constant(.value(let value))):
            self = .value(keys[0], value)
        case (.equalTo, .variable(let name)): self = .variable(keys[0], name: name)
        case (.in, .constant(.list(let members))) where members.count == 1:
            guard case .value(let value) = members[0] else { return }
            self = .value(keys[0], value)
        default: break
        }
    }

    /// A tree that says so, for what was made without one; false for another form.
    var tree: PredicateTree {
        switch self {
        case .value(let key, let value): Self.tree(key, .constant(.value(value)))
        case .variable(let key, let name): Self.tree(key, .variable(name))
        case .other: .constant(false)
        }
    }

    private static func tree(_ key: String, _ right: ExpressionTree) -> PredicateTree {
        .comparison(Comparison(left: .keyPath([key]), operator: .equalTo, right: right))
    }
}
