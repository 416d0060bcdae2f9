// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

extension PredicateTree {
    /// Whether it asks for what a transformable attribute holds, where stores have its data only.
    ///
    /// Whether there is a value, and which data it has, stores know.
    ///
    /// - Parameter names: Of such attributes. One of another entity may have the same name; then
    ///   objects are asked for what a store could have answered.
    func looksInto(_ names: Set<String>) -> Bool {
        switch self {
        case .constant: return false
        case .not(let operand): return operand.looksInto(names)
        case .and(let members), .or(let members): return members.contains { $0.looksInto(names) }
        case .comparison(let comparison):
            switch (comparison.modifier, comparison.left, comparison.right) {
            case (.direct, .keyPath, .constant(let operand)) where operand.isData: return false
            case (.direct, .constant(let operand), .keyPath) where operand.isData: return false
            default:
                return comparison.left.looksInto(names) || comparison.right.looksInto(names)
            }
        }
    }
}

extension ExpressionTree {
    fileprivate func looksInto(_ names: Set<String>) -> Bool {
        var found = false
        _ = replacing { part in
            switch part {
            case .keyPath(let keys), .member(_, let keys):
                found = found || keys.contains(where: names.contains)
            default: break
            }
            return nil
        }
        return found
    }
}

extension Operand {
    /// Whether it is nil, data or a list of such.
    fileprivate var isData: Bool {
        switch self {
        case .value(.null), .value(.binaryData), .value(.transformable): true
        case .value: false
        case .list(let members): members.allSatisfy(\.isData)
        }
    }
}
