// SPDX-License-Identifier: Apache-2.0

import Query
import Schema
import Store

/// IDs of many objects, without the objects.
extension NSManagedObjectContext {
    /// The IDs of objects, which need not be registered; those of none are left out.
    ///
    /// What is the same for all objects of an entity is looked up once.
    final func objectIDs(for keys: ContiguousArray<ObjectKey>) -> [NSManagedObjectID] {
        var result: [NSManagedObjectID] = []
        result.reserveCapacity(keys.count)
        let isMain = { (key: ObjectKey) in !key.isTemporary && !key.isElsewhere }
        guard let store = openStore, let owner = keys.first(where: isMain).flatMap(home(of:)) else {
            return keys.compactMap { objectID(for: $0) }
        }
        var last: (entity: EntityNumber, runtime: EntityRuntime)?
        for key in keys {
            if key.isTemporary || key.isElsewhere {
                if let known = objectID(for: key) { result.append(known) }
                continue
            }
            if let known = registry[key]?.extras?.objectID, known.key == key {
                result.append(known)
                continue
            }
            if last?.entity != key.entity {
                last = store.ordinal(of: key.entity).map { (key.entity, model.runtimes[$0]) }
            }
            guard let runtime = last?.runtime, last?.entity == key.entity else { continue }
            result.append(NSManagedObjectID(key: key, runtime: runtime, store: owner))
        }
        return result
    }

    /// The IDs of the objects that a fetch would find.
    ///
    /// Makes objects only where some are unsaved or the matches come from elsewhere than the main
    /// store.
    final func fetchIDs<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [NSManagedObjectID] {
        readMailOutsideBlocks()
        processPendingChanges()
        if let found = try uniqueMatch(request) { return found.objects.map(\.objectID) }
        let prepared: FetchPreparation
        do { prepared = try FetchPreparation(request, self) } catch {
            return try objects(of: request, instead: error) { try fetchObjects($0).objects }
                .map(\.objectID)
        }
        return try matching(
            prepared, includesPendingChanges: request.includesPendingChanges,
            unsaved: { try fetchWithPendingChanges($0).map(\.objectID) },
            source: { try $0.matches($1).objects.map(\.objectID) },
            main: { try objectIDs(for: mainKeys($0)) })
    }

    /// The keys of the matches of one fetch in the main store.
    private final func mainKeys(_ prepared: FetchPreparation) throws -> ContiguousArray<ObjectKey> {
        let snapshot = try newestSnapshot()
        var keys: ContiguousArray<ObjectKey> = []
        return try mappingQueryErrors {
            try mainPlan(prepared.description, snapshot).forEach(in: snapshot) { key, _ in
                keys.append(key)
                return true
            }
            return keys
        }
    }
}
