// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The objects that a predicate names, by their keys.
extension PredicateTree {
    /// The predicate with other keys for the temporary ones.
    func replacingTemporaryKeys(_ current: (ObjectKey) -> ObjectKey) -> PredicateTree {
        replacing { expression in
            guard case .constant(let operand) = expression, operand.namesUnsaved
            else { return nil }
            return .constant(operand.replacingTemporaryKeys(current))
        }
    }
}

extension Operand {
    fileprivate func replacingTemporaryKeys(_ current: (ObjectKey) -> ObjectKey) -> Operand {
        switch self {
        case .value(.objectID(let key)) where key.isTemporary: .value(.objectID(current(key)))
        case .list(let members): .list(members.map { $0.replacingTemporaryKeys(current) })
        default: self
        }
    }
}
