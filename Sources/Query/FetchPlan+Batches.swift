// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// A result of a fetch, and its record.
package struct FoundRecord {
    /// The key of the object.
    package let key: ObjectKey
    /// The record, valid until the snapshot moves.
    package let record: RecordView
}

extension FetchPlan {
    /// Whether the results are all objects of some entities, each in the order of its keys.
    ///
    /// - Parameter snapshot: The snapshot to run the plan on.
    package func readsWholeEntities(in snapshot: StoreSnapshot) -> Bool {
        guard case .scan = source, case .none = order, filters.isEmpty, fetch.watch == nil else {
            return false
        }
        return fetch.offset == 0 && fetch.limit == 0 && snapshot.store === store
            && snapshot.catalog === catalog
    }

    /// How many results of a plan that reads whole entities to make room for: as many as there are,
    /// if the file is not damaged.
    ///
    /// - Parameter snapshot: A snapshot for which ``readsWholeEntities(in:)`` holds.
    package func roomNeeded(in snapshot: StoreSnapshot) throws -> Int {
        try entities.ordinals.reduce(0) { try $0 + snapshot.roomNeeded(for: store.tables[$1]) }
    }

    /// Calls a body with the results of a plan that reads whole entities, several at a time.
    ///
    /// All is as with ``forEach(in:_:)`` but for the number of calls, which take longer than to
    /// find a record.
    ///
    /// - Parameters:
    ///   - snapshot: A snapshot for which ``readsWholeEntities(in:)`` holds.
    ///   - body: Takes results; none of them is nil.
    package func forEachBatch(
        in snapshot: StoreSnapshot, _ body: (Span<FoundRecord?>) throws -> Void
    ) throws {
        var rows = InlineArray<32, FoundRecord?>(repeating: nil)
        for ordinal in entities.ordinals {
            var cursor = try snapshot.records(of: store.tables[ordinal])
            var count = 0
            while let (key, record) = try cursor.next() {
                rows[count] = FoundRecord(key: key, record: record)
                count &+= 1
                if count == rows.count {
                    try body(rows.span)
                    count = 0
                }
            }
            if count > 0 { try body(rows.span.extracting(first: count)) }
        }
    }
}
