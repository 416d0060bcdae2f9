// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// A comparison: what `NSPredicate(format:)` and the initialiser of `NSComparisonPredicate` make.
final class ManagedComparison: NSComparisonPredicate {
    // Optional because no initialiser of the superclass can be called.
    private(set) var content: PredicateContent? = nil

    static func make(_ content: BoundTree<PredicateTree>) -> ManagedComparison {
        make(PredicateContent(content))
    }

    static func make(_ content: PredicateContent) -> ManagedComparison {
        let made = ClassMetadata.makeObject(
            ManagedComparison.self, like: PredicateMaking.template)
        made.content = content
        return made
    }

    private var bound: PredicateContent {
        guard let content else { trap("a comparison predicate has lost its tree") }
        return content
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var classForCoder: AnyClass { NSComparisonPredicate.self }

    // The other one of Foundation's calls this one.
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        bound.evaluate(object, bindings)
    }

    @available(*, deprecated)
    override var predicateFormat: String { description }

    override var description: String { bound.description }

    /// Whether both say the same: their trees and the values that they name are equal.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ManagedComparison else { return false }
        return other === self || bound.content.isSame(as: other.bound.content)
    }

    override var hash: Int { bound.content.hashOfForm }
}
