// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Fetches that begin far behind the first result.
extension FetchPlan {
    /// Whether the results before the offset are the first ones that an index yields, so that their
    /// records need not be read: that takes several times as long as to pass over their keys.
    var passesOverKeys: Bool {
        guard fetch.offset > 0, readsKeysOnly, isStreamed, case .index = source else {
            return false
        }
        return true
    }

    /// Calls a body with the results behind the offset, up to the limit.
    @inline(never)
    func forEachBehindOffset(
        in snapshot: StoreSnapshot, _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        if let watch = fetch.watch {
            var count = WatchedCount(watch: watch)
            try forEachBehindOffset(in: snapshot, &count, body)
        } else {
            var count = NoCount()
            try forEachBehindOffset(in: snapshot, &count, body)
        }
    }

    /// As above, telling a count of what is read.
    func forEachBehindOffset<Count: CandidateCount>(
        in snapshot: StoreSnapshot, _ count: inout Count,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var window = ResultWindow(fetch)
        let reader = SourceReader(snapshot: snapshot, entities: entities)
        try reader.forEachKey(source, isReversed: readsBackwards, objectsDescend: objectsDescend) {
            key in
            if window.skips() { return true }
            guard let record = try snapshot.record(for: key) else { return true }
            try count.addCandidate()
            count.addMatch()
            return try body(key, record) && window.goesOn()
        }
    }
}
