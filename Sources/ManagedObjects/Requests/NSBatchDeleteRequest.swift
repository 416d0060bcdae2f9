// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Schema
import Store

/// Deletes all matches of a fetch, or listed objects, in the store, in one transaction.
///
/// ```swift
/// let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
/// fetch.predicate = NSPredicate(format: "team == nil")
/// try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
/// ```
///
/// No object is loaded, no hook is called, and what contexts have not saved does not count. Cascade
/// and nullify rules are applied in the store; a deny rule nullifies. Where an object that stays
/// would lose the destination of a mandatory relationship, the request fails with 1570 and nothing
/// is deleted.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// Which objects, with their limit, offset and order.
    public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    private let objectIDs: [NSManagedObjectID]?
    /// The objects to delete, where the request lists them.
    final var listedIDs: [NSManagedObjectID]? { objectIDs }
    /// What the result holds.
    open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

    /// Makes a request for the matches of a fetch.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        fetchRequest = fetch
        objectIDs = nil
        super.init()
    }

    /// Makes a request for listed objects, all of one entity hierarchy.
    public init(objectIDs objects: [NSManagedObjectID]) {
        fetchRequest = NSFetchRequest()
        fetchRequest.entity = objects.first?.entity
        fetchRequest.predicate = NSPredicate(format: "SELF IN %@", objects)
        objectIDs = objects
        super.init()
    }

    /// A batch deletion.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A new request with the same settings and a copy of the fetch.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            objectIDs.map { NSBatchDeleteRequest(objectIDs: $0) }
            ?? NSBatchDeleteRequest(fetchRequest: fetchRequest.duplicate())
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        return copy
    }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let outcome = try objectIDs.map { try delete($0, context) } ?? deleteMatches(context)
        let result: Any =
            switch resultType {
            case .resultTypeStatusOnly: true
            case .resultTypeObjectIDs: context.objectIDs(for: outcome.keys)
            case .resultTypeCount: outcome.count
            }
        return NSBatchDeleteResult(result, resultType)
    }

    private func delete(
        _ objects: [NSManagedObjectID], _ context: NSManagedObjectContext
    ) throws -> BatchOutcome {
        guard let first = objects.first else { return BatchOutcome() }
        let root = NSBatchDeleteRequest.root(of: context.runtime(for: first.entity))
        let own = context.persistentStore?.identity
        var keys: ContiguousArray<ObjectKey> = []
        for id in objects {
            let key = id.currentKey
            guard !key.isTemporary, id.currentStore.map({ $0.identity == own }) ?? true,
                context.runtime(for: id.entity).isKind(of: root)
            else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "\(id) cannot be deleted in one batch with \(first); IDs must be of saved "
                        + "objects of one entity hierarchy and of the context's store")
            }
            keys.append(key)
        }
        keys.sort()
        return try context.writeBatch(frees: true) {
            try NSBatchDeleteRequest.delete(keys, $0, context)
        }
    }

    private static func root(of runtime: EntityRuntime) -> EntityRuntime {
        var root = runtime
        while let next = root.superRuntime { root = next }
        return root
    }

    private func deleteMatches(_ context: NSManagedObjectContext) throws -> BatchOutcome {
        let prepared = try FetchPreparation(fetchRequest, context)
        let fetch = prepared.description
        let plan = try context.mappingQueryErrors {
            try Planner.plan(
                fetch, in: try context.requireStore(), remembering: context.knownPlans)
        }
        let takesAll = fetch.predicate == nil && fetch.limit == 0 && fetch.offset == 0
        let family = fetch.includesSubentities ? prepared.runtime.family : [prepared.runtime]
        let needsKeys = resultType == .resultTypeObjectIDs
        return try context.writeBatch(frees: true) { transaction in
            // Sees what the transaction began with, as no one else can commit.
            let snapshot = try transaction.store.makeSnapshot()
            let keys = takesAll && !needsKeys ? nil : try plan.keys(in: snapshot)
            if takesAll, let count = try transaction.deleteAll(of: family.map(\.ordinal)) {
                return BatchOutcome(
                    keys: keys ?? [], count: count, changed: keys ?? [], changeCount: count,
                    hasWritten: count > 0)
            }
            return try NSBatchDeleteRequest.delete(
                try keys ?? plan.keys(in: snapshot), transaction, context)
        }
    }

    /// Deletes objects with the entries that their classes keep elsewhere.
    private static func delete(
        _ keys: ContiguousArray<ObjectKey>, _ transaction: SaveTransaction,
        _ context: NSManagedObjectContext
    ) throws -> BatchOutcome {
        let derived = context.model.runtimes.map { $0.objectClass as? any DerivedEntries.Type }
        guard derived.contains(where: { $0 != nil }) else {
            return outcome(try transaction.delete(applyingRules: keys))
        }
        return outcome(
            try transaction.delete(applyingRules: keys) { key, record, table in
                try derived[table.ordinal]?.delete(table.entity.name, key, record, transaction)
            })
    }

    private static func outcome(_ objects: DeletedObjects) -> BatchOutcome {
        let changed = objects.deleted + objects.updated
        return BatchOutcome(
            keys: objects.deleted, count: objects.deleted.count, changed: changed,
            changeCount: changed.count, hasWritten: !changed.isEmpty)
    }
}
