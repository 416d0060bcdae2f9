// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Reads an index in order and sorts neighbours that it does not tell apart, or not by the order:
/// those whose keys were cut at the same bytes, and those that are equal in the leading criteria
/// where the index has no more of the order.
struct OrderedRun {
    let index: IndexScan
    let paths: [SortPath]
    let keysAscend: Bool
    let leading: LeadingOrder?
    /// How many results are wanted at most; 0 for all.
    let bound: Int

    /// Texts of fewer bytes cannot make a key too long, even if each byte must be escaped.
    private static let safeByteCount = 200

    /// Calls a body with each match, in order, until it returns false.
    func forEach<Count: CandidateCount>(
        of plan: FetchPlan, in snapshot: StoreSnapshot, _ count: inout Count,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var first: ResultRow?
        // Most rows have no neighbour that is their equal.
        var group: ByteSorter?
        var groupKey: [UInt8] = []
        var key: [UInt8] = []
        func flush() throws -> Bool {
            defer { (first, group) = (nil, nil) }
            guard let group else { return try first.map { try body($0.key, $0.record) } ?? true }
            for row in group.sorted() {
                guard try body(row.key, row.record) else { return false }
            }
            return true
        }
        var goesOn = true
        try plan.forEachMatch(in: snapshot, &count) { objectKey, record in
            let row = ResultRow(key: objectKey, record: record)
            key.removeLast(key.count)
            try appendGroupKey(of: row, to: &key, plan, snapshot)
            guard let known = first, key == groupKey else {
                goesOn = try flush()
                if key.isEmpty {
                    goesOn = try goesOn && body(objectKey, record)
                } else {
                    first = row
                    swap(&key, &groupKey)
                }
                return goesOn
            }
            if group == nil {
                var sorter = ByteSorter(paths, keysAscend: keysAscend, bound: bound)
                try sorter.append(known, snapshot)
                group = sorter
            }
            try group?.append(row, snapshot)
            return true
        }
        if goesOn { _ = try flush() }
    }

    /// Appends bytes that rows have in common which are to be sorted; none for a row that the index
    /// tells from all others.
    private func appendGroupKey(
        of row: ResultRow, to bytes: inout [UInt8], _ plan: FetchPlan, _ snapshot: StoreSnapshot
    ) throws {
        if index.mayBeCut, let long = longKey(of: row, plan) {
            if leading != nil || long.isTruncated { bytes += long.storedBytes }
        } else if let leading {
            for path in paths[..<leading.criteriaCount] {
                try path.appendKey(to: &bytes, row, snapshot)
            }
        }
    }

    /// The key of a row, or of its leading values, where that may be too long for the index.
    ///
    /// Rows that are equal in these values have one, or none.
    private func longKey(of row: ResultRow, _ plan: FetchPlan) -> IndexKey? {
        guard let ordinal = plan.store.ordinal(of: row.key.entity) else { return nil }
        let table = plan.store.tables[ordinal]
        let indexes = plan.catalog.indexes(of: table)
        guard let own = indexes.first(where: { $0.number == index.table.number }) else {
            return nil
        }
        let fields = own.fields.prefix(leading?.propertyCount ?? own.fields.count)
        let record = row.record
        var textByteCount = 0
        for position in fields where !record.isNull(position) {
            let field = table.layout.fields[position]
            if field.type.isVariableLength {
                textByteCount += record.heapByteCount(at: field.offset)
            }
        }
        guard textByteCount >= OrderedRun.safeByteCount else { return nil }
        return IndexKey(fields.map { record.value($0, in: table.layout) ?? .null }, of: own.index)
    }
}
