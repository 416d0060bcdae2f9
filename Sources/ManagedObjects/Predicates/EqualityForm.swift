// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// What a predicate says, if that is no more than that a key has a value.
enum EqualityForm {
    /// `key == value`: nothing is resolved at each use.
    case value(String, Value)
    /// `key == $name`.
    case variable(String, name: String)
    case other

    init(_ content: BoundTree<PredicateTree>) {
        self = .other
        guard case .comparison(let comparison) = content.tree, comparison.operator == .equalTo,
            content.values.isEmpty, comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(let keys) = comparison.left, keys.count == 1
        else { return }
        switch comparison.right {
        case .constant(.value(let value)): self = .value(keys[0], value)
        case .variable(let name): self = .variable(keys[0], name: name)
        default: break
        }
    }

    /// The tree that says so; false for another form, which has a tree of its own.
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
