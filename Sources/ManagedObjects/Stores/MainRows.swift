// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// The objects of the main store, for code that asks several stores or answers a child.
///
/// A root's own reads do not come here: they go to the snapshot directly.
struct MainRows: StoreSource {
    // SAFETY: made for one question of the context, which outlives it.
    private unowned let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues? {
        let snapshot = try newestSnapshot()
        guard let record = try CoreDataError.mapping({ try snapshot.record(for: key) }) else {
            return nil
        }
        return InheritedValues(
            record: OwnedRecord(record), largeValues: context.largeValues(of: key, runtime, record))
    }

    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        // As the values that the context has read: its snapshot stays where it is.
        let snapshot = try context.requireSnapshot()
        let table = snapshot.store.tables[runtime.ordinal]
        return try CoreDataError.mapping {
            try snapshot.destinations(of: key, table.relationships[relationship.position])
        }
    }

    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool {
        let snapshot = try newestSnapshot()
        return try CoreDataError.mapping {
            try runtimes.allSatisfy {
                try snapshot.count(of: snapshot.store.tables[$0.ordinal]) == 0
            }
        }
    }

    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        try context.mainMatches(try translated(fetch))
    }

    func count(_ fetch: SourceFetch) throws -> Int {
        try context.mainCount(try translated(fetch))
    }

    func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary] {
        try DictionaryFetch(request, fetch.prepared, context).run(in: newestSnapshot())
    }

    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try request.run(in: context)
    }

    func reserve(_ objects: [NSManagedObject]) throws {
        try context.reserveRows(of: objects)
    }

    func save(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects {
        try context.save(group, into: SaveTarget(mainOf: context))
    }

    private func newestSnapshot() throws -> StoreSnapshot {
        try context.moveSnapshotIfOutdated()
        return try context.requireSnapshot()
    }

    /// The fetch with the constants of the main store.
    private func translated(_ fetch: SourceFetch) throws -> FetchPreparation {
        guard let store = context.persistentStore else { return fetch.prepared }
        return FetchPreparation(
            runtime: fetch.prepared.runtime, description: try fetch.description(in: store))
    }
}
