// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Traps

extension FetchPlan {
    /// Calls a body with each result and its record, in order, offset and limit applied.
    ///
    /// Records come straight from the map and are valid until the snapshot moves. Unless the plan
    /// sorts in memory, results stream: nothing is collected, and stopping early saves the rest.
    ///
    /// - Parameters:
    ///   - snapshot: A snapshot of the plan's store. It must not move or park during the call.
    ///   - body: Returns false to stop.
    /// - Throws: ``Store/StoreError`` for a damaged file, `PredicateEvaluationError` for an
    ///   operator that does not apply to its operands, and what the body throws.
    /// - Complexity: O(candidates), and O(n log n) for n results sorted in memory; with a limit
    ///   memory is O(offset + limit).
    public func forEach(
        in snapshot: StoreSnapshot, _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        require(
            snapshot.store === store,
            "a plan for \(store.path) was run on a snapshot of \(snapshot.store.path)")
        guard snapshot.catalog === catalog else {
            return try replanned(for: snapshot).forEach(in: snapshot, body)
        }
        var window = ResultWindow(fetch)
        if case .memory(let paths) = order {
            let rows = try sortedRows(paths, snapshot)
            try fetch.watch?.look(rows.count)
            for row in rows {
                if window.skips() { continue }
                guard try body(row.key, row.record), window.goesOn() else { return }
            }
            return
        }
        if let run = orderedRun { return try forEach(run, in: snapshot, body) }
        if passesOverKeys { return try forEachBehindOffset(in: snapshot, body) }
        // A closure, which is inlined where a function of several callers would not be.
        try forEachMatch(in: snapshot) { key, record in
            if window.skips() { return true }
            return try body(key, record) && window.goesOn()
        }
    }

    /// The plan for the indexes that a snapshot has.
    ///
    /// Another program may have added an index, or emptied one that the model no longer has, since
    /// the plan was made or since the snapshot began.
    func replanned(for snapshot: StoreSnapshot) throws(QueryError) -> FetchPlan {
        try Planner.plan(fetch, in: store, snapshot.catalog)
    }

    @inline(never)
    private func forEach(
        _ run: OrderedRun, in snapshot: StoreSnapshot,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var window = ResultWindow(fetch)
        func take(_ key: ObjectKey, _ record: RecordView) throws -> Bool {
            if window.skips() { return true }
            return try body(key, record) && window.goesOn()
        }
        if let watch = fetch.watch {
            var count = WatchedCount(watch: watch)
            try run.forEach(of: self, in: snapshot, &count, take)
        } else {
            var count = NoCount()
            try run.forEach(of: self, in: snapshot, &count, take)
        }
    }

    /// How the index is read, where neighbours in it have to be sorted.
    var orderedRun: OrderedRun? {
        guard case .source(_, let paths, let leading) = order, case .index(let index) = source,
            index.mayBeCut || leading != nil
        else { return nil }
        return OrderedRun(
            index: index, paths: paths, keysAscend: keysAscend, leading: leading,
            bound: fetch.reach)
    }

    /// Whether rows that are equal in all criteria have ascending keys.
    var keysAscend: Bool { fetch.sortOrders.last?.isAscending ?? true }

    /// The keys of the results, in order, offset and limit applied.
    ///
    /// - Throws: As ``forEach(in:_:)``.
    public func keys(in snapshot: StoreSnapshot) throws -> ContiguousArray<ObjectKey> {
        guard snapshot.catalog === catalog else {
            return try replanned(for: snapshot).keys(in: snapshot)
        }
        var keys: ContiguousArray<ObjectKey> = []
        guard readsKeysOnly else {
            try forEach(in: snapshot) { key, _ in
                keys.append(key)
                return true
            }
            return keys
        }
        var window = ResultWindow(fetch)
        let reader = SourceReader(snapshot: snapshot, entities: entities)
        try reader.forEachKey(source, isReversed: readsBackwards, objectsDescend: objectsDescend) {
            key in
            if window.skips() { return true }
            keys.append(key)
            return window.goesOn()
        }
        return keys
    }

    /// The number of results, offset and limit applied.
    ///
    /// Nothing is sorted. Without a predicate no record is read, and neither is one where an index
    /// has all matches; those of a value of its own are counted at once.
    /// - Throws: As ``forEach(in:_:)``.
    public func count(in snapshot: StoreSnapshot) throws -> Int {
        guard snapshot.catalog === catalog else {
            return try replanned(for: snapshot).count(in: snapshot)
        }
        var total = 0
        if case .scan = source, filters.isEmpty {
            for ordinal in entities.ordinals {
                total += try snapshot.count(of: store.tables[ordinal])
            }
        } else if filters.isEmpty, case .index(let index) = source, index.areKeys,
            !index.table.index.isUnique, entities.containsAll(of: index.table, catalog)
        {
            total = try snapshot.count(index.table, keys: index.ranges)
        } else if filters.isEmpty, !source.mayDangle, fetch.watch == nil {
            let reader = SourceReader(snapshot: snapshot, entities: entities)
            try reader.forEachKey(source, isReversed: false) { _ in
                total += 1
                return true
            }
        } else {
            try forEachMatch(in: snapshot) { _, _ in
                total += 1
                return true
            }
        }
        let rest = max(0, total - fetch.offset)
        return fetch.limit > 0 ? min(rest, fetch.limit) : rest
    }

    private func sortedRows(
        _ paths: [SortPath], _ snapshot: StoreSnapshot
    ) throws -> [ResultRow] {
        guard paths.allSatisfy(\.isOrderedByBytes) else {
            var sorter = ValueSorter(paths, keysAscend: keysAscend)
            try forEachMatch(in: snapshot) { key, record in
                try sorter.append(ResultRow(key: key, record: record), snapshot)
                return true
            }
            return sorter.sorted()
        }
        var sorter = ByteSorter(paths, keysAscend: keysAscend, bound: fetch.reach)
        try forEachMatch(in: snapshot) { key, record in
            try sorter.append(ResultRow(key: key, record: record), snapshot)
            return true
        }
        return sorter.sorted()
    }
}

/// Leaves out results before the offset and stops at the limit.
struct ResultWindow {
    private var toSkip: Int
    private var left: Int

    init(_ fetch: FetchDescription) {
        toSkip = fetch.offset
        left = fetch.limit > 0 ? fetch.limit : .max
    }

    /// Whether the next result is before the offset.
    mutating func skips() -> Bool {
        guard toSkip > 0 else { return false }
        toSkip -= 1
        return true
    }

    /// Whether more results are wanted after one more was handed out.
    mutating func goesOn() -> Bool {
        left -= 1
        return left > 0
    }
}
