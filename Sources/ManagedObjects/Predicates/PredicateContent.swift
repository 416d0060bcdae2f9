// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Synchronization
import Traps

/// What a predicate of this module is, whatever class of Foundation's it shows itself as.
final class PredicateContent {
    let content: BoundTree<PredicateTree>
    // Guards what the last evaluation made ready: predicates are used from any queue.
    private let ready = Mutex<Ready?>(nil)

    /// A predicate for objects of one entity.
    private struct Ready {
        let identifier: UInt32
        let predicate: PreparedPredicate
    }

    init(_ content: BoundTree<PredicateTree>) { self.content = content }

    /// The predicate with values in place of variables.
    func substituting(_ variables: [String: Any]) -> NSPredicate {
        if let tree = filled(variables) { return PredicateMaking.predicate(tree) }
        var binder = ArgumentBinder(content.values)
        let constants = variables.mapValues { binder.part($0) }
        return PredicateMaking.predicate(binder.finished(content.tree.substituting(constants)))
    }

    /// The tree of `key relation $variable`, the usual template, with a plain value.
    private func filled(_ variables: [String: Any]) -> PredicateTree? {
        guard variables.count == 1, content.values.isEmpty,
            case .comparison(var comparison) = content.tree, case .keyPath = comparison.left,
            case .variable(let name) = comparison.right,
            let variable = variables.first, variable.key == name,
            let value = PredicateConversion.plain(variable.value)
        else { return nil }
        comparison.right = .constant(.value(value))
        return .comparison(comparison)
    }

    func evaluate(_ object: Any?, _ bindings: [String: Any]?) -> Bool {
        do {
            return try holds(for: object, bindings)
        } catch {
            trap("\(self) cannot be evaluated with \(object ?? "nil"): \(error)")
        }
    }

    /// Whether an object satisfies the predicate.
    ///
    /// - Throws: What ``evaluate(_:_:)``, which cannot throw, traps for.
    func holds(for object: Any?, _ bindings: [String: Any]?) throws -> Bool {
        // Substituted first, so that they are coerced, and bounds of `BETWEEN`, as in a format.
        let stated = bindings?.filter { ArgumentBinder.isStated($0.value, for: object) } ?? [:]
        if stated.isEmpty { return try holds(for: object, bindings, bindings) }
        let filled = substituting(stated)
        guard let content = filled.managedContent else { return filled.evaluate(with: object) }
        return try content.holds(for: object, bindings?.filter { stated[$0.key] == nil }, bindings)
    }

    /// The same, with what is left of the variables.
    ///
    /// - Parameters:
    ///   - values: Of the variables.
    ///   - bindings: What blocks are handed.
    private func holds(
        for object: Any?, _ values: [String: Any]?, _ bindings: [String: Any]?
    ) throws -> Bool {
        let managed = PredicateConversion.instance(object, of: NSManagedObject.self)
        // A managed object is told by one cast; all else is looked at more closely.
        let subject: SubjectOperand =
            managed.map { .subject(ObjectSubject($0, readsAll: true)) }
            ?? PredicateConversion.subject(object)
        let variables = (values ?? [:]).mapValues { PredicateConversion.subject($0) }
        return try predicate(for: managed, object, bindings)
            .evaluate(with: subject, variables: variables)
    }

    /// The predicate made ready for an object, once for all of its entity.
    private func predicate(
        for managed: NSManagedObject?, _ object: Any?, _ bindings: [String: Any]?
    ) throws -> PreparedPredicate {
        let identifier = managed?.runtime.identifier ?? 0
        let context = managed?.context
        let store = context?.hasFurtherStores == true ? nil : context?.persistentStore?.identity
        let isSettled = content.isSettled(in: store)
        if isSettled, let ready = ready.withLock({ $0 }), ready.identifier == identifier {
            return ready.predicate
        }
        var purpose = TreePurpose(store: store)
        purpose.evaluation = TreePurpose.Evaluation(
            object: object, bindings: bindings.map { NSMutableDictionary(dictionary: $0) })
        let tree = try content.resolved(for: purpose)
        let made = try PreparedPredicate(PredicateConversion.coerced(tree, for: managed))
        if isSettled {
            ready.withLock { $0 = Ready(identifier: identifier, predicate: made) }
        }
        return made
    }
}

extension PredicateContent: CustomStringConvertible {
    /// The text of the format language.
    var description: String { content.text }
}

extension NSPredicate {
    /// What a predicate of this module is; nil for others.
    final var managedContent: PredicateContent? {
        if let comparison = self as? ManagedComparison { return comparison.content }
        if let compound = self as? ManagedCompound { return compound.content }
        return nil
    }
}
