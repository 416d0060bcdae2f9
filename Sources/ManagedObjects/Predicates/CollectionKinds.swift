// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// The kinds of the collections that expressions give to programs.
///
/// Evaluation knows members only, as stores do. A program sees what Core Data has: a set at a
/// to-many relationship, an ordered set at an ordered one, of a subquery what it filters, and sets
/// of the operations on sets.
struct CollectionKinds {
    /// The values of the program that the tree names.
    let values: [BoundValue]
    let evaluation: TreePurpose.Evaluation

    func kind(of expression: ExpressionTree) -> KeyPathValue.Kind {
        switch expression {
        case .constant, .aggregate: .list
        case .evaluatedObject: kind(at: [], of: evaluation.object)
        case .variable(let name): kind(at: [], of: value(of: name))
        case .keyPath(let keys): kind(at: keys[...], of: evaluation.object)
        case .member(.variable(let name), let keys): kind(at: keys[...], of: value(of: name))
        case .member(let base, let keys):
            keys.reduce(kind(of: base)) { operation($1) ?? $0 }
        case .subquery(let collection, _, _): kind(of: collection)
        case .function(FunctionName.union, _), .function(FunctionName.intersect, _),
            .function(FunctionName.minus, _):
            .set
        case .function("noindex:", let arguments) where arguments.count == 1:
            kind(of: arguments[0])
        case .function: .list
        case .conditional(let predicate, let first, let second):
            kind(of: holds(predicate) ? first : second)
        }
    }

    private func value(of variable: String) -> Any? {
        if let index = StandIn.index(variable) {
            if case .constant(let constant) = values[index] { return constant.stated }
            return nil
        }
        return evaluation.bindings?[variable]
    }

    private func holds(_ predicate: PredicateTree) -> Bool {
        let choice = ExpressionTree.conditional(
            predicate, .constant(.value(.boolean(true))), .constant(.value(.boolean(false))))
        return (try? BoundTree(choice, values).value(evaluation)) as? Bool ?? false
    }

    /// The kind of what a path leads to; keys behind a collection lead to one of the same kind.
    private func kind(at keys: ArraySlice<String>, of base: Any?) -> KeyPathValue.Kind {
        guard let base = ValueConversion.unwrapped(base) else { return .list }
        if !PredicateConversion.isDictionary(base),
            let kind = KeyPathValue.members(of: base)?.kind
        {
            return keys.reduce(kind) { operation($1) ?? $0 }
        }
        guard let key = keys.first, operation(key) == nil else { return .list }
        let next =
            PredicateConversion.instance(base, of: NSManagedObject.self)?.value(forKey: key)
            ?? DictionarySubject(base)?[key] ?? ReadableSubject.property(key, of: base)
        return kind(at: keys.dropFirst(), of: next)
    }

    /// The kind of what an operator of a key path gives; nil for a key.
    private func operation(_ key: String) -> KeyPathValue.Kind? {
        guard key.hasPrefix("@") else { return nil }
        return key == "@distinctUnionOfSets" ? .set : .list
    }
}
