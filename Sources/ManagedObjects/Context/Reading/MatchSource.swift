// SPDX-License-Identifier: Apache-2.0

import Query

/// Where the matches of a fetch come from if a context does not find them in its snapshot: its
/// parent, one store, or all stores of its coordinator.
///
/// Of these, only ``CoordinatorStores`` is no ``ObjectSource``: it has matches, but each object is
/// read from the store that its key names.
protocol MatchSource {
    /// The objects that match.
    func matches(_ fetch: SourceFetch) throws -> FoundObjects
    /// The number of matches.
    func count(_ fetch: SourceFetch) throws -> Int
}

/// The objects that a fetch found, with the class of all of them if they have one in common.
typealias FoundObjects = (objects: [NSManagedObject], type: NSManagedObject.Type?)

/// A fetch as a source is asked for it; order, offset and limit are up to the source.
struct SourceFetch {
    var prepared: FetchPreparation
    /// Whether a parent corrects its answer by its own unsaved changes.
    var includesPendingChanges = true

    /// The description with the constants that one store knows.
    func description(in store: NSPersistentStore) throws -> FetchDescription {
        var result = prepared.description
        result.predicate = try prepared.predicate(in: store)
        return result
    }
}

extension NSManagedObjectContext {
    /// The source of a fetch; `nil` if the context finds the matches in its snapshot.
    final func matchSource(of prepared: FetchPreparation) -> (any MatchSource)? {
        if let source { return source }
        return spansStores(prepared) ? CoordinatorStores(self) : nil
    }

    /// Whether a root's fetch has to look at more, or at less, than the main store alone.
    final func spansStores(_ prepared: FetchPreparation) -> Bool {
        hasFurtherStores || prepared.origin?.affectedStores != nil
    }
}
