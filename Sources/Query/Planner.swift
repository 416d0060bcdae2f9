// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Chooses how fetches are run.
public enum Planner {
    /// Plans a fetch.
    ///
    /// ```swift
    /// let predicate = try Predicate(format: "name BEGINSWITH 'B'")
    /// let fetch = FetchDescription(entity: "Team", predicate: predicate)
    /// let plan = try Planner.plan(fetch, in: store)
    /// print(plan)  // where candidates come from, the filter, the order
    /// let keys = try plan.keys(in: store.makeSnapshot())
    /// ```
    ///
    /// - Throws: ``QueryError`` naming the entity and the key path that are wrong.
    /// - Complexity: O(size of the predicate × indexes of the entity); no record is read.
    public static func plan(
        _ fetch: FetchDescription, in store: Store
    ) throws(QueryError) -> FetchPlan {
        try plan(fetch, in: store, store.catalog)
    }

    /// Plans a fetch by what is known of plans of the same shape.
    ///
    /// - Parameter memory: Of this store alone, which it keeps open; nil for none.
    /// - Throws: ``QueryError`` naming the entity and the key path that are wrong.
    public static func plan(
        _ fetch: FetchDescription, in store: Store, remembering memory: PlanMemory?
    ) throws(QueryError) -> FetchPlan {
        let catalog = store.catalog
        if let plan = memory?.plan(fetch, store, catalog) { return plan }
        return try plan(fetch, in: store, catalog, memory)
    }

    /// Plans a fetch with the indexes that the file has in a state of its catalog.
    static func plan(
        _ fetch: FetchDescription, in store: Store, _ catalog: CatalogState,
        _ memory: PlanMemory? = nil
    ) throws(QueryError) -> FetchPlan {
        guard let table = store.table(named: fetch.entity) else {
            throw QueryError(
                .unknownEntity,
                "the model has no entity \(fetch.entity); "
                    + NearestNames.advice(
                        for: fetch.entity, among: store.schema.entities.map(\.name)))
        }
        if let plan = pointPlan(fetch, table, in: store, catalog) { return plan }
        let stated = fetch
        var fetch = fetch
        if let predicate = fetch.predicate {
            let resolver = KeyPathResolver(schema: store.schema)
            try PredicateChecker(resolver, entity: fetch.entity).check(predicate)
            fetch.predicate = try ConstantCoercion(
                store.schema, entity: fetch.entity, isStrict: true
            ).coerced(predicate)
        }
        let entities = EntitySet(
            table, includesSubentities: fetch.includesSubentities, in: store)
        var paths: [SortPath] = []
        for order in fetch.sortOrders {
            paths.append(try SortPath(order, entity: table.entity, store: store))
        }
        let choice = try PlanChooser(
            fetch, paths, SourcePlanner(Estimates(store), catalog, table, entities)
        ).choice()
        fetch.countsKeys = choice.countsKeys
        let plan = FetchPlan(
            fetch: fetch, store: store, catalog: catalog, entities: entities, source: choice.source,
            residual: choice.residual,
            filters: try filters(choice.residual, entities, store), order: choice.order,
            estimate: choice.estimate)
        memory?.note(stated, plan, choice, table)
        return plan
    }

    /// The compiled filters of a condition, by entity ordinal.
    static func filters(
        _ residual: Predicate?, _ entities: EntitySet, _ store: Store
    ) throws(QueryError) -> [RecordFilter?] {
        guard let residual else { return [] }
        let compiler = FilterCompiler(store: store)
        var filters: [RecordFilter?] = Array(repeating: nil, count: store.tables.count)
        for ordinal in entities.ordinals {
            filters[ordinal] = RecordFilter(
                root: try compiler.node(residual, store.tables[ordinal]))
        }
        return filters
    }
}
