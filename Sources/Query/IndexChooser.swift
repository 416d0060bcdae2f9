// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A possible source of a plan.
struct Candidate {
    var source: FetchSource
    /// An estimate of how few candidates the source yields; higher is fewer.
    var score: Int
    /// The parts of the conjunction that hold for all that the source yields.
    var settled: Set<Int>
}

/// Finds the ranges of an index that satisfy restrictions.
struct IndexChooser {
    let entity: EntityTable
    /// The restrictions by property.
    private let restrictions: [String: [Restriction]]

    /// A list of values may become at most this many ranges.
    private static let mostRanges = 512

    init(_ entity: EntityTable, _ restrictions: [Restriction]) {
        self.entity = entity
        self.restrictions = Dictionary(grouping: restrictions, by: \.property)
    }

    /// The candidate for an index; `nil` when its first property has no restriction.
    func candidate(_ index: IndexTable) -> Candidate? {
        var builder = RangeBuilder()
        for property in index.index.properties {
            guard let choice = Choice(restrictions[property] ?? []) else { break }
            let type = entity.layout.fields[index.fields[builder.depth]].type
            guard builder.count * max(1, choice.valueCount) <= IndexChooser.mostRanges else {
                break
            }
            builder.append(choice, type)
            if !choice.isValues { break }
        }
        guard builder.depth > 0 else { return nil }
        if builder.isEmpty { return Candidate(source: .nothing, score: .max, settled: []) }
        let isComplete = builder.fixesAll && builder.depth == index.fields.count
        let scan = IndexScan(
            table: index, ranges: builder.ranges, conditions: builder.conditions,
            fixedCount: builder.fixedCount, mayBeCut: entity.mayBeCut(index))
        let bonus = isComplete && index.index.isUnique ? 5_000 : 0
        return Candidate(
            source: .index(scan), score: builder.score + bonus,
            settled: builder.isExact ? builder.settled : [])
    }
}

extension EntityTable {
    /// Whether long values of an index are cut.
    func mayBeCut(_ index: IndexTable) -> Bool {
        index.fields.contains { layout.fields[$0].type.isVariableLength }
    }
}

/// The restriction of one property that an index uses.
struct Choice {
    let kind: Restriction.Kind
    let isExact: Bool
    let members: Set<Int>
    let conditions: [Comparison]

    /// Chooses the most selective one, joining ranges with one bound each.
    init?(_ restrictions: [Restriction]) {
        if let best = restrictions.filter({ $0.valueCount != nil }).min(by: {
            ($0.valueCount ?? 0) < ($1.valueCount ?? 0)
        }) {
            self.init(best)
        } else if let ranges = Choice(ranges: restrictions) {
            self = ranges
        } else if let prefix = restrictions.first {
            self.init(prefix)
        } else {
            return nil
        }
    }

    private init(_ restriction: Restriction) {
        kind = restriction.kind
        isExact = restriction.isExact
        members = restriction.isExact ? [restriction.member] : []
        conditions = [restriction.condition]
    }

    private init?(ranges restrictions: [Restriction]) {
        var joined: Restriction.Bounds?
        var members: Set<Int> = []
        var conditions: [Comparison] = []
        for restriction in restrictions {
            guard case .range(let bounds) = restriction.kind else { continue }
            guard let merged = joined.map({ $0.joined(bounds) }) ?? bounds else { continue }
            joined = merged
            members.insert(restriction.member)
            conditions.append(restriction.condition)
        }
        guard let joined else { return nil }
        kind = .range(joined)
        isExact = true
        self.members = members
        self.conditions = conditions
    }

    var isValues: Bool {
        if case .values = kind { true } else { false }
    }

    var valueCount: Int {
        if case .values(let values) = kind { values.count } else { 1 }
    }

    /// How much the choice narrows the candidates.
    var score: Int {
        switch kind {
        case .values(let values): values.count == 1 ? 100 : 60
        case .range(let bounds): bounds.lower != nil && bounds.upper != nil ? 45 : 40
        case .prefix: 30
        }
    }
}

extension Restriction {
    fileprivate var valueCount: Int? {
        if case .values(let values) = kind { values.count } else { nil }
    }
}

extension Restriction.Bounds {
    /// Both ranges in one; `nil` when both have the same bound.
    fileprivate func joined(_ other: Restriction.Bounds) -> Restriction.Bounds? {
        if lower != nil && other.lower != nil || upper != nil && other.upper != nil { return nil }
        var result = self
        if other.lower != nil {
            result.lower = other.lower
            result.includesLower = other.includesLower
        }
        if other.upper != nil {
            result.upper = other.upper
            result.includesUpper = other.includesUpper
        }
        return result
    }
}
