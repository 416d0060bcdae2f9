// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// The record of an object that is about to be updated.
    ///
    /// - Complexity: Fastest for ascending rows of one entity.
    public func recordForUpdate(
        _ key: ObjectKey, in table: EntityTable
    ) throws -> RecordView? {
        let updates = try cursor(in: table, .update)
        updates.row = 0
        guard let entry = try updates.cursor.seek(exactly: key.row) else { return nil }
        updates.row = key.row
        return try store.view(entry.value, row: key.row, table: table)
    }

    /// Puts a record where the cursor found the old one, or looks for its place.
    private func replace(
        _ record: UnsafeRawBufferPointer, _ old: RecordView, _ key: ObjectKey,
        _ table: EntityTable
    ) throws {
        let updates = try cursor(in: table, .update)
        if updates.row == key.row, old.byteCount == record.count {
            // LMDB searches again where it is asked for room; copying takes less.
            try withUnsafeTemporaryAllocation(byteCount: record.count, alignment: 8) { room in
                fill(room, with: record, key)
                try updates.cursor.overwriteCurrent(UnsafeRawBufferPointer(room), for: key.row)
            }
        } else {
            updates.row = 0
            try updates.cursor.putReserving(key.row, byteCount: record.count) {
                fill($0, with: record, key)
            }
        }
    }

    /// Replaces the record of an object, corrects its index entries and removes the values outside
    /// the old record that the new one does not point to.
    ///
    /// - Parameters:
    ///   - record: The new record; must not point into the store.
    ///   - old: The record that it replaces, as read by this transaction.
    ///   - changedFields: A bit for each position of the layout that may differ; the bit of
    ///     position 63 stands for all beyond it too. Indexes of other fields are left alone.
    public func update(
        _ record: UnsafeRawBufferPointer, replacing old: RecordView, for key: ObjectKey,
        in table: EntityTable, changedFields: UInt64 = .max
    ) throws {
        if catalog.indexes[table.ordinal].fields & changedFields != 0,
            let view = RecordView(record)
        {
            indexBatches.replace(old, by: view, key, table)
        }
        isTouched = true
        if let recorder {
            recorder.update(
                key, table, from: old, to: RecordView(record), changedFields: changedFields)
        }
        var leftovers = externalFields(old, table)
        if !leftovers.isEmpty, let view = RecordView(record) {
            leftovers.subtract(externalFields(view, table))
        }
        try replace(record, old, key, table)
        for property in leftovers { try deleteExternalValues(of: key, property: property) }
    }

    /// The attributes whose values live outside a record; no allocation when there are none.
    func externalFields(_ record: RecordView, _ table: EntityTable) -> Set<PropertyNumber> {
        guard table.hasBinaryFields else { return [] }
        var numbers: Set<PropertyNumber> = []
        for (position, field) in table.layout.fields.enumerated()
        where field.type.isVariableLength && !record.isNull(position) {
            if record.heapBytes(at: field.offset) == nil { numbers.insert(field.number) }
        }
        return numbers
    }
}
