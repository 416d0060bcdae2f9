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
        do {
            try lookUp(keys) { key, record in
                body(key, record)
                return true
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// Finds the records of many objects by one walk, until the body has enough.
    ///
    /// - Parameters:
    ///   - keys: Object keys, ascending; those without a record are left out.
    ///   - body: Takes a key and its record; returns false to stop.
    /// - Throws: What the body throws, or ``StoreError``.
    /// - Complexity: As ``forEachRecord(of:_:)``.
    // Always inlined: only so does the loop of `forEachRecord` become one without closures.
    @inlinable @inline(__always)
    package func lookUp(
        _ keys: ArraySlice<ObjectKey>, _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        var rest = keys
        var goesOn = true
        while let first = rest.first, goesOn {
            let end = rest.firstIndex { $0.entity != first.entity } ?? rest.endIndex
            if let ordinal = store.ordinal(of: first.entity) {
                goesOn = try lookUp(rest[..<end], store.tables[ordinal], body)
            }
            rest = rest[end...]
        }
    }

    @inlinable @inline(__always)
    func lookUp(
        _ keys: ArraySlice<ObjectKey>, _ table: EntityTable,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws -> Bool {
        do {
            return try snapshot.walk(table.objects) { cursor in
                for key in keys {
                    guard let bytes = try cursor.value(of: key.row) else { continue }
                    let record = try store.view(bytes, row: key.row, table: table)
                    guard try body(key, record) else { return false }
                }
                return true
            }
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
