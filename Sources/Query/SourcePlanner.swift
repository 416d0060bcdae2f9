// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Finds the best source for the objects of an entity that satisfy a predicate.
struct SourcePlanner {
    let store: Store
    let catalog: CatalogState
    let table: EntityTable

    private var entity: Entity { table.entity }

    /// The best candidate for a conjunction; `nil` if only a scan finds all matches.
    func best(_ members: [Predicate], serving paths: [SortPath] = []) -> Candidate? {
        let reader = RestrictionReader(schema: store.schema, table: table)
        var restrictions: [Restriction] = []
        var candidates: [Candidate] = []
        for (index, member) in members.enumerated() {
            switch member {
            case .constant(false):
                return Candidate(source: .nothing, score: .max, settled: [index])
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
        let chooser = IndexChooser(table, restrictions)
        for index in catalog.indexes(of: table) {
            guard var found = chooser.candidate(index) else { continue }
            if IndexOrder(found, table, paths) != nil { found.score += 5 }
            candidates.append(found)
        }
        return candidates.max { $0.score < $1.score }
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
        if keys.isEmpty { return Candidate(source: .nothing, score: .max, settled: [index]) }
        return Candidate(source: .keys(keys), score: 20_000 - keys.count, settled: [index])
    }

    /// A disjunction of conditions that all have a source.
    private func union(_ alternatives: [Predicate], _ index: Int) -> Candidate? {
        var sources: [FetchSource] = []
        var score = Int.max
        var isExact = true
        for alternative in alternatives {
            let members = alternative.conjunction
            guard let best = best(members) else { return nil }
            if case .nothing = best.source { continue }
            if case .union(let inner) = best.source {
                sources += inner
            } else {
                sources.append(best.source)
            }
            score = min(score, best.score)
            isExact = isExact && best.settled.count == members.count
        }
        if sources.isEmpty { return Candidate(source: .nothing, score: .max, settled: [index]) }
        return Candidate(
            source: .union(sources), score: score - 15, settled: isExact ? [index] : [])
    }
}

extension SourcePlanner {
    /// A condition behind a relationship that has an inverse: finds the objects at the other end
    /// and walks back.
    private func walk(_ comparison: Comparison, _ index: Int) -> Candidate? {
        guard case .keyPath(let keys) = comparison.left, let name = keys.first,
            let relationship = entity.relationship(name), !relationship.isTransient,
            let inverse = store.schema.inverse(of: relationship), !inverse.isTransient,
            let destination = store.table(named: relationship.destination),
            let inner = behind(relationship, comparison),
            !satisfiedByNull(inner)
        else { return nil }
        let planner = SourcePlanner(store: store, catalog: catalog, table: destination)
        let condition = inner.normalized()
        guard let best = planner.best([condition]) ?? filtered(condition, destination) else {
            return nil
        }
        if case .nothing = best.source {
            return Candidate(source: .nothing, score: .max, settled: [index])
        }
        let walk = RelationshipWalk(
            owners: best.source, table: destination, relationship: inverse.name)
        // A list of owners is as good as an index on the relationship, which has the longer keys.
        let score = min(best.score, 100) - 10
        return Candidate(
            source: .walk(walk), score: score, settled: best.settled.isEmpty ? [] : [index])
    }

    /// A scan of the other end, where that has far fewer objects.
    ///
    /// A scan of the own entity follows the relationship of each object; what this one finds is
    /// walked back. At worst all of the other end matches, and each object is looked up once.
    private func filtered(_ condition: Predicate, _ destination: EntityTable) -> Candidate? {
        let others = EntitySet(destination, includesSubentities: true, in: store)
        let own = EntitySet(table, includesSubentities: true, in: store)
        // A store that cannot be read now cannot be read by the fetch either, which throws.
        guard let ownCount = try? count(own), ownCount >= SourcePlanner.leastCount,
            let otherCount = try? count(others), otherCount <= ownCount / 4,
            let filters = try? Planner.filters(condition, others, store)
        else { return nil }
        return Candidate(
            source: .filtered(FilteredScan(predicate: condition, filters: filters)),
            score: 12, settled: [0])
    }

    /// A scan of fewer objects takes less than a millisecond.
    private static var leastCount: Int { 1_000 }

    private func count(_ entities: EntitySet) throws -> Int {
        try store.count(of: entities.ordinals.map { store.tables[$0] })
    }

    /// The condition on the object at the other end.
    private func behind(_ relationship: Relationship, _ comparison: Comparison) -> Predicate? {
        guard case .keyPath(let keys) = comparison.left else { return nil }
        var inner = comparison
        inner.left = .path(Array(keys.dropFirst()), of: .evaluatedObject)
        if relationship.isToMany {
            switch comparison.modifier {
            case .any: break
            case .direct:
                // `tracks CONTAINS x` is `ANY tracks == x`.
                guard comparison.operator == .contains, keys.count == 1,
                    case .value(.objectID) = comparison.right.constantOperand
                else { return nil }
                inner.operator = .equalTo
            case .all: return nil
            }
            inner.modifier = crossesToMany(keys.dropFirst(), relationship) ? .any : .direct
        } else if comparison.modifier == .all {
            return nil
        }
        return .comparison(inner)
    }

    private func crossesToMany(
        _ keys: ArraySlice<String>, _ relationship: Relationship
    ) -> Bool {
        var current = store.schema.entity(relationship.destination)
        for key in keys {
            guard let next = current?.relationship(key) else { return false }
            if next.isToMany { return true }
            current = store.schema.entity(next.destination)
        }
        return false
    }

    /// Whether nil at the end of the path satisfies: then objects without a destination do, which
    /// no walk finds.
    private func satisfiedByNull(_ predicate: Predicate) -> Bool {
        guard case .comparison(let comparison) = predicate,
            let constant = comparison.right.constantOperand,
            let test = try? FieldTest(comparison.operator, constant, comparison.options)
        else { return true }
        return test.nullResult
    }
}

extension Predicate {
    /// The parts that must all hold.
    var conjunction: [Predicate] {
        if case .and(let members) = self { members } else { [self] }
    }
}
