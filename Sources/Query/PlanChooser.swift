// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Weighs the ways of running a fetch.
struct PlanChooser {
    /// What a plan is made of.
    struct Choice {
        let source: FetchSource
        let residual: Predicate?
        let order: FetchOrder
        let estimate: FetchEstimate
        /// The parts that hold for all candidates.
        var settled: Set<Int> = []
        /// How many sources there were, without scans and indexes that only have an order.
        var sourceCount = 0
        /// Whether each key of the source is read once, see ``FetchDescription/countsKeys``.
        var countsKeys = false
    }

    let fetch: FetchDescription
    let paths: [SortPath]
    let planner: SourcePlanner
    /// The parts of the condition that must all hold.
    let members: [Predicate]
    /// The number of objects of the fetch's entities.
    private let count: Double

    init(_ fetch: FetchDescription, _ paths: [SortPath], _ planner: SourcePlanner) {
        self.fetch = fetch
        self.planner = planner
        members = (fetch.predicate?.normalized() ?? .constant(true)).conjunction.filter {
            $0 != .constant(true)
        }
        self.paths = PlanChooser.deciding(paths, members, planner)
        count = planner.count
    }

    /// The cheapest way.
    ///
    /// - Throws: ``QueryError`` with `scanRefused`.
    func choice() throws(QueryError) -> Choice {
        let found = planner.candidates(members)
        if let nothing = found.first, nothing.isNothing {
            return Choice(
                source: .nothing, residual: nil, order: .none,
                estimate: FetchEstimate(candidates: 0, objects: count))
        }
        var ways = found.flatMap(ways)
        ways += wholeIndexes
        ways.append(Way(scan, nil, isStreamed: true))
        ways.removeAll { scannedCount($0) > allowedCount }
        if ways.isEmpty { throw refusal }
        let shares = shares(found)
        let costs = ways.map { cost($0, shares) }
        // The first one of equal ones: an index rather than a scan.
        let best = costs.indices.min { costs[$0].total < costs[$1].total } ?? 0
        return choice(ways[best], costs[best].candidates, sourceCount: found.count)
    }

    private func choice(_ way: Way, _ candidates: Double, sourceCount: Int) -> Choice {
        let rest = rest(of: way)
        let order: FetchOrder =
            way.order.map { .source(isReversed: $0.isReversed, paths, leading: $0.leading) }
            ?? (paths.isEmpty ? .none : .memory(paths))
        return Choice(
            source: way.order.map { .index($0.scan) } ?? way.candidate.source,
            residual: rest.isEmpty ? nil : Predicate.joined(rest, isAnd: true), order: order,
            estimate: FetchEstimate(candidates: candidates, objects: count),
            settled: way.candidate.settled, sourceCount: sourceCount,
            countsKeys: counting(way.candidate) != nil)
    }

    /// The parts that candidates have to be checked for.
    private func rest(of way: Way) -> [Predicate] {
        members.indices.filter { !way.candidate.settled.contains($0) }.map { members[$0] }
    }
}

/// A source and the order in which it comes.
private struct Way {
    let candidate: Candidate
    /// `nil` if the results have to be sorted, or come in any order.
    let order: IndexOrder?

    /// - Parameter isStreamed: Whether records are looked up as an index has them.
    init(_ found: Candidate, _ order: IndexOrder?, isStreamed: Bool) {
        var candidate = found
        if isStreamed, case .index(let index) = found.source, !index.isPoint {
            candidate.lookUp = .lookUp
        }
        self.candidate = candidate
        self.order = order
    }
}

extension PlanChooser {
    /// All records, one after the other.
    private var scan: Candidate {
        // A scan of fewer objects takes no time, but an index says what was meant.
        let rows = max(count, Double(Estimates.leastCount))
        return Candidate(
            source: .scan, settled: [], rows: rows, finding: rows * .step, lookUp: .none,
            streams: true)
    }

    /// Whether the results are only counted.
    private var onlyCounts: Bool { fetch.readProperties?.isEmpty == true }

    /// Whether indexes have all that is read of the results, so that no record is looked up.
    private func covers(_ candidate: Candidate) -> Bool {
        guard candidate.settled.count == members.count else { return false }
        if onlyCounts { return !candidate.source.mayDangle }
        guard case .index(let index) = candidate.source else { return false }
        return covers(index)
    }

    /// Whether the keys of an index have all that is read, in any order.
    private func covers(_ index: IndexScan) -> Bool {
        paths.isEmpty && planner.entities.ordinals == [planner.table.ordinal]
            && index.table.covers(fetch.readProperties, planner.table)
    }

    /// The cost of a source each key of which is read once; `nil` for others, and where keys have
    /// so few objects that to read these one by one takes no longer.
    private func counting(_ candidate: Candidate) -> Cost? {
        guard fetch.countsKeys, fetch.watch == nil, candidate.settled.count == members.count,
            case .index(let index) = candidate.source, covers(index),
            index.table.countsKeys(fetch, planner.entities, planner.catalog),
            let share = planner.estimates.keyShare(of: index.table),
            share * Cost.key.steps < Cost.entry.steps
        else { return nil }
        return Double(index.ranges.count) * .seek + max(1, share * candidate.rows) * .key
    }

    /// The cost of counting the objects of whole keys, which LMDB knows; `nil` for other fetches.
    private func countingAtOnce(_ candidate: Candidate) -> Cost? {
        guard onlyCounts, fetch.watch == nil, candidate.settled.count == members.count,
            case .index(let index) = candidate.source, index.areKeys,
            planner.entities.containsAll(of: index.table, planner.catalog)
        else { return nil }
        return Double(index.ranges.count) * .seek
    }

    /// A source in the order that it has, and sorted where that may be faster: many records are
    /// looked up in the order of the table then.
    private func ways(_ candidate: Candidate) -> [Way] {
        guard let order = IndexOrder(candidate, paths),
            order.leading == nil || fetch.limit > 0
        else { return [Way(candidate, nil, isStreamed: paths.isEmpty && fetch.limit > 0)] }
        let ordered = Way(candidate, order, isStreamed: true)
        let isLarge = candidate.rows >= Double(Estimates.leastCount) || order.leading != nil
        return isLarge ? [ordered, Way(candidate, nil, isStreamed: false)] : [ordered]
    }

    /// Indexes that have the requested order, read from one end.
    private var wholeIndexes: [Way] {
        // Without a bound a filter would read all records out of order only to drop most of them.
        guard fetch.limit > 0 || members.isEmpty else { return [] }
        if fetch.countsKeys, paths.isEmpty { return coveringIndexes }
        return planner.catalog.indexes(of: planner.table).compactMap { index in
            // A partial one that serves is among the candidates.
            guard !index.index.isPartial,
                let order = IndexOrder(whole: index, planner.table, paths),
                order.leading == nil || fetch.limit > 0
            else { return nil }
            let entries = entryCount(index)
            if entries > count, areFew(among: entries) { return nil }
            return Way(
                Candidate(
                    source: .index(order.scan), settled: [], rows: count,
                    finding: .seek + entries * .entry, lookUp: .lookUp, streams: true),
                order, isStreamed: true)
        }
    }

    /// Whether all objects are as soon scanned and sorted as looked for among the entries of many.
    private func areFew(among entries: Double) -> Bool {
        let scanned = planner.estimates.count(planner.entities)
        // No entry is of an entity that has none, so that all would be read.
        if scanned == 0 { return true }
        if scanned > allowedCount { return false }
        // A larger table is weighed as it is.
        if count >= Double(Estimates.leastCount) { return false }
        let share = fetch.reach > 0 ? min(1, Double(fetch.reach) / count) : 1
        return share * entries * .entry > count * (Cost.step + .sort)
    }

    /// How many entries are read of a whole index, with those of entities that are not asked for.
    private func entryCount(_ index: IndexTable) -> Double {
        if planner.entities.containsAll(of: index, planner.catalog) { return count }
        return planner.estimates.entries(
            of: IndexScan(whole: index, planner.table), planner.entities
        ).entries
    }

    /// Indexes with all that is read, for a fetch without a condition or an order.
    private var coveringIndexes: [Way] {
        planner.catalog.indexes(of: planner.table).compactMap { index in
            if index.index.isPartial { return nil }
            let whole = Candidate(
                source: .index(IndexScan(whole: index, planner.table)), settled: [], rows: count,
                finding: .seek + count * .entry, streams: true)
            return counting(whole).map { _ in Way(whole, nil, isStreamed: false) }
        }
    }

    /// How many objects may be scanned.
    private var allowedCount: Int { fetch.scanLimit > 0 ? fetch.scanLimit : .max }

    /// The objects that a way may read without the help of a condition, to return fewer.
    private func scannedCount(_ way: Way) -> Int {
        if fetch.scanLimit <= 0 { return 0 }
        let leavesOut = !rest(of: way).isEmpty || (fetch.limit > 0 && way.order == nil)
        switch way.candidate.source {
        case .scan where leavesOut && (!members.isEmpty || !paths.isEmpty):
            return planner.estimates.count(planner.entities)
        // A whole partial index serves a condition: it has nothing but what satisfies that.
        case .index(let index)
        where index.conditions.isEmpty && !members.isEmpty && !index.table.index.isPartial:
            return planner.estimates.count(planner.entities)
        default: return way.candidate.source.scannedCount(planner.estimates)
        }
    }

    /// For each part the share of objects for which it holds.
    private func shares(_ candidates: [Candidate]) -> [Double] {
        members.indices.map { index in
            var rows: Double?
            for candidate in candidates
            where candidate.settled.count == 1 && candidate.settled.contains(index) {
                rows = min(rows ?? candidate.rows, candidate.rows)
            }
            return min(1, rows.map { $0 / count } ?? members[index].assumedShare)
        }
    }

    /// What a way costs, and how many candidates it reads.
    private func cost(_ way: Way, _ shares: [Double]) -> (total: Cost, candidates: Double) {
        var candidate = way.candidate
        if let cost = counting(candidate) ?? countingAtOnce(candidate) {
            return (cost, candidate.rows)
        }
        if covers(candidate) { candidate.lookUp = .none }
        var matches = candidate.rows
        var checking = Cost.none
        for (index, member) in members.enumerated() where !candidate.settled.contains(index) {
            matches *= shares[index]
            checking += member.checking
        }
        let reading = candidate.total + candidate.rows * checking
        guard paths.isEmpty || way.order != nil || onlyCounts else {
            return (reading + matches * .sort, candidate.rows)
        }
        // Without an order all pages of a result must come from one plan, whatever their offset.
        let page = fetch.pageSize > 0 ? fetch.pageSize : fetch.limit
        let wanted = Double(paths.isEmpty ? page : fetch.reach)
        let isLimited = wanted > 0 && candidate.streams && matches > wanted
        if let order = way.order, order.leading != nil {
            // What is equal to the last one that is wanted is read as well, and sorted.
            let rows = candidate.rows
            let read = isLimited ? min(rows, wanted / matches * rows + equals(order)) : rows
            return (read / max(1, rows) * (reading + matches * .sort), read)
        }
        guard isLimited else { return (reading, candidate.rows) }
        let share = wanted / matches
        if fetch.offset > 0, let order = way.order, passesOverKeys(candidate, order) {
            let read = min(candidate.rows, Double(fetch.limit))
            return (share * candidate.finding + read * candidate.lookUp, read)
        }
        return (unevenness(candidate, share) * reading, share * candidate.rows)
    }

    /// Whether only keys are read of what is before the offset, see ``FetchPlan/passesOverKeys``.
    private func passesOverKeys(_ candidate: Candidate, _ order: IndexOrder) -> Bool {
        candidate.settled.count == members.count && !candidate.source.mayDangle
            && order.leading == nil && !order.scan.mayBeCut
    }

    /// About how many rows are equal in the leading criteria that an index answers, going by those
    /// that come first.
    private func equals(_ order: IndexOrder) -> Double {
        guard let leading = order.leading else { return 1 }
        let index = order.scan.table
        let values = (0..<leading.propertyCount).map { place in
            (
                type: planner.table.layout.fields[index.fields[place]].type,
                isDescending: index.index.isDescending(place)
            )
        }
        let found = planner.store.estimatedCount(
            of: index, alikeIn: values, in: order.scan.ranges, isReversed: order.isReversed)
        return found.map(Double.init) ?? count
    }

    /// The share of all records that a scan may have to read for a share of the matches, which may
    /// lie together at its end.
    private func unevenness(_ candidate: Candidate, _ share: Double) -> Double {
        if case .scan = candidate.source { min(1, 8 * share) } else { share }
    }
}

extension FetchSource {
    /// The objects at other ends of relationships that are scanned.
    fileprivate func scannedCount(_ estimates: Estimates) -> Int {
        switch self {
        case .filtered(let scan):
            scan.ordinals.reduce(0) { $0 + estimates.count($1) }
        case .walk(let walk): walk.owners.scannedCount(estimates)
        case .union(let members), .intersection(let members):
            members.reduce(0) { $0 + $1.scannedCount(estimates) }
        case .nothing, .scan, .keys, .index: 0
        }
    }
}
