// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Batch requests of contexts whose coordinator has more than its main store.
extension NSManagedObjectContext {
    /// Runs a request in the stores that it affects: a batch insertion in the first that can be
    /// written, other batches in all.
    final func runInStores(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let (runtime, includesSubentities) = batchEntity(of: request) else {
            return try request.run(in: self)
        }
        let affected = request.statedStores
        guard hasFurtherStores || affected != nil else { return try request.run(in: self) }
        guard let root = source.map({ $0.parent }) else {
            var stores = try stores(
                for: runtime, includesSubentities: includesSubentities, affected)
            let writable = stores.filter { !$0.isReadOnly }
            if !writable.isEmpty { stores = writable }
            if request is NSBatchInsertRequest { stores = Array(stores.prefix(1)) }
            try request.check(stores)
            return try run(request, in: stores, runtime)
        }
        return try root.enterQueue { try root.runInStores(request) }
    }

    private final func batchEntity(
        of request: NSPersistentStoreRequest
    ) -> (EntityRuntime, includesSubentities: Bool)? {
        switch request {
        case let request as NSBatchInsertRequest:
            (runtime(ofBatch: request.entityName, request.entity), false)
        case let request as NSBatchUpdateRequest:
            (
                runtime(ofBatch: request.entityName, request.statedEntity),
                request.includesSubentities
            )
        case let request as NSBatchDeleteRequest:
            if let entity = request.listedIDs.map({ $0.first?.entity }) {
                entity.map { (runtime(for: $0), true) }
            } else {
                request.fetchRequest.entityName.flatMap { model.runtime(named: $0) }
                    .map { ($0, request.fetchRequest.includesSubentities) }
            }
        default: nil
        }
    }

    private final func run(
        _ request: NSPersistentStoreRequest, in stores: [NSPersistentStore],
        _ runtime: EntityRuntime
    ) throws -> NSPersistentStoreResult {
        var results: [NSPersistentStoreResult] = []
        for store in stores {
            guard let own = try request.part(for: store, of: stores, self) else { continue }
            results.append(try mappingQueryErrors { try rows(in: store).run(own) })
        }
        guard let first = results.first else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "no store of the coordinator holds what the request on \(runtime.name) affects")
        }
        return results.dropFirst().reduce(first) { $0.joined(with: $1) }
    }
}

extension NSPersistentStoreRequest {
    /// The stores that a request names, itself or by its fetch.
    fileprivate var statedStores: [NSPersistentStore]? {
        affectedStores ?? (self as? NSBatchDeleteRequest)?.fetchRequest.affectedStores
    }

    /// Refuses what no store can decide for itself.
    fileprivate func check(_ stores: [NSPersistentStore]) throws {
        guard stores.count > 1, let fetch = (self as? NSBatchDeleteRequest)?.fetchRequest,
            fetch.fetchLimit > 0 || fetch.fetchOffset > 0
        else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "a batch deletion in \(stores.count) stores cannot have a limit or an offset; set "
                + "affectedStores to one store")
    }

    /// What of a request concerns one of several stores; `nil` for nothing.
    fileprivate func part(
        for store: NSPersistentStore, of stores: [NSPersistentStore],
        _ context: NSManagedObjectContext
    ) throws -> NSPersistentStoreRequest? {
        guard let request = self as? NSBatchDeleteRequest, let ids = request.listedIDs else {
            return self
        }
        let own = ids.filter { id in
            context.localKey(of: id).flatMap { context.store(of: $0) } === store
        }
        let isElsewhere = ids.contains { id in
            let holder = context.localKey(of: id).flatMap { context.store(of: $0) }
            return !stores.contains { $0 === holder }
        }
        // The request itself reports what is wrong with an ID.
        if isElsewhere { return store === stores.first ? self : nil }
        if own.count == ids.count { return self }
        guard !own.isEmpty else { return nil }
        let part = NSBatchDeleteRequest(objectIDs: own)
        part.resultType = request.resultType
        return part
    }
}

extension NSPersistentStoreResult {
    /// One result of two stores' results: both must hold, numbers add up, IDs follow one another.
    fileprivate func joined(with other: NSPersistentStoreResult) -> NSPersistentStoreResult {
        func join(_ first: Any?, _ second: Any?) -> Any {
            switch (first, second) {
            case (let first as [NSManagedObjectID], let second as [NSManagedObjectID]):
                first + second
            case (let first as Bool, let second as Bool): first && second
            case (let first as Int, let second as Int): first + second
            default: first ?? second ?? true
            }
        }
        switch (self, other) {
        case (let first as NSBatchUpdateResult, let second as NSBatchUpdateResult):
            return NSBatchUpdateResult(join(first.result, second.result), first.resultType)
        case (let first as NSBatchDeleteResult, let second as NSBatchDeleteResult):
            return NSBatchDeleteResult(join(first.result, second.result), first.resultType)
        default: return self
        }
    }
}
