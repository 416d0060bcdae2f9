// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension StoreSnapshot {
    /// Finds the records of many objects, several at a time.
    ///
    /// - Parameters:
    ///   - keys: Object keys, ascending; those without a record are left out.
    ///   - body: Takes a key and its record.
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout.
    /// - Complexity: O(log n) pages for each page of records.
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

    /// Finds the records of many objects, several at a time, until the body has enough.
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
            let snapshot = self.snapshot
            // It may not move meanwhile, as if a cursor were walking through it.
            snapshot.openCursors.pointee += 1
            defer { snapshot.openCursors.pointee -= 1 }
            var batch = KeyBatch()
            var start = keys.startIndex
            while start < keys.endIndex {
                let end = min(start + KeyBatch.capacity, keys.endIndex)
                batch.removeAll()
                for index in start..<end { batch.append(keys[index].row) }
                try snapshot.find(&batch, in: table.objects)
                for index in start..<end {
                    guard let bytes = batch.value(index - start) else { continue }
                    let key = keys[index]
                    let record = try store.view(bytes, row: key.row, table: table)
                    guard try body(key, record) else { return false }
                }
                start = end
            }
            return true
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
