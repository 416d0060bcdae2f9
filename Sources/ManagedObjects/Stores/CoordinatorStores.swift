// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Schema
import Store

/// All stores of a root context's coordinator as one source of a fetch.
struct CoordinatorStores: MatchSource {
    // SAFETY: made for one fetch of the context, which outlives it.
    private unowned let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// The stores' matches, without regard to unsaved changes.
    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        var sources = try sources(of: fetch.prepared)
        if sources.count > 1 {
            // With one store left, order, offset and limit are up to that one.
            let family = family(of: fetch.prepared)
            let filled = try sources.filter { try !$0.isEmpty(family) }
            sources = filled.isEmpty ? Array(sources.prefix(1)) : filled
        }
        return try context.mappingQueryErrors {
            if sources.count == 1 { return try sources[0].matches(fetch) }
            var part = fetch
            part.prepared = fetch.prepared.widened()
            let lists = try sources.map { try $0.matches(part).objects }
            return (try context.merged(lists, fetch.prepared.description), nil)
        }
    }

    /// The number of matches in all stores, without regard to unsaved changes.
    func count(_ fetch: SourceFetch) throws -> Int {
        let sources = try sources(of: fetch.prepared)
        let isCut = fetch.prepared.description.limit > 0 || fetch.prepared.description.offset > 0
        if isCut, sources.count > 1 { return try matches(fetch).objects.count }
        return try context.mappingQueryErrors {
            try sources.reduce(0) { try $0 + $1.count(fetch) }
        }
    }

    /// The dictionaries of a fetch; those of several stores one store after the other.
    ///
    /// - Throws: 134070 for groups, aggregates, order or distinct rows over several stores.
    func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ prepared: FetchPreparation
    ) throws -> [NSDictionary] {
        let sources = try sources(of: prepared)
        let description = prepared.description
        let isPlain =
            request.propertiesToGroupBy == nil && !request.returnsDistinctResults
            && description.sortOrders.isEmpty && description.limit == 0 && description.offset == 0
        let isAggregated = try request.propertiesToFetch?.contains {
            let column = try ResultColumn($0, prepared.runtime)
            return column.isAggregate && !column.isOfMany
        }
        guard sources.count == 1 || (isPlain && isAggregated != true) else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "dictionaries of \(sources.count) stores cannot be grouped, summed up, ordered or "
                    + "cut; set affectedStores to one store")
        }
        return try sources.flatMap { try $0.dictionaries(request, SourceFetch(prepared: prepared)) }
    }

    private func family(of prepared: FetchPreparation) -> [EntityRuntime] {
        prepared.description.includesSubentities ? prepared.runtime.family : [prepared.runtime]
    }

    private func sources(of prepared: FetchPreparation) throws -> [any StoreSource] {
        let stores = try context.stores(
            for: prepared.runtime, includesSubentities: prepared.description.includesSubentities,
            prepared.origin?.affectedStores)
        let sources = stores.compactMap(context.knownRows(in:))
        if sources.isEmpty, let store = stores.first { throw StoreRemoval.error(store) }
        return sources
    }
}

extension NSManagedObjectContext {
    /// The stores that a request goes to.
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

    /// The objects of keys of a further store; those that are not registered become faults.
    final func objects(elsewhere keys: [ObjectKey]) -> FoundObjects {
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
}
