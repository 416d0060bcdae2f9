// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

extension SourcePlanner {
    /// The index ranges that satisfy restrictions, and what pairs of them have in common.
    ///
    /// - Parameter members: The parts of the conjunction that the restrictions come from.
    func ranges(_ restrictions: [Restriction], _ members: [Predicate]) -> [Candidate] {
        let partial = PartialIndexes(self, members, restrictions)
        if restrictions.isEmpty, partial == nil { return [] }
        let chooser = IndexChooser(table, restrictions, mostRanges: mostRanges)
        var candidates: [Candidate] = []
        for index in catalog.indexes(of: table) {
            var found = chooser.choice(index)
            if index.index.isPartial {
                guard let partial, partial.serves(index) else { continue }
                var choice = found ?? whole(index)
                choice.settled.formUnion(partial.settled(by: index))
                found = choice
            }
            if let found { candidates.append(candidate(found)) }
        }
        return candidates + intersections(candidates)
    }

    /// So many ranges are read in any table.
    static var leastMostRanges: Int { 512 }

    /// Each range costs a look-up, and for that many a scan is as soon done.
    private var mostRanges: Int {
        max(
            SourcePlanner.leastMostRanges,
            Int(count * (Cost.step + .membership).steps / Cost.seek.steps))
    }

    private func candidate(_ choice: IndexChoice) -> Candidate {
        let ranges = choice.scan.ranges
        if ranges.isEmpty {
            return Candidate(source: .nothing, settled: [], rows: 0, finding: .none)
        }
        var (entries, rows) = (Double(ranges.count), Double(ranges.count))
        if !choice.scan.areKeys || !choice.scan.table.index.isUnique {
            (entries, rows) = estimates.entries(of: choice.scan, entities)
        }
        return Candidate(
            source: .index(choice.scan), settled: choice.settled, rows: min(rows, count),
            finding: Double(ranges.count) * .seek + entries * .entry,
            lookUp: choice.scan.isPoint ? .none : .collect, streams: true)
    }

    /// The narrowest range with each other one that settles something else.
    private func intersections(_ candidates: [Candidate]) -> [Candidate] {
        guard estimates.count(entities) >= Estimates.leastCount,
            let least = candidates.min(by: { $0.rows < $1.rows })
        else { return [] }
        return candidates.compactMap { other in
            guard !other.settled.isSubset(of: least.settled), !least.settled.isEmpty else {
                return nil
            }
            return Candidate(
                source: .intersection([least.source, other.source]),
                settled: least.settled.union(other.settled),
                rows: least.rows * other.rows / count,
                finding: least.finding + least.rows * .collect + other.finding
                    + other.rows * .probe)
        }
    }
}
