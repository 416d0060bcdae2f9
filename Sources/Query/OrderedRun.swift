// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Reads an index in order and sorts those neighbours whose keys were cut at the same bytes.
struct OrderedRun {
    let index: IndexScan
    let paths: [SortPath]
    let keysAscend: Bool

    /// Texts of fewer bytes cannot make a key too long, even if each byte must be escaped.
    private static let safeByteCount = 200

    func forEach(
        of plan: FetchPlan, in snapshot: StoreSnapshot,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var group = ByteSorter(paths, keysAscend: keysAscend, bound: 0)
        var groupKey: [UInt8] = []
        var goesOn = true
        func flush() throws {
            if groupKey.isEmpty { return }
            groupKey = []
            var sorter = ByteSorter(paths, keysAscend: keysAscend, bound: 0)
            swap(&sorter, &group)
            for row in sorter.sorted() {
                goesOn = try body(row.key, row.record)
                if !goesOn { return }
            }
        }
        try plan.forEachMatch(in: snapshot) { key, record in
            guard let cut = cutKey(key, record, plan) else {
                try flush()
                goesOn = try goesOn && body(key, record)
                return goesOn
            }
            if cut != groupKey { try flush() }
            groupKey = cut
            if goesOn { try group.append(ResultRow(key: key, record: record), snapshot) }
            return goesOn
        }
        if goesOn { try flush() }
    }

    /// The stored bytes of a key that was cut; `nil` for a whole key.
    private func cutKey(_ key: ObjectKey, _ record: RecordView, _ plan: FetchPlan) -> [UInt8]? {
        guard let ordinal = plan.store.ordinal(of: key.entity) else { return nil }
        let table = plan.store.tables[ordinal]
        let indexes = plan.catalog.indexes(of: table)
        guard let own = indexes.first(where: { $0.number == index.table.number }) else {
            return nil
        }
        var textByteCount = 0
        for position in own.fields where !record.isNull(position) {
            let field = table.layout.fields[position]
            if field.type.isVariableLength {
                textByteCount += record.heapByteCount(at: field.offset)
            }
        }
        if textByteCount < OrderedRun.safeByteCount { return nil }
        let whole = IndexKey(
            own.fields.map { record.value($0, in: table.layout) ?? .null }, of: own.index)
        return whole.isTruncated ? Array(whole.storedBytes) : nil
    }
}
