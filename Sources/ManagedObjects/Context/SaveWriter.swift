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
    /// What classes write beside their records, by entity; asking a class takes a dynamic cast.
    private var derived: [DerivedSlot]

    private enum DerivedSlot {
        case unknown
        case none
        case entries(any DerivedEntries.Type)
    }

    init(_ context: NSManagedObjectContext, _ store: Store) throws {
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
        updated = ContiguousArray(context.changes.liveUpdated.sorted { $0.key < $1.key })
        deleted = ContiguousArray(context.changes.liveDeleted.sorted { $0.key < $1.key })
        derived = Array(repeating: .unknown, count: store.tables.count)
        needsResolving =
            refersToObjects
            || updated.contains { $0.runtime.hasRelationships }
    }

    /// Writes everything; returns the transaction's number.
    func write(_ transaction: SaveTransaction) throws -> UInt64 {
        try assignKeys(transaction)
        // An object that kept its values when the snapshot moved may be older than the snapshot.
        let checksVersions =
            transaction.transactionID != (context.snapshot?.transactionID ?? 0) + 1
            || updated.contains { $0.extras?.ownedRecord != nil }
            || deleted.contains { $0.extras?.ownedRecord != nil }
        // A local encoder: one kept in a property is checked for overlapping accesses each time.
        var encoder = RecordEncoder()
        for object in deleted {
            if checksVersions { try checkVersion(of: object, transaction) }
            try delete(object, transaction)
        }
        for object in updated {
            if checksVersions { try checkVersion(of: object, transaction) }
            try update(object, &encoder, transaction)
        }
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
        _ object: NSManagedObject, _ encoder: inout RecordEncoder, _ transaction: SaveTransaction
    ) throws {
        let table = store.tables[object.runtime.ordinal]
        guard let old = try transaction.record(for: object.key, in: table) else {
            throw conflict(object, "its record was deleted by somebody else")
        }
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: object.draft,
            resolve: resolve)
        try derivedEntries(of: object)?.write(object, object.key, old, transaction, resolve)
        try dropReplacedExternalValues(object, old, table, transaction)
        try transaction.update(record, replacing: old, for: object.key, in: table)
        try write(encoder.externalValues, object.key, table, transaction)
        writeLinks(of: object, object.key, table, transaction)
    }

    private func delete(_ object: NSManagedObject, _ transaction: SaveTransaction) throws {
        let table = store.tables[object.runtime.ordinal]
        if let old = try transaction.record(for: object.key, in: table) {
            try derivedEntries(of: object)?.delete(object, object.key, old, transaction)
        }
        try transaction.delete(object.key, in: table)
        for relationship in table.relationships where relationship.isLinked {
            try transaction.unlinkAll(object.key, relationship)
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

    /// Removes the large values of fields that the draft replaces.
    private func dropReplacedExternalValues(
        _ object: NSManagedObject, _ old: RecordView, _ table: EntityTable,
        _ transaction: SaveTransaction
    ) throws {
        guard let draft = object.draft else { return }
        for position in table.layout.fields.indices where draft[position] != nil {
            let field = table.layout.fields[position]
            guard field.type.isVariableLength, !old.isNull(position),
                old.heapBytes(at: field.offset) == nil
            else { continue }
            try transaction.deleteExternalValues(of: object.key, property: field.number)
        }
    }

    /// Throws when somebody has changed the record since this context read it.
    private func checkVersion(
        of object: NSManagedObject, _ transaction: SaveTransaction
    ) throws {
        let table = store.tables[object.runtime.ordinal]
        guard let current = try transaction.record(for: object.key, in: table) else {
            if object.isDeleted { return }
            throw conflict(object, "its record was deleted by somebody else")
        }
        guard let known = object.currentRecord(), known.version != current.version else { return }
        throw conflict(
            object,
            "somebody else saved it in between (version \(known.version), now \(current.version))")
    }

    private func conflict(_ object: NSManagedObject, _ message: String) -> CocoaError {
        CoreDataError.make(
            .managedObjectMerge,
            "\(object.objectID) cannot be saved: \(message); refresh it and save again",
            [NSAffectedObjectsErrorKey: [object]])
    }

    /// Makes the objects clean after the commit.
    func finish(_ transactionID: UInt64) -> SavedObjects {
        var changed: [ObjectKey] = []
        changed.reserveCapacity(updated.count + deleted.count)
        for object in updated { changed.append(object.key) }
        for object in deleted { changed.append(object.key) }
        context.persistentStoreCoordinator?.changeLog.append(transactionID, changed)
        let posted = context.changes.postedInserted
        let keys = self.keys
        context.changes = ChangeSet()
        context.reserved.removeAll()
        context.attachments.removeAll()
        context.advance(after: transactionID)
        // Not one after the other: the registry stays in the block of rows it was in last.
        inserted.forEachUnretained { context.registry.remove($0, for: $0.key) }
        var index = 0
        inserted.forEachUnretained { object in
            becomePermanent(object, keys[index])
            index += 1
        }
        for object in updated { becomeClean(object) }
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
            postedInserted: posted?.count == inserted.count ? posted : nil)
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
