// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// The objects of a further file.
///
/// They are read in place and written as those of the main store: through a snapshot of the
/// context's own, see ``FileSnapshot``, and by the save that writes the main store, see
/// ``SaveTarget``. Their records have the file's keys.
///
/// Batch requests go through a context of its own on a coordinator of its own. Its objects are
/// plain `NSManagedObject`s, so that the hooks of the model's classes run once. It is used inside
/// its queue only.
class FileRows: FurtherRows {
    // SAFETY: the context owns this object.
    unowned let context: NSManagedObjectContext
    let further: FurtherStore
    let file: FileMapping
    let reading: FileSnapshot
    /// The plans of the context's fetches from the file.
    private let plans = PlanMemory()
    /// What batch requests go through, once there was one.
    private var madeInner: NSManagedObjectContext?

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore, _ file: FileMapping
    ) {
        self.context = context
        self.further = further
        self.file = file
        reading = FileSnapshot(file, of: context)
    }

    /// What batch requests go through.
    final var inner: NSManagedObjectContext {
        if let madeInner { return madeInner }
        let inner = NSManagedObjectContext(.privateQueue)
        inner.persistentStoreCoordinator = file.coordinator
        inner.followers.isSilent = true
        madeInner = inner
        return inner
    }

    /// The file's own form of an entity.
    func innerRuntime(_ runtime: EntityRuntime) throws -> EntityRuntime {
        if let found = file.runtime(runtime) { return found }
        throw CoreDataError.make(
            .persistentStoreIncompatibleSchema,
            "the store \(further.store.identity) does not hold the entity "
                + "\(runtime.entity.name); use another configuration")
    }

    /// The snapshot of the file.
    private func requireSnapshot() throws -> StoreSnapshot {
        try reading.require(further.store)
    }

    /// Begins the snapshot, before anything is read.
    final func beginReading() throws { _ = try requireSnapshot() }

    // MARK: Reading in place

    func bind(_ object: NSManagedObject) throws -> Bool {
        let snapshot = try requireSnapshot()
        let stamp = context.stamp
        if object.boundStamp == stamp, object.record != nil { return true }
        if let owned = object.extras?.ownedRecord {
            object.record = owned.view
            object.boundStamp = stamp
            return true
        }
        let key = file.inner(object.key)
        let record = try CoreDataError.mapping { try snapshot.record(for: key) }
        object.boundStamp = stamp
        object.record = record
        if !object.flags.contains(.fault), !object.hasDraft {
            object.readStamp = context.uncheckedStamp
        }
        return record != nil
    }

    func bindFaults(_ keys: ContiguousArray<ObjectKey>.SubSequence) throws {
        // Those of unsaved objects come first. The file may number entities in another order; rows
        // of one have the same order.
        let keys = keys.drop { $0.isTemporary }
        guard let first = keys.first, first.entity == keys.last?.entity else { return }
        let snapshot = try requireSnapshot()
        let own = ContiguousArray(keys.lazy.map { self.file.inner($0) })
        try CoreDataError.mapping {
            try snapshot.forEachRecord(of: own[...]) { key, record in
                if let key = file.outer(key) { context.bindFault(key, record) }
            }
        }
    }

    func newestRecord(of object: NSManagedObject) throws -> RecordView? {
        let snapshot = try requireSnapshot()
        return try CoreDataError.mapping { try snapshot.record(for: file.inner(object.key)) }
    }

    func keyHere(_ stored: ObjectKey) -> ObjectKey { file.outer(stored) ?? FileMapping.nobody }

    func keyThere(_ key: ObjectKey) -> ObjectKey { file.inner(key) }

    func externalValue(
        of key: ObjectKey, position: Int, _ runtime: EntityRuntime, byteCount: Int
    ) throws -> [UInt8] {
        let snapshot = try requireSnapshot()
        let table = snapshot.store.tables[try innerRuntime(runtime).ordinal]
        return try CoreDataError.mapping {
            try snapshot.externalValue(
                of: file.inner(key), table.layout.fields[position].number, byteCount: byteCount)
        }
    }

    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        let snapshot = try requireSnapshot()
        let table = snapshot.store.tables[try innerRuntime(runtime).ordinal]
        let found = try CoreDataError.mapping {
            try snapshot.destinations(
                of: file.inner(key), table.relationships[relationship.position])
        }
        return ContiguousArray(found.lazy.compactMap { self.file.outer($0) })
    }

    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        try withPlan(fetch) { plan, snapshot in
            var objects: [NSManagedObject] = []
            var maker = FaultMaker(context, snapshot, file)
            try plan.forEach(in: snapshot) { key, record in
                if let key = file.outer(key) { maker.add(key, record, to: &objects) }
                return true
            }
            return (objects, maker.commonType)
        }
    }

    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool {
        let snapshot = try newestSnapshot()
        return try CoreDataError.mapping {
            try runtimes.allSatisfy { runtime in
                guard let own = file.runtime(runtime) else { return true }
                return try snapshot.count(of: snapshot.store.tables[own.ordinal]) == 0
            }
        }
    }

    func count(_ fetch: SourceFetch) throws -> Int {
        try withPlan(fetch, reading: []) { plan, snapshot in try plan.count(in: snapshot) }
    }

    private func newestSnapshot() throws -> StoreSnapshot {
        try context.moveSnapshotIfOutdated()
        return try requireSnapshot()
    }

    private func withPlan<Result>(
        _ fetch: SourceFetch, reading: Set<String>? = nil,
        _ body: (FetchPlan, StoreSnapshot) throws -> Result
    ) throws -> Result {
        var description = try innerDescription(fetch)
        description.readProperties = reading
        let snapshot = try newestSnapshot()
        return try context.mappingQueryErrors {
            let plan = try Planner.plan(
                description, in: snapshot.store, remembering: plans)
            return try body(plan, snapshot)
        }
    }

    private func innerDescription(_ fetch: SourceFetch) throws -> FetchDescription {
        var description = try fetch.description(in: further.store)
        description.predicate = description.predicate?.replacingKeys(file.inner)
        return description
    }

    /// The dictionaries of a fetch.
    final func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary] {
        let prepared = FetchPreparation(
            runtime: try innerRuntime(fetch.prepared.runtime),
            description: try innerDescription(fetch))
        let snapshot = try newestSnapshot()
        let rows = try inner.enterQueue {
            try DictionaryFetch(request, prepared, inner).run(in: snapshot)
        }
        for case let row as NSMutableDictionary in rows {
            for case let name as String in row.allKeys {
                guard let id = row[name] as? NSManagedObjectID else { continue }
                row[name] = outerID(id) ?? NSNull()
            }
        }
        return rows
    }

    /// The ID by which the program knows an object of the file's context.
    final func outerID(_ id: NSManagedObjectID) -> NSManagedObjectID? {
        file.outer(id.currentKey).flatMap { context.objectID(for: $0) }
    }

    // MARK: Copies for children

    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues? {
        let snapshot = try newestSnapshot()
        let record = try CoreDataError.mapping { try snapshot.record(for: file.inner(key)) }
        guard let record else { return nil }
        return InheritedValues(
            record: file.outer(record, runtime),
            largeValues: context.largeValues(of: key, runtime, record))
    }

    func copyHere(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        file.outer(record, runtime)
    }

    // MARK: Saving

    /// The open file.
    ///
    /// - Throws: 134070 if the store was removed.
    private func requireStore() throws -> Store {
        guard let store = file.coordinator.firstStore?.store else {
            throw StoreRemoval.error(further.store)
        }
        return store
    }

    func reserve(_ objects: [NSManagedObject]) throws {
        let store = try requireStore()
        let groups = Dictionary(grouping: objects, by: \.runtimeOrdinal)
            .compactMap { ordinal, objects in
                file.tableOrdinal(ordinal).map { (store.tables[$0], objects) }
            }
        let (rows, transactionID) = try CoreDataError.mapping {
            try store.reserveRows(groups.map { ($0, $1.count) })
        }
        if let transactionID { file.coordinator.changeLog.append(transactionID, []) }
        for ((_, objects), first) in zip(groups, rows) {
            guard first < ObjectKey.rowLimit - UInt64(objects.count) else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "row \(first) of \(store.path) is beyond those of a further store; the file is "
                        + "damaged: restore it from a copy")
            }
            for (row, object) in zip(first..., objects) {
                context.reserve(
                    ObjectKey(tag: further.tag, ordinal: object.runtimeOrdinal, row: row),
                    for: object)
            }
        }
    }

    func save(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects {
        let owner = further.store.isCustom ? nil : further.store
        return try context.save(
            group, into: SaveTarget(context, reading, requireStore(), owner))
    }

    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try runBatch(request)
    }

    func reset() {
        reading.drop()
        madeInner?.enterQueue { madeInner?.reset() }
    }
}
