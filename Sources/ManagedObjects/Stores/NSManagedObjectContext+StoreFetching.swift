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
    let sortDescriptors: [NSSortDescriptor]?
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
    func makeRequest(
        for store: NSPersistentStore, isWhole: Bool
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = runtime.description
        request.includesSubentities = description.includesSubentities
        request.predicate =
            origin?.isOfChild == true
            ? description.predicate.map { FormatPredicate(tree: $0) } : origin?.predicate
        request.affectedStores = [store]
        request.includesPendingChanges = false
        guard isWhole else { return request }
        request.sortDescriptors = origin?.sortDescriptors
        request.fetchLimit = description.limit
        request.fetchOffset = description.offset
        return request
    }
}

/// Fetches of contexts whose coordinator has more than its main store.
extension NSManagedObjectContext {
    /// Whether a fetch has to look at more, or at less, than the main store alone.
    final func spansStores(_ prepared: FetchPreparation) -> Bool {
        source == nil && (hasFurtherStores || prepared.origin?.affectedStores != nil)
    }

    /// The stores that a fetch goes to.
    ///
    /// - Throws: 134070 when none of the affected stores is one of the coordinator's, or when it
    ///   has no stores at all.
    final func stores(
        for runtime: EntityRuntime, includesSubentities: Bool, _ affected: [NSPersistentStore]?
    ) throws -> [NSPersistentStore] {
        guard let coordinator = persistentStoreCoordinator else { return [] }
        var stores = coordinator.persistentStores
        if stores.isEmpty { _ = try requireStore() }
        if let affected {
            stores.removeAll { own in !affected.contains { $0 === own } }
            guard !stores.isEmpty else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "the stores that the request affects are none of the context's; set "
                        + "affectedStores to nil or to stores of its coordinator")
            }
        }
        let family = includesSubentities ? runtime.family : [runtime]
        return stores.filter { store in family.contains { coordinator.holds($0, in: store) } }
    }

    /// The stores' matches, without regard to unsaved changes, with the class of all, where they
    /// have one in common.
    ///
    /// - Parameter isWhole: Whether order, offset and limit are wanted as well.
    final func storedMatches(
        _ prepared: FetchPreparation, isWhole: Bool
    ) throws -> (objects: [NSManagedObject], type: NSManagedObject.Type?) {
        var stores = try stores(
            for: prepared.runtime, includesSubentities: prepared.description.includesSubentities,
            prepared.origin?.affectedStores)
        if stores.count > 1 {
            // With one store left, order, offset and limit are up to that one.
            let family =
                prepared.description.includesSubentities
                ? prepared.runtime.family : [prepared.runtime]
            let filled = try stores.filter { try !isEmpty($0, family) }
            stores = filled.isEmpty ? Array(stores.prefix(1)) : filled
        }
        let fetch = StoreFetch(prepared: prepared, isWhole: isWhole && stores.count == 1)
        if stores.count == 1 { return try matches(fetch, in: stores[0]) }
        var objects: [NSManagedObject] = []
        for store in stores { objects += try matches(fetch, in: store).objects }
        return (isWhole ? try arranged(objects, prepared.description) : objects, nil)
    }

    private final func isEmpty(
        _ store: NSPersistentStore, _ family: [EntityRuntime]
    ) throws -> Bool {
        if let further = persistentStoreCoordinator?.further(store.tag) {
            return try rows(of: further).isEmpty(family)
        }
        try moveSnapshotIfOutdated()
        let snapshot = try requireSnapshot()
        return try CoreDataError.mapping {
            try family.allSatisfy { try snapshot.count(of: snapshot.store.tables[$0.ordinal]) == 0 }
        }
    }

    private final func matches(
        _ fetch: StoreFetch, in store: NSPersistentStore
    ) throws -> (objects: [NSManagedObject], type: NSManagedObject.Type?) {
        if let further = persistentStoreCoordinator?.further(store.tag) {
            let keys = try mappingQueryErrors { try rows(of: further).matches(fetch) }
            return objects(elsewhere: keys)
        }
        return try mainMatches(
            FetchPreparation(
                runtime: fetch.prepared.runtime, description: fetch.description(in: store)))
    }

    /// The objects of keys of a further store; those that are not registered become faults.
    private final func objects(
        elsewhere keys: [ObjectKey]
    ) -> (objects: [NSManagedObject], type: NSManagedObject.Type?) {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(keys.count)
        registry.reserve(keys.count)
        var runtime: EntityRuntime?
        var isUniform = true
        for key in keys {
            if runtime?.ordinal != key.ordinalElsewhere {
                isUniform = runtime == nil
                runtime = self.runtime(of: key)
            }
            guard let runtime else { continue }
            if let known = known(key) {
                isUniform = isUniform && type(of: known) == runtime.objectClass
                objects.append(known)
            } else {
                objects.append(makeFault(key, runtime))
            }
        }
        return (objects, isUniform ? runtime?.objectClass : nil)
    }

    /// The number of matches in all stores, without regard to unsaved changes.
    final func storedCount(_ prepared: FetchPreparation) throws -> Int {
        let stores = try stores(
            for: prepared.runtime, includesSubentities: prepared.description.includesSubentities,
            prepared.origin?.affectedStores)
        let isCut = prepared.description.limit > 0 || prepared.description.offset > 0
        if isCut, stores.count > 1 {
            return try storedMatches(prepared, isWhole: true).objects.count
        }
        let fetch = StoreFetch(prepared: prepared, isWhole: stores.count == 1)
        var count = 0
        for store in stores {
            guard let further = persistentStoreCoordinator?.further(store.tag) else {
                try moveSnapshotIfOutdated()
                let snapshot = try requireSnapshot()
                let description = try fetch.description(in: store)
                count += try mappingQueryErrors {
                    try Planner.plan(description, in: snapshot.store).count(in: snapshot)
                }
                continue
            }
            count += try mappingQueryErrors { try rows(of: further).count(fetch) }
        }
        return count
    }

    /// The dictionaries of a fetch; those of several stores one store after the other.
    ///
    /// - Throws: 134070 for groups, order or distinct rows over several stores.
    final func storedDictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ prepared: FetchPreparation
    ) throws -> [NSDictionary] {
        let stores = try stores(
            for: prepared.runtime, includesSubentities: prepared.description.includesSubentities,
            request.affectedStores)
        let description = prepared.description
        let isPlain =
            request.propertiesToGroupBy == nil && !request.returnsDistinctResults
            && description.sortOrders.isEmpty && description.limit == 0 && description.offset == 0
        guard stores.count == 1 || isPlain else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "dictionaries of \(stores.count) stores cannot be grouped, ordered or cut; set "
                    + "affectedStores to one store")
        }
        let fetch = StoreFetch(prepared: prepared, isWhole: true)
        return try stores.flatMap { store -> [NSDictionary] in
            switch persistentStoreCoordinator?.further(store.tag).map(rows(of:)) {
            case let rows as FileRows: return try rows.dictionaries(request, fetch)
            case let rows as IncrementalRows: return try rows.dictionaries(request)
            default: return try mainDictionaries(request, prepared)
            }
        }
    }

    private final func mainDictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ prepared: FetchPreparation
    ) throws -> [NSDictionary] {
        let fetch = try DictionaryFetch(request, prepared, self)
        try moveSnapshotIfOutdated()
        return try fetch.run(in: requireSnapshot())
    }
}
