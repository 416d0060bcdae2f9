// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Finds sources for the objects of an entity that satisfy a predicate.
struct SourcePlanner {
    let estimates: Estimates
    let catalog: CatalogState
    let table: EntityTable
    let entities: EntitySet

    var store: Store { estimates.store }
    var entity: Entity { table.entity }

    /// A planner for all objects of an entity, with those that inherit from it.
    init(_ estimates: Estimates, _ catalog: CatalogState, _ table: EntityTable) {
        self.init(
            estimates, catalog, table,
            EntitySet(table, includesSubentities: true, in: estimates.store))
    }

    init(
        _ estimates: Estimates, _ catalog: CatalogState, _ table: EntityTable,
        _ entities: EntitySet
    ) {
        self.estimates = estimates
        self.catalog = catalog
        self.table = table
        self.entities = entities
    }

    /// The number of objects, or what is assumed of an empty store.
    var count: Double { estimates.assumedCount(entities) }

    /// The cheapest candidate for a conjunction; `nil` if only a scan finds all matches.
    func best(_ members: [Predicate]) -> Candidate? {
        candidates(members).min { $0.total < $1.total }
    }

    /// All sources but scans that find the matches of a conjunction.
    ///
    /// One that yields nothing is the only one.
    func candidates(_ members: [Predicate]) -> [Candidate] {
        let reader = RestrictionReader(schema: store.schema, entity: entity)
        var restrictions: [Restriction] = []
        var candidates: [Candidate] = []
        for (index, member) in members.enumerated() {
            switch member.withLists() {
            case .constant(false): return [.nothing(index)]
            case .or(let alternatives):
                if let found = union(alternatives, index) { candidates.append(found) }
            case .comparison(let comparison):
                if let found = identity(comparison, index) { candidates.append(found) }
                if let found = walk(comparison, index) { candidates.append(found) }
                if let found = reader.restriction(comparison, member: index) {
                    restrictions.append(found)
                }
            case .constant, .not, .and: break
            }
        }
        candidates += ranges(restrictions, members)
        if let nothing = candidates.first(where: \.isNothing) { return [nothing] }
        for index in candidates.indices {
            candidates[index].lookUp += .orderedLookUp(candidates[index].rows, of: count)
        }
        return candidates
    }

    /// `SELF == x` and `SELF IN {…}`.
    private func identity(_ comparison: Comparison, _ index: Int) -> Candidate? {
        guard comparison.modifier == .direct, comparison.operator != .notEqualTo,
            let constant = comparison.right.constantOperand
        else { return nil }
        switch comparison.left {
        case .evaluatedObject: break
        case .keyPath(let keys)
        where keys.allSatisfy({ KeyPathResolver.isIdentity($0, of: entity) }): break
        default: return nil
        }
        guard let test = try? FieldTest(comparison.operator, constant, comparison.options),
            let keys = test.keyMembers?.keys
        else { return nil }
        if keys.isEmpty { return .nothing(index) }
        return Candidate(
            source: .keys(keys), settled: [index], rows: Double(keys.count), finding: .none,
            streams: true)
    }

    /// A disjunction of conditions that all have a source.
    private func union(_ alternatives: [Predicate], _ index: Int) -> Candidate? {
        var sources: [FetchSource] = []
        var rows = 0.0
        var finding = Cost.none
        var isExact = true
        for alternative in alternatives {
            let members = alternative.conjunction
            guard let best = best(members) else { return nil }
            switch best.source {
            case .nothing: continue
            case .union(let inner): sources += inner
            default: sources.append(best.source)
            }
            rows += best.rows
            finding += best.finding + best.rows * .collect
            isExact = isExact && best.settled.count == members.count
        }
        if sources.isEmpty { return .nothing(index) }
        return Candidate(
            source: .union(sources), settled: isExact ? [index] : [], rows: min(rows, count),
            finding: finding)
    }
}

extension Predicate {
    /// The parts that must all hold.
    var conjunction: [Predicate] {
        if case .and(let members) = self { members } else { [self] }
    }
}
