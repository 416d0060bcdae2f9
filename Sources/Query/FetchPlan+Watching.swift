// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

extension FetchPlan {
    /// Calls a body with each match, in the order of the source, and the watch at intervals.
    ///
    /// Separate from the loops without a watch, so that those need not count.
    func forEachMatch(
        in snapshot: StoreSnapshot, _ watch: FetchWatch,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var candidates = 0
        var matches = 0
        func test(_ key: ObjectKey, _ record: RecordView) throws -> Bool {
            candidates += 1
            if candidates % FetchWatch.interval == 0 { try watch.look(matches) }
            if !filters.isEmpty, let ordinal = store.ordinal(of: key.entity),
                let filter = filters[ordinal], try !filter.matches(key, record, snapshot)
            {
                return true
            }
            matches += 1
            return try body(key, record)
        }
        if case .scan = source {
            for ordinal in entities.ordinals {
                var cursor = try snapshot.records(of: store.tables[ordinal])
                while let (key, record) = try cursor.next() {
                    guard try test(key, record) else { return }
                }
            }
            return
        }
        let reader = SourceReader(snapshot: snapshot, entities: entities)
        var isReversed = false
        if case .source(let backwards, _) = order { isReversed = backwards }
        try reader.forEachKey(source, isReversed: isReversed) { key in
            guard let record = try snapshot.record(for: key) else { return true }
            return try test(key, record)
        }
    }
}
