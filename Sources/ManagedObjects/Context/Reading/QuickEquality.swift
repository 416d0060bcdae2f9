// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The part of a predicate that a text of an object decides without an evaluation.
///
/// Programs that find or create look for one value among all the objects that they have made and
/// not saved yet: nearly all of those are left out here.
struct QuickEquality {
    private let ordinal: Int
    private let position: Int
    private let text: String

    /// Looks for `key == "text"` among the conditions that must all hold; nil if there is none.
    init?(_ predicate: PredicateTree?, _ runtime: EntityRuntime) {
        guard let predicate else { return nil }
        let members = if case .and(let members) = predicate { members } else { [predicate] }
        for member in members {
            guard case .comparison(let comparison) = member, comparison.operator == .equalTo,
                comparison.modifier == .direct, comparison.options.isEmpty,
                case .keyPath(let keys) = comparison.left, keys.count == 1,
                case .field(let position)? = runtime.references[keys[0]],
                runtime.fields[position].isStored, runtime.fields[position].type == .string,
                case .value(.string(let text))? = comparison.right.constantOperand
            else { continue }
            ordinal = runtime.ordinal
            self.position = position
            self.text = text
            return
        }
        return nil
    }

    /// Whether an object cannot match.
    ///
    /// False for a class that answers for its keys itself, and for an entity that inherits, which
    /// may have the attribute at another position.
    func rejects(_ object: NSManagedObject) -> Bool {
        guard object.runtimeOrdinal == ordinal, object.isCodedPlainly else { return false }
        // Texts that differ as Swift compares them differ in their bytes, too.
        guard case .string(let own) = object.draft?[position] ?? object.storedValue(position) else {
            return true
        }
        return own != text
    }
}
