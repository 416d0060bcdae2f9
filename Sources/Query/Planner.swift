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

    /// Plans a fetch with the indexes that the file has in a state of its catalog.
    static func plan(
        _ fetch: FetchDescription, in store: Store, _ catalog: CatalogState
    ) throws(QueryError) -> FetchPlan {
        guard let table = store.table(named: fetch.entity) else {
            throw QueryError(
                .unknownEntity,
                "the model has no entity \(fetch.entity); "
                    + NearestNames.advice(
                        for: fetch.entity, among: store.schema.entities.map(\.name)))
        }
        if let plan = pointPlan(fetch, table, in: store, catalog) { return plan }
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
        let choice = choose(
            fetch, paths, table, SourcePlanner(store: store, catalog: catalog, table: table))
        return FetchPlan(
            fetch: fetch, store: store, catalog: catalog, entities: entities, source: choice.source,
            residual: choice.residual,
            filters: try filters(choice.residual, entities, store), order: choice.order)
    }

    private static func choose(
        _ fetch: FetchDescription, _ paths: [SortPath], _ table: EntityTable,
        _ planner: SourcePlanner
    ) -> (source: FetchSource, residual: Predicate?, order: FetchOrder) {
        let members = (fetch.predicate?.normalized() ?? .constant(true)).conjunction.filter {
            $0 != .constant(true)
        }
        let sort: FetchOrder = paths.isEmpty ? .none : .memory(paths)
        if let best = planner.best(members, serving: paths) {
            let rest = members.enumerated().filter { !best.settled.contains($0.offset) }
            let residual = rest.isEmpty ? nil : Predicate.joined(rest.map(\.element), isAnd: true)
            if case .nothing = best.source { return (.nothing, nil, .none) }
            guard let order = IndexOrder(best, table, paths) else {
                return (best.source, residual, sort)
            }
            return (
                .index(order.scan), residual, .source(isReversed: order.isReversed, paths)
            )
        }
        let residual = members.isEmpty ? nil : Predicate.joined(members, isAnd: true)
        // Without a bound a filter would read all records out of order only to drop most of them.
        if fetch.limit > 0 || members.isEmpty {
            for index in planner.catalog.indexes(of: table) {
                guard let order = IndexOrder(whole: index, table, paths) else { continue }
                return (
                    .index(order.scan), residual, .source(isReversed: order.isReversed, paths)
                )
            }
        }
        return (.scan, residual, sort)
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
