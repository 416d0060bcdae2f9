// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

extension Comparison {
    /// The key and the value of `key operator constant`, compared as they are; `nil` for all else.
    @inline(__always)
    var keyAndConstant: (key: String, value: Value)? {
        guard modifier == .direct, options.isEmpty, case .keyPath(let keys) = left,
            keys.count == 1, case .constant(.value(let value)) = right
        else { return nil }
        return (keys[0], value)
    }

    /// The key and the value of `key == constant`, compared as they are; `nil` for all else.
    var keyAndValue: (key: String, value: Value)? {
        `operator` == .equalTo ? keyAndConstant : nil
    }
}

extension Operator {
    /// Whether it asks whether two values are equal, or which of them is less.
    var relatesValues: Bool {
        switch self {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
            .greaterThanOrEqualTo:
            true
        default: false
        }
    }

    /// Whether it looks for a text within another.
    var searchesText: Bool {
        switch self {
        case .beginsWith, .contains, .endsWith, .like, .matches: true
        default: false
        }
    }
}

extension Value {
    /// A constant in the form in which an attribute is compared with it; `nil` where it has none.
    func coerced(to type: AttributeType, for relation: Operator) -> Value? {
        switch relation {
        case .equalTo, .notEqualTo, .in, .contains: coerced(to: type)
        default: coerced(to: type, isOrdered: true)
        }
    }
}
