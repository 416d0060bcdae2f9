// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// Writes the changes of a context into one transaction.
///
/// ``write(_:)`` may run more than once, as a transaction starts over when the map has to grow; it
/// leaves no trace in objects. ``finish(_:)`` makes them clean once the commit has succeeded.
final class SaveWriter {
    private let context: NSManagedObjectContext
    private let store: Store
    private let inserted: ContiguousArray<NSManagedObject>
    private let updated: ContiguousArray<NSManagedObject>
    private let deleted: ContiguousArray<NSManagedObject>
    /// The permanent keys of `inserted`, in order.
    private var keys: ContiguousArray<ObjectKey> = []
    /// The permanent keys by temporary row, offset by the least such row; filled if references
    /// need it.
    private var permanentKeys: [UInt64: ObjectKey] = [:]
    private let needsResolving: Bool
    /// The updated objects that differ in nothing from their records.
    private var unwritten: Set<ObjectIdentifier> = []
    /// The objects of this save that somebody else changed or deleted; then nothing is written.
    private(set) var conflicting: ContiguousArray<NSManagedObject> = []
    /// The last known versions of objects whose records are gone and are to be written anew.
    private let recreated: [ObjectKey: UInt32]
    /// Whether the transaction has anything to commit.
    private var hasWritten = false
    /// What classes write beside their records, by entity; asking a class takes a dynamic cast.
    private var derived: [DerivedSlot]

    private enum DerivedSlot {
        case unknown
        case none
        case entries(any DerivedEntries.Type)
    }

    init(
        _ context: NSManagedObjectContext, _ store: Store, recreated: [ObjectKey: UInt32] = [:]
    ) throws {
        self.recreated = recreated
        self.context = context
        self.store = store
        // Processing changes has taken out what was deleted again: usually the list is ready.
        let noted = context.changes.inserted
        var isReady = true
        var isSorted = true
        var refersToObjects = false
        var ordinal = -1
        noted.forEachUnretained { object in
            if !object.flags.contains(.inserted) { isReady = false }
            guard object.runtime.ordinal != ordinal else { return }
            if object.runtime.ordinal < ordinal { isSorted = false }
            ordinal = object.runtime.ordinal
            refersToObjects = refersToObjects || object.runtime.hasRelationships
        }
        let inserted = isReady ? noted : ContiguousArray(context.changes.liveInserted)
        // A stable order within each entity keeps rows in the order of insertion.
        self.inserted =
            isSorted
            ? inserted
            : ContiguousArray(
                inserted.enumerated().sorted {
                    ($0.element.runtime.ordinal, $0.offset)
                        < ($1.element.runtime.ordinal, $1.offset)
                }.map(\.element))
        updated = SaveWriter.sorted(ContiguousArray(context.changes.liveUpdated))
        deleted = SaveWriter.sorted(ContiguousArray(context.changes.liveDeleted))
        derived = Array(repeating: .unknown, count: store.tables.count)
        needsResolving =
            refersToObjects
            || updated.contains { $0.runtime.hasRelationships }
    }

    /// Writes everything; returns the transaction's number.
    ///
    /// - Parameters:
    ///   - transaction: Where to write.
    ///   - hasWritten: Whether something has been written into it already.
    /// - Throws: ``SaveInterruption`` when there are ``conflicting`` objects.
    func write(_ transaction: SaveTransaction, hasWritten: Bool) throws -> UInt64 {
        try assignKeys(transaction)
        unwritten.removeAll()
        let isNext = transaction.transactionID == (context.snapshot?.transactionID ?? 0) + 1
        conflicting.removeAll()
        self.hasWritten = hasWritten || !inserted.isEmpty
        // A local encoder: one kept in a property is checked for overlapping accesses each time.
        var encoder = RecordEncoder()
        for object in deleted { try delete(object, checksVersion: !isNext, transaction) }
        for object in updated { try update(object, &encoder, checksVersion: !isNext, transaction) }
        if !context.locked.isEmpty { try checkLocked(transaction) }
        guard conflicting.isEmpty else { throw SaveInterruption.conflicts }
        try insertAll(&encoder, transaction)
        return transaction.transactionID
    }

    private func assignKeys(_ transaction: SaveTransaction) throws {
        var keys: ContiguousArray<ObjectKey> = []
        keys.reserveCapacity(inserted.count)
        permanentKeys.removeAll(keepingCapacity: true)
        var start = 0
        while start < inserted.count {
            let ordinal = inserted[start].runtime.ordinal
            var fresh = 0
            let end = endOfEntity(from: start) { if $0.extras?.reservedKey == nil { fresh += 1 } }
            let table = store.tables[ordinal]
            var row = fresh == 0 ? 0 : try transaction.allocateRows(fresh, in: table)
            for index in start..<end {
                if fresh < end - start, let key = inserted[index].extras?.reservedKey {
                    keys.append(key)
                } else {
                    keys.append(ObjectKey(entity: table.number, row: row))
                    row += 1
                }
            }
            start = end
        }
        self.keys = keys
        guard needsResolving else { return }
        permanentKeys.reserveCapacity(inserted.count)
        for (index, object) in inserted.enumerated() {
            permanentKeys[object.key.rawValue] = keys[index]
        }
    }

    /// The position behind the objects of one entity, calling a body with each.
    @inline(__always)
    private func endOfEntity(from start: Int, _ body: (NSManagedObject) throws -> Void) rethrows
        -> Int
    {
        let inserted = self.inserted
        let ordinal = inserted[start].runtime.ordinal
        var end = start
        while end < inserted.count {
            // Not retained: the list keeps its objects.
            let isSame = try Unmanaged.passUnretained(inserted[end])._withUnsafeGuaranteedRef {
                guard $0.runtime.ordinal == ordinal else { return false }
                try body($0)
                return true
            }
            guard isSame else { break }
            end += 1
        }
        return end
    }

    private func derivedEntries(of object: NSManagedObject) -> (any DerivedEntries.Type)? {
        let ordinal = object.runtime.ordinal
        switch derived[ordinal] {
        case .none: return nil
        case .entries(let type): return type
        case .unknown:
            let type = object.runtime.objectClass as? any DerivedEntries.Type
            derived[ordinal] = type.map { .entries($0) } ?? .none
            return type
        }
    }

    private func resolve(_ key: ObjectKey) -> ObjectKey {
        guard key.isTemporary else { return key }
        return permanentKeys[key.rawValue] ?? ObjectKey(rawValue: 0)
    }

    /// Inserts entity by entity: what is the same for all objects of one is looked up once.
    private func insertAll(
        _ encoder: inout RecordEncoder, _ transaction: SaveTransaction
    ) throws {
        let keys = self.keys
        var index = 0
        while index < inserted.count {
            let first = inserted[index]
            let table = store.tables[first.runtime.ordinal]
            let layout = table.layout
            let derived = derivedEntries(of: first)
            _ = try endOfEntity(from: index) { object in
                let key = keys[index]
                index += 1
                let record = encoder.encode(
                    layout: layout, version: 1, base: nil, draft: object.draft, resolve: resolve)
                try transaction.insert(record, for: key, in: table)
                if encoder.hasExternalValues {
                    try write(encoder.externalValues, key, table, transaction)
                }
                if object.extras != nil { writeLinks(of: object, key, table, transaction) }
                if let derived { try derived.write(object, key, nil, transaction, resolve) }
            }
        }
    }

    private func update(
        _ object: NSManagedObject, _ encoder: inout RecordEncoder, checksVersion: Bool,
        _ transaction: SaveTransaction
    ) throws {
        let table = store.tables[object.runtime.ordinal]
        let old = try transaction.recordForUpdate(object.key, in: table)
        if let old {
            // A copied record is older than the snapshot, whoever committed last.
            if checksVersion || object.extras?.ownedRecord != nil, isOutdated(object, old) {
                guard noteConflict(object) else { return }
            }
        } else if recreated[object.key] == nil {
            guard noteConflict(object) else { return }
        }
        // With a conflict nothing is committed: the rest is only checked.
        guard conflicting.isEmpty else { return }
        let draft = object.draft
        let changedFields = draft?.setFields(table.layout.fields.count) ?? 0
        let record = encoder.encode(
            layout: table.layout, version: nextVersion(of: object, old),
            base: old, draft: draft, changedFields: changedFields, resolve: resolve)
        let derived = derivedEntries(of: object)
        let hasLinks = object.extras?.toMany.contains { $0?.hasChanges == true } ?? false
        if let old {
            let isSame =
                !hasLinks && derived == nil && encoder.externalValues.isEmpty
                && old.hasSameContents(as: record)
            if isSame { return }
            try derived?.write(object, object.key, old, transaction, resolve)
            try transaction.update(
                record, replacing: old, for: object.key, in: table,
                changedFields: changedFields)
        } else {
            try transaction.insert(record, for: object.key, in: table)
            try derived?.write(object, object.key, nil, transaction, resolve)
        }
        hasWritten = true
        if !encoder.externalValues.isEmpty {
            try write(encoder.externalValues, object.key, table, transaction)
        }
        if hasLinks { writeLinks(of: object, object.key, table, transaction) }
    }

    private func delete(
        _ object: NSManagedObject, checksVersion: Bool, _ transaction: SaveTransaction
    ) throws {
        let table = store.tables[object.runtime.ordinal]
        if let old = try transaction.record(for: object.key, in: table) {
            if checksVersion || object.extras?.ownedRecord != nil, isOutdated(object, old) {
                conflicting.append(object)
            }
            guard conflicting.isEmpty else { return }
            try derivedEntries(of: object)?.delete(object, object.key, old, transaction)
            hasWritten = true
        } else if checksVersion, try contextHasRecord(of: object) {
            // Gone since this context looked last; where it knows already, both agree.
            conflicting.append(object)
        }
        guard conflicting.isEmpty else { return }
        try transaction.delete(object.key, in: table)
        for relationship in table.relationships where relationship.isLinked {
            if try transaction.unlinkAll(object.key, relationship) { hasWritten = true }
        }
    }

    private func writeLinks(
        of object: NSManagedObject, _ key: ObjectKey, _ table: EntityTable,
        _ transaction: SaveTransaction
    ) {
        guard let states = object.extras?.toMany, !states.isEmpty else { return }
        for relationship in object.runtime.toManyRelationships {
            guard let state = states[relationship.toManyIndex], state.hasChanges else { continue }
            let links = table.relationships[relationship.position]
            if let order = state.order, links.isRanked {
                let keys = order.map(resolve).filter { $0.rawValue != 0 }
                transaction.order(ContiguousArray(keys), of: key, links)
                continue
            }
            for destination in state.removed where !destination.isTemporary {
                transaction.unlink(key, from: destination, links)
            }
            if state.isOrdered {
                for destination in state.appended {
                    transaction.link(key, to: resolve(destination), links)
                }
            } else {
                for destination in state.added {
                    transaction.link(key, to: resolve(destination), links)
                }
            }
        }
    }
}

extension SaveWriter {
    private func write(
        _ values: [ExternalValue], _ key: ObjectKey, _ table: EntityTable,
        _ transaction: SaveTransaction
    ) throws {
        for value in values {
            try transaction.putExternalValue(
                value.bytes, of: key, table.layout.fields[value.field].number)
        }
    }

    /// Notes a conflict; false for an object that has no net change, which conflicts with nobody.
    private func noteConflict(_ object: NSManagedObject) -> Bool {
        guard differsFromRecord(object) else {
            unwritten.insert(ObjectIdentifier(object))
            return false
        }
        conflicting.append(object)
        return true
    }

    private func nextVersion(of object: NSManagedObject, _ old: RecordView?) -> UInt32 {
        (old?.version ?? recreated[object.key] ?? 0) &+ 1
    }

    /// Whether somebody has changed the record since this context read it.
    private func isOutdated(_ object: NSManagedObject, _ current: RecordView) -> Bool {
        guard let known = object.currentRecord() else { return false }
        return known.version != current.version
    }

    /// Checks the clean objects that the context was asked to check, too.
    private func checkLocked(_ transaction: SaveTransaction) throws {
        for object in context.locked where object.context === context && !object.hasChanges {
            let table = store.tables[object.runtime.ordinal]
            let current = try transaction.record(for: object.key, in: table)
            if current.map({ isOutdated(object, $0) }) ?? true { conflicting.append(object) }
        }
    }

    private func contextHasRecord(of object: NSManagedObject) throws -> Bool {
        guard let snapshot = context.snapshot, snapshot.isActive else { return false }
        return try snapshot.record(for: object.key) != nil
    }

    /// The inserted objects by the keys that they had in the transaction.
    func insertedByKey() -> [ObjectKey: NSManagedObject] {
        Dictionary(zip(keys, inserted)) { first, _ in first }
    }

    /// Objects in the order of their keys.
    private static func sorted(
        _ objects: ContiguousArray<NSManagedObject>
    ) -> ContiguousArray<NSManagedObject> {
        var order: ContiguousArray<(key: UInt64, index: Int)> = []
        order.reserveCapacity(objects.count)
        var isSorted = true
        for index in objects.indices {
            let key = objects[index].key.rawValue
            if let last = order.last, last.key >= key { isSorted = false }
            order.append((key, index))
        }
        if isSorted { return objects }
        order.sort { $0.key < $1.key }
        var result: ContiguousArray<NSManagedObject> = []
        result.reserveCapacity(order.count)
        var last: UInt64 = 0
        // An object whose changes were dropped and made again is noted twice.
        for (key, index) in order where key != last {
            result.append(objects[index])
            last = key
        }
        return result
    }

    /// Whether the context's changes are any: setters of equal values leave nothing to write.
    ///
    /// Answers at the first difference, so that it costs the usual save nothing.
    var hasWork: Bool {
        !inserted.isEmpty || !deleted.isEmpty || !context.locked.isEmpty
            || updated.contains(where: differsFromRecord)
    }

    private func differsFromRecord(_ object: NSManagedObject) -> Bool {
        guard let record = object.currentRecord() else { return true }
        return object.differs(from: record, store.tables[object.runtime.ordinal].layout)
    }

    /// Makes the objects clean when there is nothing to write.
    func finishWithoutWriting() -> SavedObjects {
        context.changes = ChangeSet()
        context.attachments.removeAll()
        for object in updated { settle(object) }
        return SavedObjects(updated: updated)
    }

    /// Makes the objects clean after the commit.
    func finish(_ transactionID: UInt64) -> SavedObjects {
        var changed: [ObjectKey] = []
        changed.reserveCapacity(updated.count + deleted.count)
        for object in updated { changed.append(object.key) }
        for object in deleted { changed.append(object.key) }
        // A transaction that wrote nothing gives its number to the next one.
        if hasWritten {
            context.persistentStoreCoordinator?.changeLog.append(transactionID, changed)
        }
        let posted = context.changes.postedInserted
        let postedUpdated = context.changes.postedUpdated
        let keys = self.keys
        context.changes = ChangeSet()
        context.locked.removeAll()
        context.reserved.removeAll()
        context.attachments.removeAll()
        if hasWritten { context.advance(after: transactionID) }
        if let lineage = context.lineage, lineage.isWatched {
            lineage.publish(
                Dictionary(zip(inserted.map(\.key), keys), uniquingKeysWith: { $1 }))
        }
        // Not one after the other: the registry stays in the block of rows it was in last.
        inserted.forEachUnretained { context.registry.remove($0, for: $0.key) }
        var index = 0
        inserted.forEachUnretained { object in
            becomePermanent(object, keys[index])
            index += 1
        }
        for object in updated {
            let isWritten = unwritten.isEmpty || !unwritten.contains(ObjectIdentifier(object))
            if isWritten { becomeClean(object) } else { settle(object) }
        }
        keepTransientReferences()
        for object in deleted {
            object.flags.remove([.deleted, .updated, .propagated])
            context.registry.remove(object, for: object.key)
            _ = object.objectID
            object.context = nil
            object.draft = nil
        }
        return SavedObjects(
            inserted: inserted, updated: updated, deleted: deleted,
            postedInserted: posted?.count == inserted.count ? posted : nil,
            postedUpdated: postedUpdated?.count == updated.count ? postedUpdated : nil)
    }

    /// Drops changes that are none; the record that the object knows stays its record.
    private func settle(_ object: NSManagedObject) {
        object.flags.remove(.updated)
        object.extras?.primitives = nil
        object.keepTransientValues()
    }

    private func becomePermanent(_ object: NSManagedObject, _ key: ObjectKey) {
        object.extras?.becomePermanent(key)
        object.key = key
        object.flags.remove(.inserted)
        context.registry.insert(object, for: key)
        becomeClean(object)
    }

    /// The record holds what the draft held; transient values stay in a draft of their own.
    private func becomeClean(_ object: NSManagedObject) {
        object.flags.remove(.updated)
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
        object.keepTransientValues()
        guard let extras = object.extras else { return }
        extras.ownedRecord = nil
        extras.primitives = nil
        guard object.runtime.hasTransientReferences else {
            for state in extras.toMany { state?.reset() }
            return
        }
        for relationship in object.runtime.toManyRelationships {
            guard let state = extras.toMany[safe: relationship.toManyIndex] ?? nil else { continue }
            if relationship.relationship.isTransient {
                state.keepMembers(resolve)
            } else {
                state.reset()
            }
        }
    }

    /// Transient to-one relationships outlive the save: they follow the objects to their keys.
    private func keepTransientReferences() {
        for object in inserted where object.runtime.hasTransientReferences { resolveDraft(object) }
        for object in updated where object.runtime.hasTransientReferences { resolveDraft(object) }
    }

    private func resolveDraft(_ object: NSManagedObject) {
        guard let draft = object.draft else { return }
        for position in 0..<draft.fieldCount {
            guard case .objectID(let key)? = draft[position], key.isTemporary else { continue }
            let permanent = resolve(key)
            draft[position] = permanent.rawValue == 0 ? .null : .objectID(permanent)
        }
    }
}

/// Why a transaction of a save was given up.
enum SaveInterruption: Error {
    /// Somebody else changed or deleted objects of the save.
    case conflicts
}
