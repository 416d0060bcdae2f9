// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Walks over the records of one entity in row order.
///
/// Valid until its snapshot moves.
@frozen
public struct RecordCursor: ~Copyable {
    @usableFromInline var cursor: LeafCursor
    @usableFromInline let table: EntityTable
    @usableFromInline let store: Store
    /// Kept alive, as nothing else may hold it; declared after the cursor, which has to end first.
    @usableFromInline let snapshot: StoreSnapshot

    init(snapshot: StoreSnapshot, table: EntityTable) throws(StoreError) {
        self.table = table
        store = snapshot.store
        self.snapshot = snapshot
        do { cursor = try snapshot.snapshot.makeLeafCursor(table.objects) } catch {
            throw StoreError(wrapping: error, path: snapshot.store.path)
        }
    }

    /// The next object and its record; `nil` at the end.
    @inlinable
    @inline(__always)
    public mutating func next() throws(StoreError) -> (key: ObjectKey, record: RecordView)? {
        let entry: Entry?
        do {
            entry = try cursor.next()
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        guard let entry else { return nil }
        let row = try store.row(of: entry, table)
        let record = try store.view(entry.value, row: row, table: table)
        return (ObjectKey(entity: table.number, row: row), record)
    }
}

extension StoreSnapshot {
    /// A cursor over the objects of exactly one entity.
    public func records(of table: EntityTable) throws(StoreError) -> RecordCursor {
        try RecordCursor(snapshot: self, table: table)
    }
}
