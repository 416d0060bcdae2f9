// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Predicates that name unsaved objects, whose keys change if another context saves them.
///
/// A child turns a predicate into a tree on its own queue. Before its parent evaluates the tree,
/// the root may have given the objects in it permanent keys, by which the parent and the store know
/// them. So each context that evaluates the tree puts in its own keys. It can do so because the
/// root's keys are kept until the child has adopted them.
extension NSManagedObjectContext {
    /// A tree with the keys under which this context evaluates objects now.
    final func withCurrentKeys(_ tree: PredicateTree) -> PredicateTree {
        guard source != nil || lineage != nil else { return tree }
        return tree.replacingTemporaryKeys { key in
            known(key)?.storedKey ?? currentKey(of: key)
        }
    }

    /// A fetch with the keys under which this context evaluates objects now.
    final func withCurrentKeys(_ prepared: FetchPreparation) -> FetchPreparation {
        guard source != nil || lineage != nil || prepared.origin != nil,
            let tree = prepared.description.predicate
        else { return prepared }
        var current = prepared
        current.description.predicate = withCurrentKeys(tree)
        if current.origin != nil { current.withCurrentKeys = { self.withCurrentKeys($0) } }
        return current
    }

    /// The context at the top of the family.
    final var root: NSManagedObjectContext {
        var root = self
        while let source = root.source { root = source.parent }
        return root
    }
}
