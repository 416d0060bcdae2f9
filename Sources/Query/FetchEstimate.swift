// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// About how much a plan reads.
struct FetchEstimate: Sendable {
    /// The objects that the source yields, or as many of them as the limit needs.
    let candidates: Double
    /// The objects of the fetch's entities.
    let objects: Double
}

extension FetchPlan {
    /// The plan as text with what it was expected to read, for people.
    ///
    /// - Parameter snapshot: A snapshot to run the plan on, to tell what it reads in fact; `nil`
    ///   not to run it.
    /// - Throws: As ``forEach(in:_:)``.
    public func explanation(running snapshot: StoreSnapshot? = nil) throws -> String {
        var lines = [description]
        let objects = Estimates(store).count(entities)
        lines.append("  estimate: reads \(Int(estimatedCandidates.rounded())) of \(objects)")
        if let snapshot {
            let (read, matches) = try measured(in: snapshot)
            lines.append("  run: read \(read), of which \(matches) match")
        }
        return lines.joined(separator: "\n")
    }

    private var estimatedCandidates: Double {
        let share = countedIndex.flatMap { store.keyShare(of: $0.table) }
        return (share ?? 1) * estimatedRows
    }

    private var estimatedRows: Double {
        if let estimate { return min(estimate.candidates, estimate.objects) }
        guard case .index(let index) = source else { return 0 }
        if index.table.index.isUnique { return 1 }
        return Estimates(store).entries(of: index, entities).rows
    }
}

extension GroupedFetch {
    /// The plan as text, see ``FetchPlan/explanation(running:)``, with the order of the groups.
    public func explanation(running snapshot: StoreSnapshot? = nil) throws -> String {
        let text = try plan.explanation(running: snapshot)
        if order.isEmpty { return text }
        return text + "\n  sort groups by " + order.map(\.order.text).joined(separator: ", ")
    }
}
