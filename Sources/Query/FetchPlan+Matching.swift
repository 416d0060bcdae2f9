// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

extension FetchPlan {
    /// Whether the source is read from its end.
    var readsBackwards: Bool {
        if case .source(let backwards, _, _) = order { backwards } else { false }
    }

    /// Whether objects under one key of the source are read backwards.
    var objectsDescend: Bool {
        if case .source = order { !keysAscend } else { false }
    }

    /// Calls a body with each match, in the order of the source, and the watch at intervals.
    func forEachMatch(
        in snapshot: StoreSnapshot, _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        if let watch = fetch.watch {
            var count = WatchedCount(watch: watch)
            try forEachMatch(in: snapshot, &count, body)
        } else {
            var count = NoCount()
            try forEachMatch(in: snapshot, &count, body)
        }
    }

    /// Runs the plan as a fetch does and counts the objects that it reads, and those of them that
    /// match.
    func measured(in snapshot: StoreSnapshot) throws -> (read: Int, matches: Int) {
        guard snapshot.catalog === catalog else {
            return try replanned(for: snapshot).measured(in: snapshot)
        }
        var count = FullCount()
        var window = ResultWindow(fetch)
        let sorts = if case .memory = order { true } else { false }
        func take(_ key: ObjectKey, _ record: RecordView) -> Bool {
            if sorts || window.skips() { return true }
            return window.goesOn()
        }
        if countedIndex != nil {
            var (keys, objects) = (0, 0)
            try forEachRun(in: snapshot) { _, _, count in
                (keys, objects) = (keys + 1, objects + count)
                return true
            }
            return (keys, objects)
        }
        if let run = orderedRun {
            try run.forEach(of: self, in: snapshot, &count, take)
        } else if passesOverKeys {
            try forEachBehindOffset(in: snapshot, &count) { _, _ in true }
        } else {
            try forEachMatch(in: snapshot, &count, take)
        }
        return (count.candidates, count.matches)
    }

    /// How many of some objects match, offset and limit aside; ``source`` is not read.
    ///
    /// - Parameter keys: The keys of the objects, each once; those of other entities do not match.
    /// - Throws: As ``forEach(in:_:)``.
    public func matchCount(
        among keys: some Sequence<ObjectKey>, in snapshot: StoreSnapshot
    ) throws -> Int {
        let filters = try Planner.filters(fetch.predicate?.normalized(), entities, store)
        var count = 0
        for key in keys {
            guard let ordinal = store.ordinal(of: key.entity), entities.ordinals.contains(ordinal),
                let record = try snapshot.record(for: key)
            else { continue }
            let matches =
                try filters.isEmpty || filters[ordinal]?.matches(key, record, snapshot) ?? true
            if matches { count += 1 }
        }
        return count
    }

    /// As above, telling a count of what is read.
    func forEachMatch<Count: CandidateCount>(
        in snapshot: StoreSnapshot, _ count: inout Count,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        if case .scan = source { return try scan(snapshot, &count, body) }
        func check(_ key: ObjectKey, _ record: RecordView) throws -> Bool {
            try count.addCandidate()
            if !filters.isEmpty, let ordinal = store.ordinal(of: key.entity),
                let filter = filters[ordinal], try !filter.matches(key, record, snapshot)
            {
                return true
            }
            count.addMatch()
            return try body(key, record)
        }
        let reader = SourceReader(snapshot: snapshot, entities: entities)
        if looksUpInOrder {
            let keys = try reader.collect(source)
            return try snapshot.lookUp(keys[...], check)
        }
        try reader.forEachKey(source, isReversed: readsBackwards, objectsDescend: objectsDescend) {
            key in
            guard let record = try snapshot.record(for: key) else { return true }
            return try check(key, record)
        }
    }

    /// Whether all keys are collected first, so that their records are looked up together and in
    /// the order of the table: neighbours share pages.
    ///
    /// Not where a limit may end the fetch early, nor for one key.
    private var looksUpInOrder: Bool {
        switch source {
        case .walk, .union, .intersection: return true
        case .nothing, .scan, .filtered: return false
        case .keys(let keys): return keys.count > 1 && !isStreamed
        case .index(let index):
            return !(index.isPoint && index.table.index.isUnique) && !isStreamed
        }
    }

    /// Whether keys are taken as the source yields them: in its order, or until a limit is reached.
    var isStreamed: Bool {
        switch order {
        case .source: true
        case .none: fetch.limit > 0
        case .memory: false
        }
    }

    private func scan<Count: CandidateCount>(
        _ snapshot: StoreSnapshot, _ count: inout Count,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        for ordinal in entities.ordinals {
            var cursor = try snapshot.records(of: store.tables[ordinal])
            guard !filters.isEmpty, let root = filters[ordinal]?.root else {
                while let (key, record) = try cursor.next() {
                    try count.addCandidate()
                    count.addMatch()
                    guard try body(key, record) else { return }
                }
                continue
            }
            while let (key, record) = try cursor.next() {
                try count.addCandidate()
                let row = FilterRow(key: key, record: record, snapshot: snapshot)
                guard try root.matches(row) else { continue }
                count.addMatch()
                guard try body(key, record) else { return }
            }
        }
    }
}
