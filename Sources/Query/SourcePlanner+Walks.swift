// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Conditions behind relationships that have an inverse.
extension SourcePlanner {
    /// A condition behind a relationship that has an inverse: finds the objects at the other end
    /// and walks back.
    func walk(_ stated: Comparison, _ index: Int) -> Candidate? {
        let comparison = stated.withMembersOnLeft
        if let members = MemberCount(comparison) { return walk(members, comparison, index) }
        guard case .keyPath(let keys) = comparison.left, let name = keys.first,
            let relationship = entity.relationship(name),
            let inner = behind(relationship, comparison), !satisfiedByNull(inner)
        else { return nil }
        return walk(relationship, inner.normalized(), index)
    }

    /// The objects that have such members.
    private func walk(
        _ members: MemberCount, _ comparison: Comparison, _ index: Int
    ) -> Candidate? {
        guard members.needsMember, let name = members.keys.first,
            let relationship = entity.relationship(name)
        else { return nil }
        if !relationship.isToMany {
            return walk(relationship, .comparison(members.behindFirstKey(comparison)), index)
        }
        guard members.keys.count == 1 else { return nil }
        var found = walk(relationship, members.condition, index)
        // How many members they have has to be counted.
        if !members.isSettledByOne, found?.isNothing == false { found?.settled = [] }
        return found
    }

    /// The objects whose destinations satisfy a condition.
    private func walk(
        _ relationship: Relationship, _ condition: Predicate, _ index: Int
    ) -> Candidate? {
        guard !relationship.isTransient, let inverse = store.schema.inverse(of: relationship),
            !inverse.isTransient, let destination = store.table(named: relationship.destination)
        else { return nil }
        let planner = SourcePlanner(estimates, catalog, destination)
        let members = condition.conjunction
        guard let best = planner.best(members) ?? filtered(condition, planner) else { return nil }
        if best.isNothing { return .nothing(index) }
        let walk = RelationshipWalk(
            owners: best.source, table: destination, relationship: inverse.name)
        let fan = estimates.fan(of: inverse.name, destination, planner.count)
        let rows = min(count, best.rows * fan)
        return Candidate(
            source: .walk(walk), settled: best.settled.count == members.count ? [index] : [],
            rows: rows, finding: best.finding + best.rows * .seek + rows * .collect)
    }

    /// A scan of the other end, where that has far fewer objects.
    ///
    /// A scan of the own entity follows the relationship of each object; what this one finds is
    /// walked back. At worst all of the other end matches, and each object is looked up once.
    private func filtered(_ condition: Predicate, _ other: SourcePlanner) -> Candidate? {
        let ownCount = estimates.count(entities)
        let otherCount = estimates.count(other.entities)
        guard ownCount >= Estimates.leastCount, otherCount <= ownCount / 4,
            let filters = try? Planner.filters(condition, other.entities, store)
        else { return nil }
        return Candidate(
            source: .filtered(FilteredScan(predicate: condition, filters: filters)),
            settled: Set(condition.conjunction.indices),
            rows: Double(otherCount) * condition.assumedShare,
            finding: Double(otherCount) * (.step + condition.checking))
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

extension Comparison {
    /// `tags CONTAINS x` for `x IN tags`.
    fileprivate var withMembersOnLeft: Comparison {
        guard `operator` == .in, modifier == .direct, options.isEmpty,
            case .value(.objectID) = left.constantOperand, case .keyPath = right
        else { return self }
        return Comparison(left: right, operator: .contains, right: left)
    }
}
