// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The objects that a predicate names, by their keys.
extension PredicateTree {
    /// The predicate with other keys in the place of those in its constants.
    func replacingKeys(_ replace: (ObjectKey) -> ObjectKey) -> PredicateTree {
        replacing { expression in
            guard case .constant(let operand) = expression, operand.namesObjects else { return nil }
            return .constant(operand.replacingKeys(replace))
        }
    }

    /// The predicate with other keys for the temporary ones.
    func replacingTemporaryKeys(_ current: (ObjectKey) -> ObjectKey) -> PredicateTree {
        replacingKeys { $0.isTemporary ? current($0) : $0 }
    }
}

extension Operand {
    fileprivate func replacingKeys(_ replace: (ObjectKey) -> ObjectKey) -> Operand {
        switch self {
        case .value(.objectID(let key)): .value(.objectID(replace(key)))
        case .value: self
        case .list(let members): .list(members.map { $0.replacingKeys(replace) })
        }
    }
}
