// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// An expression: what the initialisers of `NSExpression` make.
final class ManagedExpression: NSExpression {
    // Optional because no initialiser of the superclass can be called.
    private var box: Box? = nil

    /// A reference, which is nil when its bits are zero.
    private final class Box {
        let content: BoundTree<ExpressionTree>
        init(_ content: BoundTree<ExpressionTree>) { self.content = content }
    }

    static func make(_ content: BoundTree<ExpressionTree>) -> NSExpression {
        switch StandIn.index(content.tree).map({ content.values[$0] }) {
        case .fetch(let fetch)?: return fetch
        case .deep(let deep)?: if let expression = deep as? NSExpression { return expression }
        case .constant?, .block?, nil: break
        }
        let made = ClassMetadata.makeObject(ManagedExpression.self)
        made.box = Box(content)
        return made
    }

    fileprivate var known: BoundTree<ExpressionTree> {
        guard let box else { trap("an expression has lost its tree") }
        return box.content
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var classForCoder: AnyClass { NSExpression.self }

    /// The text of the format language.
    override var description: String {
        if case .constant(let constant)? = boundValue, constant.known == nil {
            return "\(constant.stated ?? "nil")"
        }
        return known.text
    }

    /// Whether both have the same parts: paths, functions, variables and equal constants.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ManagedExpression else { return false }
        return other === self || known.isSame(as: other.known)
    }

    override var hash: Int { known.hashOfForm }
}

extension NSExpression {
    /// What the expression is.
    final var content: BoundTree<ExpressionTree> {
        if let made = self as? ManagedExpression { return made.known }
        if let fetch = self as? NSFetchRequestExpression {
            return BoundTree(.variable(StandIn.name(0)), [.fetch(fetch)])
        }
        trap("\(type(of: self)) has no content; make expressions with NSExpression's initialisers")
    }

    /// The value of the program that the whole expression is.
    final var boundValue: BoundValue? {
        StandIn.index(content.tree).map { content.values[$0] }
    }

    /// The tree for objects of a store, with the keys that constants have now.
    ///
    /// - Throws: 134070 for what no predicate can hold.
    final func tree(in store: String?) throws -> ExpressionTree {
        try content.resolved(for: TreePurpose(store: store))
    }
}
