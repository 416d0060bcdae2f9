// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// A comparison: what `NSPredicate(format:)` and the initialiser of `NSComparisonPredicate` make.
final class ManagedComparison: NSComparisonPredicate {
    // Optional because no initialiser of the superclass can be called.
    private(set) var content: PredicateContent? = nil

    static func make(_ content: BoundTree<PredicateTree>) -> ManagedComparison {
        let made = ClassMetadata.makeObject(
            ManagedComparison.self, like: PredicateMaking.template)
        made.content = PredicateContent(content)
        return made
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    // Called by Foundation's compound predicates.
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        content?.evaluate(object, bindings) ?? false
    }

    @available(*, deprecated)
    override var predicateFormat: String { description }

    override var description: String { content?.description ?? "" }

    /// Whether both say the same: their trees and the values that they name are equal.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ManagedComparison, let content, let known = other.content
        else { return false }
        return other === self || content.content.isSame(as: known.content)
    }

    override var hash: Int { content?.content.hashOfForm ?? 0 }
}
