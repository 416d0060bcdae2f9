// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// What a conjunction says of partial indexes.
struct PartialIndexes {
    private let reader: IndexConditionReader
    private var premises = Premises()
    private let members: [Predicate]

    /// - Returns: nil where no index is partial.
    init?(
        _ planner: SourcePlanner, _ members: [Predicate], _ restrictions: [Restriction]
    ) {
        guard planner.catalog.indexes(of: planner.table).contains(where: { $0.index.isPartial })
        else { return nil }
        reader = IndexConditionReader(planner.store.schema, entity: planner.table.entity)
        self.members = members
        for member in members {
            if let condition = reader.known(member) { premises.add(condition) }
        }
        // Patterns are no conditions of indexes, but have a range.
        for restriction in restrictions where !restriction.isExact {
            premises.add(restriction.property, restriction.keyRanges)
        }
    }

    /// Whether an index has an entry of each object that satisfies.
    func serves(_ index: IndexTable) -> Bool {
        index.index.condition.map(premises.imply) ?? true
    }

    /// The members that hold for all objects that an index has.
    func settled(by index: IndexTable) -> Set<Int> {
        guard let condition = index.index.condition else { return [] }
        var known = Premises()
        known.add(condition)
        return Set(
            members.indices.filter { place in
                reader.known(members[place]).map(known.imply) ?? false
            })
    }
}

extension SourcePlanner {
    /// All of a partial index.
    func whole(_ index: IndexTable) -> IndexChoice {
        IndexChoice(scan: IndexScan(whole: index, table), settled: [])
    }
}
