// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Store

/// What a fetch request says beyond a description that all stores share.
struct FetchOrigin {
    let predicate: NSPredicate?
    /// Whether a child fetches: its own predicate reads objects that are of its queue.
    let isOfChild: Bool
    var sortDescriptors: [NSSortDescriptor]?
    let affectedStores: [NSPersistentStore]?
}

extension FetchPreparation {
    /// The predicate with the constants that one store knows.
    func predicate(in store: NSPersistentStore) throws -> PredicateTree? {
        guard let predicate = origin?.predicate else { return description.predicate }
        let tree = try PredicateConversion.predicate(predicate, in: store.identity)
        return withCurrentKeys?(tree) ?? tree
    }

    /// A request for a store of the program's own.
    func makeRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = runtime.description
        request.includesSubentities = description.includesSubentities
        request.predicate =
            origin?.isOfChild == true
            ? description.predicate.map { PredicateMaking.predicate($0) } : origin?.predicate
        request.affectedStores = origin?.affectedStores
        request.includesPendingChanges = false
        request.sortDescriptors = origin?.sortDescriptors
        request.fetchLimit = description.limit
        request.fetchOffset = description.offset
        return request
    }
}
