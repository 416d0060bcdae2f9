// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// How a fetch is run: where candidates come from, how they are filtered and ordered.
///
/// A plan belongs to the store it was made for and runs on any snapshot of it, from any thread, any
/// number of times. Its ``description`` says what it does, for people who tune their indexes.
///
/// Rows that are equal in all sort criteria come in the order of their object keys: ascending, or
/// descending if the last criterion is, so that an index and a sort give the same result. Without a
/// criterion the order is that of the source.
///
/// A class, so that handing one on costs a reference and not a copy of all it holds.
public final class FetchPlan: Sendable {
    /// What was asked for.
    public let fetch: FetchDescription
    let store: Store
    /// The indexes among which the plan has chosen.
    let catalog: CatalogState
    let entities: EntitySet
    let source: FetchSource
    /// The condition that candidates still have to be checked for.
    let residual: Predicate?
    /// The compiled residual by entity ordinal; empty without one.
    let filters: [RecordFilter?]
    let order: FetchOrder
    /// What the plan was chosen by; `nil` where nothing had to be weighed.
    let estimate: FetchEstimate?

    init(
        fetch: FetchDescription, store: Store, catalog: CatalogState, entities: EntitySet,
        source: FetchSource, residual: Predicate?, filters: [RecordFilter?], order: FetchOrder,
        estimate: FetchEstimate?
    ) {
        self.fetch = fetch
        self.store = store
        self.catalog = catalog
        self.entities = entities
        self.source = source
        self.residual = residual
        self.filters = filters
        self.order = order
        self.estimate = estimate
    }

    /// Whether results come straight from an index or a list, and the records need not be read.
    var readsKeysOnly: Bool {
        guard filters.isEmpty, !source.mayDangle else { return false }
        switch (order, source) {
        case (.none, _): return true
        case (.source, .index): return orderedRun == nil
        case (.source, _), (.memory, _): return false
        }
    }
}
