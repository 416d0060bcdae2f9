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
        guard let ordinal = plan.store.ordinal(of: row.key.entity) else { return }
        let table = plan.store.tables[ordinal]
        let indexes = plan.catalog.indexes(of: table)
        guard let own = indexes.first(where: { $0.number == index.table.number }) else { return }
        // Rows that are equal in these fields have keys of one form.
        let fields = own.fields.prefix(leading?.propertyCount ?? own.fields.count)
        if mayBeCut(row.record, fields, table) {
            let values = fields.map { row.record.value($0, in: table.layout) ?? .null }
            let whole = IndexKey(values, of: own.index)
            if leading != nil || whole.isTruncated { bytes += whole.storedBytes }
        } else if let leading {
            for path in paths[..<leading.criteriaCount] {
                try path.appendKey(to: &bytes, row, snapshot)
            }
        }
    }

    private func mayBeCut(
        _ record: RecordView, _ fields: ArraySlice<Int>, _ table: EntityTable
    ) -> Bool {
        guard index.mayBeCut else { return false }
        var textByteCount = 0
        for position in fields where !record.isNull(position) {
            let field = table.layout.fields[position]
            if field.type.isVariableLength {
                textByteCount += record.heapByteCount(at: field.offset)
            }
        }
        return textByteCount >= OrderedRun.safeByteCount
    }
}
