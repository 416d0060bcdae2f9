// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// A compound of a format.
///
/// Its members are made when they are asked for. Foundation's own storage of them stays empty: all
/// that reads it is overridden here.
final class ManagedCompound: NSCompoundPredicate {
    // Optional because it is made without an initialiser, see ``PredicateMaking/template``.
    private(set) var content: PredicateContent? = nil

    static func make(_ content: BoundTree<PredicateTree>) -> ManagedCompound {
        let made = ClassMetadata.makeObject(ManagedCompound.self, like: PredicateMaking.template)
        made.content = PredicateContent(content)
        return made
    }

    private var bound: PredicateContent {
        guard let content else { trap("a compound predicate of a format has lost its tree") }
        return content
    }

    private var tree: BoundTree<PredicateTree> { bound.content }

    override var compoundPredicateType: LogicalType {
        get {
            switch tree.tree {
            case .and: .and
            case .or: .or
            default: .not
            }
        }
        set { replace(newValue, subpredicates) }
    }

    override var subpredicates: [NSPredicate] {
        get {
            let members: [PredicateTree] =
                switch tree.tree {
                case .and(let members), .or(let members): members
                case .not(let operand): [operand]
                default: []
                }
            return members.map { PredicateMaking.predicate(BoundTree($0, tree.values)) }
        }
        set { replace(compoundPredicateType, newValue) }
    }

    /// What Linux allows, unlike Apple's systems.
    private func replace(_ type: LogicalType, _ members: [NSPredicate]) {
        do {
            let compound = NSCompoundPredicate(type: type, subpredicates: members)
            content = PredicateContent(try PredicateConversion.content(of: compound))
        } catch {
            trap("\(self) cannot take other members: \(error)")
        }
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var classForCoder: AnyClass { NSCompoundPredicate.self }

    // The other one of Foundation's calls this one.
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        bound.evaluate(object, bindings)
    }

    @available(*, deprecated)
    override var predicateFormat: String { description }

    override var description: String { bound.description }

    /// Whether both say the same; also a compound of Foundation's with equal members.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ManagedCompound else {
            return StructuralEquality.samePredicate(self, object as? NSPredicate)
        }
        return other === self || tree.isSame(as: other.tree)
    }

    override var hash: Int { StructuralEquality.hash(of: self) }
}
