// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Finds the ranges of an index that satisfy restrictions.
struct IndexChooser {
    let entity: EntityTable
    /// Values may become at most this many ranges: with more a scan is as soon done.
    let mostRanges: Int
    private let restrictions: [Restriction]

    init(_ entity: EntityTable, _ restrictions: [Restriction], mostRanges: Int) {
        self.entity = entity
        self.mostRanges = mostRanges
        self.restrictions = restrictions
    }

    /// The ranges of an index that satisfy, with the parts that they settle.
    ///
    /// - Returns: `nil` when the index's first property has no restriction; no ranges when nothing
    ///   satisfies.
    func choice(_ index: IndexTable) -> IndexChoice? {
        var builder = RangeBuilder()
        for property in index.index.properties {
            // Few, so that going over them takes less time than a table by property.
            let own = restrictions.filter { $0.property == property }
            guard let choice = Choice(own) else { break }
            let type = entity.layout.fields[index.fields[builder.depth]].type
            guard builder.count * max(1, choice.valueCount) <= mostRanges else { break }
            builder.append(
                choice, type, isDescending: index.index.isDescending(builder.depth))
            if !choice.isValues { break }
        }
        guard builder.depth > 0 else { return nil }
        let scan = IndexScan(
            table: index, ranges: builder.ranges, conditions: builder.conditions,
            fixedCount: builder.fixedCount,
            areKeys: builder.fixesAll && builder.depth == index.fields.count,
            mayBeCut: entity.mayBeCut(index))
        return IndexChoice(scan: scan, settled: builder.isExact ? builder.settled : [])
    }
}

/// Ranges of an index that satisfy restrictions.
struct IndexChoice {
    let scan: IndexScan
    /// The parts of the conjunction that hold for all in the ranges.
    var settled: Set<Int>
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
        // What has a value at all is no choice beside one that asks for some of them.
        let selective = restrictions.filter { !$0.isOfAllValues }
        if !selective.isEmpty, selective.count < restrictions.count {
            guard let choice = Choice(selective) else { return nil }
            let settled = choice.mayBeNull ? [] : restrictions.filter(\.isOfAllValues)
            self.init(choice, settling: settled)
            return
        }
        if restrictions.count == 1, restrictions[0].valueCount != nil {
            self.init(restrictions[0])
        } else if let best = restrictions.filter({ $0.valueCount != nil }).min(by: {
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

    /// A choice that settles parts beside it.
    private init(_ choice: Choice, settling others: [Restriction]) {
        kind = choice.kind
        isExact = choice.isExact
        members = choice.isExact ? choice.members.union(others.map(\.member)) : choice.members
        conditions = choice.conditions
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
            if restriction.isExact { members.insert(restriction.member) }
            conditions.append(restriction.condition)
        }
        guard let joined else { return nil }
        kind = .range(joined)
        isExact = true
        self.members = members
        self.conditions = conditions
    }

    private var mayBeNull: Bool {
        if case .values(let values) = kind { values.contains(.null) } else { false }
    }

    var isValues: Bool {
        if case .values = kind { true } else { false }
    }

    var valueCount: Int {
        if case .values(let values) = kind { values.count } else { 1 }
    }
}

extension Restriction {
    /// Whether it leaves out nil alone.
    fileprivate var isOfAllValues: Bool {
        if case .range(let bounds) = kind {
            bounds.lower == nil && bounds.upper == nil
        } else {
            false
        }
    }

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
