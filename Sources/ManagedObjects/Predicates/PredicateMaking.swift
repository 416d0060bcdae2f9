// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// Makes the objects of Foundation's classes that show trees.
enum PredicateMaking {
    /// - Throws: ``PredicateSyntaxError`` for what is no predicate, and for an argument that
    ///   predicates cannot hold.
    static func parse(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        if let plain = plain(arguments) { return predicate(try FormatCache.tree(format, plain)) }
        var binder = ArgumentBinder()
        let taken = arguments.map { binder.argument($0) }
        return predicate(binder.finished(try FormatCache.tree(format, taken)))
    }

    /// The arguments, if all are of Swift's own types, as most are: nothing has to be bound then.
    private static func plain(_ arguments: [Any?]) -> [Argument]? {
        var taken: [Argument] = []
        taken.reserveCapacity(arguments.count)
        for argument in arguments {
            guard let value = PredicateConversion.plain(argument) else { return nil }
            taken.append(.operand(.value(value)))
        }
        return taken
    }

    /// A comparison, a compound or a constant.
    static func predicate(_ content: BoundTree<PredicateTree>) -> NSPredicate {
        switch content.tree {
        case .constant(let value): return ConstantPredicate(value)
        case .comparison: return ManagedComparison.make(content)
        case .not, .and, .or: return ManagedCompound.make(content)
        }
    }

    static func predicate(_ tree: PredicateTree) -> NSPredicate { predicate(BoundTree(tree)) }

    /// An object that Foundation takes for a block predicate, whose block is never called: one
    /// whose bits are zero would equal `NSPredicate(value: false)`, whatever it says.
    // SAFETY: it never changes, and only its bytes are read.
    nonisolated(unsafe) static let template: NSPredicate = {
        // Whoever makes a predicate here may build compounds of it.
        _ = FoundationPredicates.areMended
        return NSPredicate(block: { _, _ in false })
    }()
}

/// `TRUEPREDICATE` or `FALSEPREDICATE`, with a text.
final class ConstantPredicate: NSPredicate {
    private let value: Bool

    override init(value: Bool) {
        self.value = value
        super.init(value: value)
    }

    convenience init(_ value: Bool) {
        // Whoever makes a predicate here may compare it with those of Foundation's.
        _ = FoundationPredicates.areMended
        self.init(value: value)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var classForCoder: AnyClass { NSPredicate.self }

    // Foundation's takes each compound for false, and its hash is the address.
    override func isEqual(_ object: Any?) -> Bool { (object as? NSPredicate)?.constant == value }

    override var hash: Int { value.hashValue }

    override var description: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
}
