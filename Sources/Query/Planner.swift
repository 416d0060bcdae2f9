// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Chooses how fetches are run.
public enum Planner {
    /// Plans a fetch.
    ///
    /// - Throws: ``QueryError`` naming the entity and the key path that are wrong.
    /// - Complexity: O(size of the predicate × indexes of the entity); no record is read.
    public static func plan(
        _ fetch: FetchDescription, in store: Store
    ) throws(QueryError) -> FetchPlan {
        guard let entity = store.schema.entity(fetch.entity) else {
            throw QueryError(
                .unknownEntity,
                "the model has no entity \(fetch.entity); "
                    + NearestNames.advice(
                        for: fetch.entity, among: store.schema.entities.map(\.name)))
        }
        let resolver = KeyPathResolver(schema: store.schema)
        if let predicate = fetch.predicate {
            try PredicateChecker(resolver, entity: entity.name).check(predicate)
        }
        let entities = EntitySet(
            fetch.entity, includesSubentities: fetch.includesSubentities, in: store)
        var paths: [SortPath] = []
        for order in fetch.sortOrders {
            paths.append(try SortPath(order, entity: entity, store: store))
        }
        let residual = fetch.predicate?.normalized()
        return FetchPlan(
            fetch: fetch, store: store, entities: entities, source: .scan, residual: residual,
            filters: try filters(residual, entities, store),
            order: paths.isEmpty ? .none : .memory(paths))
    }

    private static func filters(
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
