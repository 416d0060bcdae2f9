// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Synchronization
import Traps

/// What a predicate of this module is, whatever class of Foundation's it shows itself as.
final class PredicateContent {
    /// Whether it is an equality, which fetches ask for more often than for all else.
    let form: EqualityForm
    /// `nil` for an equality that was made of its key and value.
    private let stated: BoundTree<PredicateTree>?
    // Guards what was made when it was asked for: predicates are used from any queue.
    private let made = Mutex(Made())

    private struct Made {
        /// The tree, where none was stated.
        var tree: PredicateTree?
        /// What the last evaluation made ready.
        var ready: Ready?
    }

    /// A predicate for objects of one entity.
    private struct Ready {
        let identifier: UInt32
        let predicate: PreparedPredicate
    }

    init(_ content: BoundTree<PredicateTree>) {
        stated = content
        form = EqualityForm(content)
    }

    /// `key == value`.
    ///
    /// The tree is made when it is asked for, which the look-up of a unique value never does.
    init(_ key: String, equals value: Value) {
        stated = nil
        form = .value(key, value)
    }

    /// The tree.
    var content: BoundTree<PredicateTree> {
        if let stated { return stated }
        let tree = made.withLock { made in
            let tree = made.tree ?? form.tree
            made.tree = tree
            return tree
        }
        return BoundTree(tree)
    }

    /// The predicate with values in place of variables.
    func substituting(_ variables: [String: Any]) -> NSPredicate {
        if case .variable(let key, let name) = form, variables.count == 1,
            let (stated, value) = variables.first, stated == name,
            let plain = PredicateConversion.plainValue(value)
        {
            return ManagedComparison.make(PredicateContent(key, equals: plain))
        }
        if let tree = filled(variables) { return PredicateMaking.predicate(tree) }
        let content = content
        var binder = ArgumentBinder(content.values)
        let constants = variables.mapValues { binder.part($0) }
        let filled = binder.finished(content.tree.substituting(constants))
        // Filled again and again it would become ever deeper.
        guard filled.tree.isDeeper(than: 4 * PredicateConversion.mostLevels) else {
            return PredicateMaking.predicate(filled)
        }
        var deep = ArgumentBinder()
        return PredicateMaking.predicate(
            deep.finished(deep.deep(PredicateMaking.predicate(content))))
    }

    /// The tree of `key relation $variable`, the usual template, with a plain value.
    private func filled(_ variables: [String: Any]) -> PredicateTree? {
        let content = content
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
        var variables = (values ?? [:]).mapValues { PredicateConversion.subject($0) }
        if stated?.values.isEmpty == false {
            variables.merge(content.ownValues) { own, _ in own }
        }
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
        let content = content
        let isSettled = content.isSettled(in: store)
        if isSettled, let ready = made.withLock({ $0.ready }), ready.identifier == identifier {
            return ready.predicate
        }
        var purpose = TreePurpose(store: store)
        purpose.evaluation = TreePurpose.Evaluation(
            object: object, bindings: bindings.map { NSMutableDictionary(dictionary: $0) })
        let tree = try content.resolved(for: purpose)
        let predicate = try PreparedPredicate(PredicateConversion.coerced(tree, for: managed))
        if isSettled {
            made.withLock { $0.ready = Ready(identifier: identifier, predicate: predicate) }
        }
        return predicate
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
