// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

extension Planner {
    /// The plan of `key == constant` for an indexed text, integer or UUID and a constant of that
    /// type, without an order; nil for other fetches.
    ///
    /// Programs that find or create ask nothing else, each time with another constant. The plan is
    /// the one that weighing all conditions and indexes comes to, which takes longer than the
    /// look-up itself.
    static func pointPlan(
        _ fetch: FetchDescription, _ table: EntityTable, in store: Store, _ catalog: CatalogState
    ) -> FetchPlan? {
        guard fetch.sortOrders.isEmpty, case .comparison(let comparison)? = fetch.predicate,
            let (name, value) = comparison.keyAndValue,
            let position = table.field(named: name),
            value.hasOneForm(in: table.fields[position].type)
        else { return nil }
        let indexes = catalog.indexes(of: table)
        func first(where isWanted: (IndexTable) -> Bool) -> IndexTable? {
            indexes.first {
                $0.fields.count == 1 && $0.fields[0] == position && !$0.index.isPartial
                    && isWanted($0)
            }
        }
        guard let index = first(where: \.index.isUnique) ?? first(where: { _ in true }) else {
            return nil
        }
        let entities = EntitySet(
            table, includesSubentities: fetch.includesSubentities, in: store)
        // Entries of many other entities may lie under the key.
        guard index.index.isUnique || entities.containsAll(of: index, catalog) else { return nil }
        let key = IndexKey([value], of: index.index)
        if key.isTruncated { return nil }
        let scan = IndexScan(
            table: index, ranges: [IndexRange(prefix: key)], conditions: [comparison],
            fixedCount: 1, areKeys: true, mayBeCut: table.mayBeCut(index))
        return FetchPlan(
            fetch: fetch, store: store, catalog: catalog,
            entities: entities,
            source: .index(scan), residual: nil, filters: [], order: .none,
            estimate: nil)
    }
}
