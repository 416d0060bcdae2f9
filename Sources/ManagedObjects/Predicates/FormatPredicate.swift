// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Synchronization
import Traps

/// A predicate of the format language: what `NSPredicate(format:)` returns.
// To Foundation it is a block predicate, whose block is never called: one of a constant would equal
// `NSPredicate(value:)`, whatever the format.
final class FormatPredicate: NSPredicate {
    private let parsed: PredicateTree
    /// The source to make the tree anew from, if an argument names objects.
    private let source: PredicateSource?
    /// Whether an argument is not saved yet: its key will change.
    let hasUnsaved: Bool
    /// Whether an argument is a fetch, which runs whenever the predicate is used.
    private let hasFetch: Bool
    /// The stores of the objects that arguments name.
    private let stores: Set<String>
    // Guards what the last evaluation made ready: predicates are used from any queue.
    private let ready = Mutex<Ready?>(nil)

    /// A predicate for objects of one entity.
    private struct Ready {
        let identifier: UInt32
        let predicate: PreparedPredicate
    }

    convenience init(format: String, arguments: [Any?]) throws {
        try self.init(
            PredicateSource(.format(format, arguments), values: arguments.map(\.self)))
    }

    /// - Throws: ``PredicateSyntaxError`` for a source that is no predicate.
    private init(_ source: PredicateSource) throws {
        let tree = try source.tree(in: nil, runsFetches: false)
        parsed = tree
        let isPlain = source.isPlain
        hasFetch = !isPlain && source.hasFetch
        hasUnsaved = !isPlain && tree.namesUnsaved
        stores = isPlain ? [] : source.stores
        self.source = hasUnsaved || hasFetch || !stores.isEmpty ? source : nil
        super.init(block: { _, _ in false })
    }

    init(tree: PredicateTree) {
        parsed = tree
        source = nil
        hasUnsaved = false
        hasFetch = false
        stores = []
        super.init(block: { _, _ in false })
    }

    /// The predicate, with the keys that objects have now.
    ///
    /// - Parameter store: The identifier of the store whose objects it is evaluated for: objects of
    ///   other stores match none of them, whatever their rows.
    func tree(in store: String?) -> PredicateTree {
        let hasForeign = store.map { own in stores.contains { $0 != own } } ?? false
        guard let source, hasUnsaved || hasForeign || hasFetch else { return parsed }
        return (try? source.tree(in: store)) ?? parsed
    }

    /// The predicate with values in place of variables.
    func substituting(_ variables: [String: Any]) -> FormatPredicate {
        let source = (source ?? PredicateSource(.tree(parsed), values: [])).adding(variables)
        do {
            return try FormatPredicate(source)
        } catch {
            trap("\(error)")
        }
    }

    /// Predicates are not archived on Linux; the format text is the portable form.
    required init?(coder: NSCoder) { return nil }

    override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    // Called by Foundation's compound predicates.
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        if let ranges = bindings?.filter({ RangeArguments.isRange($0.value) }), !ranges.isEmpty {
            // Substituted first, so that they work in `IN` and `BETWEEN` as in a format.
            let others = bindings?.filter { ranges[$0.key] == nil } ?? [:]
            return substituting(ranges).evaluate(object, others)
        }
        return evaluate(object, bindings ?? [:])
    }

    private func evaluate(_ object: Any?, _ bindings: [String: Any]) -> Bool {
        let managed = object as? NSManagedObject
        let subject =
            managed.map { .subject(ObjectSubject($0, readsAll: true)) }
            ?? PredicateConversion.subject(object)
        let variables = bindings.mapValues { PredicateConversion.subject($0) }
        do {
            return try predicate(for: managed).evaluate(with: subject, variables: variables)
        } catch {
            trap("\(self) cannot be evaluated with \(object ?? "nil"): \(error)")
        }
    }

    /// The predicate made ready for an object, once for all of its entity.
    private func predicate(for object: NSManagedObject?) throws -> PreparedPredicate {
        let identifier = object?.runtime.identifier ?? 0
        if source == nil, let ready = ready.withLock({ $0 }), ready.identifier == identifier {
            return ready.predicate
        }
        let context = object?.context
        let store = context?.hasFurtherStores == true ? nil : context?.persistentStore?.identity
        let tree = PredicateConversion.coerced(tree(in: store), for: object)
        let made = try PreparedPredicate(tree)
        if source == nil {
            ready.withLock { $0 = Ready(identifier: identifier, predicate: made) }
        }
        return made
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    @available(*, deprecated)
    override var predicateFormat: String { "\(tree(in: nil))" }

    override var description: String { "\(tree(in: nil))" }

    /// Whether both say the same: their trees and the objects and fetches that they name are equal.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FormatPredicate else { return false }
        if other === self { return true }
        guard stores == other.stores, hasFetch == other.hasFetch else { return false }
        if hasFetch, source?.isEqual(to: other.source) != true { return false }
        return settled == other.settled
    }

    /// The tree with the keys that objects have now, without running fetches.
    private var settled: PredicateTree { hasFetch ? parsed : tree(in: nil) }

    // Without object IDs, which change when objects are saved.
    override var hash: Int {
        parsed.replacing { expression in
            if case .constant(let operand) = expression, operand.namesObjects {
                return .constant(.value(.null))
            }
            return nil
        }.hashValue
    }
}
