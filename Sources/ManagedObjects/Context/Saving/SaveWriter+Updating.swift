// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Updated objects, and whether another commit has changed them.
extension SaveWriter {
    func updateAll(
        _ encoder: inout RecordEncoder, checksVersion: Bool, _ transaction: SaveTransaction
    ) throws {
        try forEach(updates) { object, place in
            try update(
                object, place.table, place.derived, &encoder, checksVersion: checksVersion,
                transaction)
        }
    }

    private func update(
        _ object: NSManagedObject, _ table: EntityTable, _ derived: (any DerivedEntries.Type)?,
        _ encoder: inout RecordEncoder, checksVersion: Bool, _ transaction: SaveTransaction
    ) throws {
        let key = inner(object.key)
        if object.extras?.hasTakenBackMembers == true {
            try settleTakenBack(of: object, table, transaction)
        }
        let old = try transaction.recordForUpdate(key, in: table)
        if let old {
            if checksVersion || isApart(object), isOutdated(object, old) {
                guard noteConflict(object, old) else { return }
            }
        } else if recreated[object.key] == nil {
            guard noteConflict(object, nil) else { return }
        }
        // With a conflict nothing is committed: the rest is only checked.
        guard conflicting.isEmpty else { return }
        let draft = object.draft
        let changedFields = draft?.setFields(table.layout.fields.count) ?? 0
        let version = nextVersion(of: object, old, transaction.transactionID)
        let record = encoder.encode(
            layout: table.layout, version: version, base: old, draft: draft,
            changedFields: changedFields, resolve: resolve)
        let hasLinks = object.extras?.hasChangedMembers ?? false
        if let old {
            let isSame =
                !hasLinks && derived == nil && encoder.externalValues.isEmpty
                && old.hasSameContents(as: record)
            if isSame { return }
            try derived?.write(object, key, old, transaction, resolve)
            try transaction.update(
                record, replacing: old, for: key, in: table,
                changedFields: changedFields)
        } else {
            try transaction.insert(record, for: key, in: table)
            try derived?.write(object, key, nil, transaction, resolve)
        }
        hasWritten = true
        versions?[object.key] = version
        if !encoder.externalValues.isEmpty {
            try write(encoder.externalValues, key, table, transaction)
        }
        if hasLinks { writeLinks(of: object, key, table, transaction) }
    }

    /// Notes a conflict; false for an object without a net change, which conflicts with nothing,
    /// unless a change of another object connects both or takes away what the record leads to.
    func noteConflict(_ object: NSManagedObject, _ old: RecordView?) -> Bool {
        guard
            differsFromRecord(object) || object.isConnectedAnew
                || old.map({ object.isLetGo(in: $0) }) == true
        else {
            unwritten.insert(ObjectIdentifier(object))
            return false
        }
        conflicting.append(object)
        return true
    }

    /// The version of an inserted object's record: one above all that it had before its deletion.
    ///
    /// A batch may have raised it since the context read it last, at most once a transaction.
    @inline(__always)
    func firstVersion(of object: NSManagedObject, _ transactionID: UInt64) -> UInt32 {
        guard let former = object.extras?.formerVersion, former != 0 else { return 1 }
        return max(former &+ 1, UInt32(truncatingIfNeeded: transactionID))
    }

    /// The version of an updated object's record.
    ///
    /// One that is written anew is above all that it had, as `firstVersion(of:_:)` is: others may
    /// know a later version than this context, and would take the new record for that one.
    @inline(__always)
    func nextVersion(
        of object: NSManagedObject, _ old: RecordView?, _ transactionID: UInt64
    ) -> UInt32 {
        if let old { return old.version &+ 1 }
        return max(
            (recreated[object.key] ?? 0) &+ 1, UInt32(truncatingIfNeeded: transactionID))
    }

    /// Whether an object may know another record than the snapshot's: a copied one is always older,
    /// and one that was found to be gone may have been written anew.
    @inline(__always)
    func isApart(_ object: NSManagedObject) -> Bool {
        object.extras?.ownedRecord != nil || object.lacksBase
    }

    /// Whether the record has changed since this context read it, or was written anew since it was
    /// found to be gone.
    func isOutdated(_ object: NSManagedObject, _ current: RecordView) -> Bool {
        guard let known = object.currentRecord() else {
            return target.snapshot?.isActive == true || object.flags.contains(.gone)
        }
        return known.version != current.version || object.lacksBase
    }

    /// Checks the clean objects that the context was asked to check, too.
    func checkLocked(_ transaction: SaveTransaction) throws {
        for object in context.saving.locked where object.context === context && !object.hasChanges {
            let table = target.table(object.runtimeOrdinal)
            let current = try transaction.record(for: inner(object.key), in: table)
            if current.map({ isOutdated(object, $0) }) ?? true { conflicting.append(object) }
        }
    }

    /// Checks the objects whose deletion was saved and undone: others may have written their
    /// records anew since.
    func checkFormer(_ transaction: SaveTransaction) throws {
        for object in context.changes.former where object.isInserted {
            guard let key = object.reservedKey, key.tag == target.tag else { continue }
            let table = target.table(object.runtimeOrdinal)
            let record = try transaction.record(for: inner(key), in: table)
            if record != nil { conflicting.append(object) }
        }
    }

    func contextHasRecord(of object: NSManagedObject) throws -> Bool {
        guard let snapshot = target.snapshot else { return false }
        // Parked: what the objects own is all that the context knows.
        guard snapshot.isActive else { return object.extras?.ownedRecord != nil }
        return try snapshot.record(for: inner(object.key)) != nil
    }

    /// Whether there is anything to write: setters of equal values leave no net change.
    ///
    /// Answers at the first difference, so that it costs the usual save nothing.
    var hasWork: Bool {
        !inserted.isEmpty || !deleted.isEmpty || !context.saving.locked.isEmpty
            || updated.contains(where: differsFromRecord)
            || (target.isMain && context.saving.companion?.hasUnsavedChanges == true)
    }

    func differsFromRecord(_ object: NSManagedObject) -> Bool {
        guard let record = object.currentRecord() else { return true }
        return object.differs(from: record, target.table(object.runtimeOrdinal).layout)
    }
}
