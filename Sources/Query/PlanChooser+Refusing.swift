// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

extension PlanChooser {
    /// The error for a fetch that scans too much: what it would read, and how to help it.
    var refusal: QueryError {
        let count = planner.estimates.count(planner.entities)
        let condition = fetch.predicate.map { " where \($0)" } ?? ""
        return QueryError(
            .scanRefused,
            "a fetch of \(fetch.entity)\(condition) would scan \(count) objects, more than the "
                + "scanLimit of \(fetch.scanLimit); \(advice)")
    }

    private var advice: String {
        let wanted = members.isEmpty ? orderedKeys : members.flatMap(indexableKeys)
        guard let first = wanted.first else {
            return "no index can serve this condition: add a condition on an indexed attribute, or "
                + "raise the scanLimit"
        }
        let more = wanted.dropFirst().filter { $0 != first }
        let others = Set(more).sorted().map { ", or \($0)" }.joined()
        return "add an index on \(first)\(others)"
    }

    /// The criteria, for an index that has the order.
    private var orderedKeys: [String] {
        if paths.isEmpty || paths.contains(where: { $0.names.count != 1 }) { return [] }
        return [paths.flatMap(\.names).joined(separator: ", ") + " of \(fetch.entity)"]
    }

    /// The attributes by whose index a condition would be found.
    private func indexableKeys(_ condition: Predicate) -> [String] {
        switch condition {
        case .or(let members):
            let keys = members.map { $0.conjunction.compactMap(attribute) }
            // Each alternative needs an index.
            if keys.contains(where: \.isEmpty) { return [] }
            let missing = keys.compactMap { $0.contains(where: \.isIndexed) ? nil : $0[0].name }
            return missing.isEmpty ? [] : [Set(missing).sorted().joined(separator: " and on ")]
        case .comparison:
            return attribute(condition).flatMap { $0.isIndexed ? nil : [$0.name] } ?? []
        case .constant, .not, .and: return []
        }
    }

    /// The attribute whose index finds what satisfies a comparison.
    private func attribute(_ condition: Predicate) -> (name: String, isIndexed: Bool)? {
        guard case .comparison(let comparison) = condition,
            case .keyPath(var keys) = comparison.left, comparison.modifier != .all
        else { return nil }
        var table = planner.table
        while keys.count > 1 {
            guard let next = table.entity.relationship(keys[0]),
                let destination = planner.store.table(named: next.destination)
            else { return nil }
            table = destination
            keys.removeFirst()
        }
        var inner = comparison
        inner.left = .keyPath(keys)
        inner.modifier = .direct
        let reader = RestrictionReader(schema: planner.store.schema, entity: table.entity)
        guard let found = reader.restriction(inner, member: 0) else { return nil }
        let isKnown = planner.catalog.indexes(of: table).contains {
            $0.index.properties.first == found.property && !$0.index.isPartial
        }
        return ("\(found.property) of \(table.entity.name)", isKnown)
    }
}
