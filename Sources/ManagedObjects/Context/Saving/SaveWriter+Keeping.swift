// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Traps

/// Others may commit between this save's commit and the move of the context's snapshot.
///
/// The context must not take their values for its own: its next save would overwrite them without a
/// conflict. So an object that such a commit changed keeps the record that this save wrote.
extension SaveWriter {
    /// The record that this save wrote of an object.
    struct WrittenRecord {
        let object: NSManagedObject
        let record: OwnedRecord
        let largeValues: [Int: [UInt8]]
    }

    /// The records that this save wrote of objects that others have changed since.
    ///
    /// Called with the snapshot moved and the objects as they were in the transaction.
    func overtaken(after transactionID: UInt64) -> [WrittenRecord] {
        // A save that shares the commit may have changed what this one found equal to its record.
        guard hasWritten, !isAlone || target.snapshot?.transactionID != transactionID else {
            return []
        }
        var encoder = RecordEncoder()
        var result: [WrittenRecord] = []
        for (index, object) in inserted.enumerated() {
            let version = firstVersion(of: object, transactionID)
            guard isOvertaken(keys[index], version) else { continue }
            result.append(written(object, version, base: nil, &encoder))
        }
        for object in updated where !unwritten.contains(ObjectIdentifier(object)) {
            let entry = written(object, transactionID, &encoder)
            if isOvertaken(inner(object.key), entry.record.view.version) {
                result.append(entry)
            }
        }
        return result
    }

    private func isOvertaken(_ key: ObjectKey, _ version: UInt32) -> Bool {
        guard let snapshot = target.snapshot, snapshot.isActive else { return true }
        do { return try snapshot.record(for: key)?.version != version } catch { return true }
    }

    /// The record that the save wrote of an updated object; the old one if the contents are equal.
    private func written(
        _ object: NSManagedObject, _ transactionID: UInt64, _ encoder: inout RecordEncoder
    ) -> WrittenRecord {
        let base = recreated[object.key] == nil ? object.currentRecord() : nil
        let version = nextVersion(of: object, base, transactionID)
        let result = written(object, version, base: base, &encoder)
        let hasMore =
            encoder.hasExternalValues || derivedEntries(of: object) != nil
            || object.extras?.hasChangedMembers == true
        if !hasMore, let base, base.hasSameContents(as: result.record.view.bytes) {
            return WrittenRecord(
                object: object, record: OwnedRecord(base), largeValues: result.largeValues)
        }
        return result
    }

    private func written(
        _ object: NSManagedObject, _ version: UInt32, base: RecordView?,
        _ encoder: inout RecordEncoder
    ) -> WrittenRecord {
        let layout = target.table(object.runtimeOrdinal).layout
        let bytes = encoder.encode(
            layout: layout, version: version, base: base, draft: object.draft, resolve: resolve)
        guard let view = RecordView(bytes) else {
            trap("an encoded record of \(bytes.count) bytes lost its header")
        }
        var values = base == nil ? [:] : object.extras?.ownedValues ?? [:]
        for value in encoder.externalValues { values[value.field] = value.bytes }
        return WrittenRecord(object: object, record: OwnedRecord(view), largeValues: values)
    }

    /// Makes the objects use the records that were written.
    func keep(_ written: [WrittenRecord]) {
        for entry in written {
            entry.object.requireExtras().keep(entry.record, entry.largeValues)
        }
    }
}
