// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// What a predicate says, if that is no more than that a key has a value.
enum EqualityForm {
    /// `key == value`: nothing is resolved at each use.
    case value(String, Value)
    /// What says the same in other words, `value == key` and `key IN {value}`: it keeps its tree.
    case equivalent(String, Value)
    /// `key == $name`.
    case variable(String, name: String)
    case other

    init(_ content: BoundTree<PredicateTree>) {
        self = .other
        guard case .comparison(let comparison) = content.tree, content.values.isEmpty,
            comparison.modifier == .direct, comparison.options.isEmpty
        else { return }
        switch (comparison.operator, comparison.left, comparison.right) {
        case (.equalTo, .keyPath(let keys), .constant(.value(let value))) where keys.count == 1:
            self = .value(keys[0], value)
        case (.equalTo, .keyPath(let keys), .variable(let name)) where keys.count == 1:
            self = .variable(keys[0], name: name)
        case (.equalTo, .constant(.value(let value)), .keyPath(let keys)) where keys.count == 1:
            self = .equivalent(keys[0], value)
        case (.in, .keyPath(let keys), .constant(.list(let members)))
        where keys.count == 1 && members.count == 1:
            if case .value(let value) = members[0] { self = .equivalent(keys[0], value) }
        default: break
        }
    }

    /// The key and the value that are said to be equal.
    @inline(__always)
    var keyAndValue: (key: String, value: Value)? {
        switch self {
        case .value(let key, let value), .equivalent(let key, let value): (key, value)
        case .variable, .other: nil
        }
    }

    /// The tree that says so; false for another form, which has a tree of its own.
    var tree: PredicateTree {
        switch self {
        case .value(let key, let value): Self.tree(key, .constant(.value(value)))
        case .variable(let key, let name): Self.tree(key, .variable(name))
        case .equivalent, .other: .constant(false)
        }
    }

    private static func tree(_ key: String, _ right: ExpressionTree) -> PredicateTree {
        .comparison(Comparison(left: .keyPath([key]), operator: .equalTo, right: right))
    }
}
