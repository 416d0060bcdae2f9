// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension StoreSnapshot {
    /// Finds the records of many objects by one walk.
    ///
    /// - Parameters:
    ///   - keys: Object keys, ascending; those without a record are left out.
    ///   - body: Takes a key and its record.
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout.
    /// - Complexity: O(log n) pages where rows have gaps, one step where they have none.
    @inlinable
    public func forEachRecord(
        of keys: ArraySlice<ObjectKey>, _ body: (ObjectKey, RecordView) -> Void
    ) throws(StoreError) {
        var rest = keys
        while let first = rest.first {
            let end = rest.firstIndex { $0.entity != first.entity } ?? rest.endIndex
            if let ordinal = store.ordinal(of: first.entity) {
                try walk(rest[..<end], store.tables[ordinal], body)
            }
            rest = rest[end...]
        }
    }

    /// Finds the records of objects of one entity.
    @inlinable
    func walk(
        _ keys: ArraySlice<ObjectKey>, _ table: EntityTable, _ body: (ObjectKey, RecordView) -> Void
    ) throws(StoreError) {
        do {
            let cursor = try snapshot.makeCursor(table.objects)
            var position: UInt64 = 0
            for key in keys {
                let row = key.row
                var entry = row == position + 1 && position > 0 ? try cursor.next() : nil
                if entry?.integerKey != row { entry = try cursor.seek(exactly: row) }
                position = entry == nil ? 0 : row
                guard let entry else { continue }
                MemoryHint.willRead(entry.value)
                body(key, try store.view(entry.value, row: row, table: table))
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
