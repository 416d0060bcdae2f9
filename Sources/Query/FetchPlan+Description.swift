// SPDX-License-Identifier: Apache-2.0

import Predicates

extension FetchPlan: CustomStringConvertible {
    /// The plan as text of a few lines.
    ///
    /// The first line repeats the fetch, the next ones say where candidates come from, and then
    /// follow the remaining filter, the order and the limit.
    public var description: String {
        var lines = ["fetch \(fetch.entity)"]
        if !fetch.includesSubentities { lines[0] += " without subentities" }
        if let predicate = fetch.predicate { lines[0] += " where \(predicate)" }
        lines += sourceLines(source).map { "  " + $0 }
        if let residual { lines.append("  filter \(residual)") }
        if let text = orderText { lines.append("  \(text)") }
        if fetch.limit > 0 || fetch.offset > 0 {
            let limit = fetch.limit > 0 ? "limit \(fetch.limit) " : ""
            lines.append("  \(limit)offset \(fetch.offset)")
        }
        return lines.joined(separator: "\n")
    }

    private func sourceLines(_ source: FetchSource) -> [String] {
        switch source {
        case .nothing: return ["nothing (the predicate is never true)"]
        case .scan: return [scanText(entities.ordinals)]
        case .keys(let keys): return ["object IDs (\(keys.count))"]
        case .index(let index):
            return [text(index) + (countedIndex == nil ? "" : ", keys are counted")]
        case .walk(let walk):
            let head = "relationship walk: \(walk.relationship) of "
            if case .keys(let keys) = walk.owners {
                return [head + "\(keys.count) \(walk.table.entity.name)"]
            }
            return [head + walk.table.entity.name] + sourceLines(walk.owners).map { "  " + $0 }
        case .filtered(let scan):
            return [scanText(scan.ordinals), "filter \(scan.predicate)"]
        case .union(let members):
            return ["union"] + members.flatMap { sourceLines($0).map { "  " + $0 } }
        case .intersection(let members):
            return ["intersection"] + members.flatMap { sourceLines($0).map { "  " + $0 } }
        }
    }

    private func scanText(_ ordinals: [Int]) -> String {
        let names = ordinals.map { store.tables[$0].entity.name }
        return "scan \(names.joined(separator: ", ")) (entity scan)"
    }

    private func text(_ index: IndexScan) -> String {
        var name = index.table.index.name
        if let condition = index.table.index.condition { name += " where \(Predicate(condition))" }
        if index.conditions.isEmpty { return "index \(name) (whole)" }
        let text = index.conditions.map(\.description).joined(separator: " and ")
        let ranges = index.ranges.count == 1 ? "" : " (\(index.ranges.count) ranges)"
        return "index range \(name): \(text)\(ranges)"
    }

    private var orderText: String? {
        switch order {
        case .none: return nil
        case .source(let isReversed, let paths, let leading):
            let direction = isReversed ? ", backwards" : ""
            guard let leading else { return "order from index" + direction }
            let criteria = paths[..<leading.criteriaCount].map(\.order.text)
            return "order from index by \(criteria.joined(separator: ", "))\(direction); equal "
                + "ones are sorted in memory"
        case .memory(let paths):
            let criteria = paths.map(\.order.text)
            let bound = fetch.reach > 0 ? ", best \(fetch.reach)" : ""
            return "sort by \(criteria.joined(separator: ", ")) (in memory\(bound))"
        }
    }
}

extension SortOrder {
    /// The criterion for people.
    var text: String {
        let keys = keyPath.isEmpty ? ["SELF"] : keyPath
        return keys.joined(separator: ".") + (collation == .binary ? "" : " \(collation)")
            + (isAscending ? " ascending" : " descending")
    }
}
