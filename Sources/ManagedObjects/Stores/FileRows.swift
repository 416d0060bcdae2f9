// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// The objects of a further file, through a context of its own on a coordinator of its own.
///
/// That context reads and saves as any root does; its objects are plain `NSManagedObject`s, so that
/// the hooks of the model's classes run once. It is used inside its queue only.
class FileRows: FurtherRows {
    // SAFETY: the context owns this object.
    unowned let context: NSManagedObjectContext
    let further: FurtherStore
    let inner: NSManagedObjectContext
    let keys: KeyTranslation
    private let runtimes: [EntityRuntime?]

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore,
        _ coordinator: NSPersistentStoreCoordinator, _ keys: KeyTranslation
    ) {
        self.context = context
        self.further = further
        inner = NSManagedObjectContext(.privateQueue)
        inner.persistentStoreCoordinator = coordinator
        inner.followers.isSilent = true
        self.keys = keys
        runtimes = context.model.runtimes.map {
            coordinator.compiledModel.runtime(named: $0.entity.name)
        }
    }

    /// The file's own form of an entity.
    func innerRuntime(_ runtime: EntityRuntime) throws -> EntityRuntime {
        if let found = runtimes[runtime.ordinal] { return found }
        throw CoreDataError.make(
            .persistentStoreIncompatibleSchema,
            "the store \(further.store.identity) does not hold the entity "
                + "\(runtime.entity.name); use another configuration")
    }

    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues? {
        let innerRuntime = try innerRuntime(runtime)
        let innerKey = keys.inner(key)
        return try inner.enterQueue {
            // The caller wants the newest values.
            try inner.moveSnapshotIfOutdated()
            let snapshot = try inner.requireSnapshot()
            let record = try CoreDataError.mapping { try snapshot.record(for: innerKey) }
            guard let record else { return nil }
            return InheritedValues(
                record: keys.outer(record, runtime),
                largeValues: inner.largeValues(of: innerKey, innerRuntime, record))
        }
    }

    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        let innerRuntime = try innerRuntime(runtime)
        guard let own = innerRuntime.relationship(like: relationship) else { return [] }
        let innerKey = keys.inner(key)
        return try inner.enterQueue {
            inner.known(innerKey)?.forgetStoredMembers()
            let found = try inner.membersForChild(innerKey, own, innerRuntime)
                .compactMap { keys.outer($0) }
            return ContiguousArray(relationship.isOrdered ? found : found.sorted())
        }
    }

    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        let found = try withPlan(fetch) { plan, snapshot in
            try plan.keys(in: snapshot).compactMap { keys.outer($0) }
        }
        return context.objects(elsewhere: found)
    }

    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool {
        let names = runtimes.map(\.name)
        return try inner.enterQueue {
            try inner.moveSnapshotIfOutdated()
            let snapshot = try inner.requireSnapshot()
            return try CoreDataError.mapping {
                try names.allSatisfy { name in
                    try snapshot.store.table(named: name).map { try snapshot.count(of: $0) } ?? 0
                        == 0
                }
            }
        }
    }

    func count(_ fetch: SourceFetch) throws -> Int {
        try withPlan(fetch, reading: []) { plan, snapshot in try plan.count(in: snapshot) }
    }

    private func withPlan<Result>(
        _ fetch: SourceFetch, reading: Set<String>? = nil,
        _ body: (FetchPlan, StoreSnapshot) throws -> Result
    ) throws -> Result {
        var description = try innerDescription(fetch)
        description.readProperties = reading
        return try inner.enterQueue {
            try inner.moveSnapshotIfOutdated()
            let snapshot = try inner.requireSnapshot()
            return try inner.mappingQueryErrors {
                try body(Planner.plan(description, in: snapshot.store), snapshot)
            }
        }
    }

    private func innerDescription(_ fetch: SourceFetch) throws -> FetchDescription {
        var description = try fetch.description(in: further.store)
        description.predicate = description.predicate?.replacingKeys(keys.inner)
        return description
    }

    /// The dictionaries of a fetch.
    final func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary] {
        let prepared = FetchPreparation(
            runtime: try innerRuntime(fetch.prepared.runtime),
            description: try innerDescription(fetch))
        let rows = try inner.enterQueue {
            let dictionaries = try DictionaryFetch(request, prepared, inner)
            try inner.moveSnapshotIfOutdated()
            return try dictionaries.run(in: inner.requireSnapshot())
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
        keys.outer(id.currentKey).flatMap { context.objectID(for: $0) }
    }

    func reserve(_ objects: [NSManagedObject]) throws {
        guard let file = inner.persistentStore?.store else {
            throw StoreRemoval.error(further.store)
        }
        let groups = Dictionary(grouping: objects) { $0.runtime.entity.name }
            .compactMap { name, objects in file.table(named: name).map { ($0, objects) } }
        let (rows, transactionID) = try CoreDataError.mapping {
            try file.reserveRows(groups.map { ($0, $1.count) })
        }
        if let transactionID {
            inner.persistentStoreCoordinator?.changeLog.append(transactionID, [])
        }
        for ((_, objects), first) in zip(groups, rows) {
            guard first < ObjectKey.rowLimit - UInt64(objects.count) else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "row \(first) of \(file.path) is beyond those of a further store; the file is "
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
        try write(group, locked: locked)
    }

    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try runBatch(request)
    }

    func reset() {
        inner.enterQueue { inner.reset() }
    }

    // MARK: Steps of a save that subclasses add to

    /// Called before anything is written.
    func prepare(_ group: SavedObjects) throws {}
    /// Called when everything is written, before the commit; may be called again.
    func commit(_ group: SavedObjects) throws {}
    /// Called when the save failed after all.
    func cancel() {}
    /// Called when the save is committed.
    func finish() {}
}
