// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FileRows {
    /// Runs a batch request on the file, with results that the program knows.
    final func runBatch(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        let request = try translated(request)
        return try inner.enterQueue {
            inner.mergePolicy = context.mergePolicy
            inner.transactionAuthor = context.transactionAuthor
            inner.name = context.name
            return outerResult(try request.run(in: inner))
        }
    }

    /// A request that names objects as the file's context knows them.
    private func translated(
        _ request: NSPersistentStoreRequest
    ) throws -> NSPersistentStoreRequest {
        switch request {
        case let request as NSBatchDeleteRequest:
            let result =
                try request.listedIDs.map { ids in
                    NSBatchDeleteRequest(objectIDs: ids.map(innerID))
                } ?? NSBatchDeleteRequest(fetchRequest: translated(request.fetchRequest))
            result.resultType = request.resultType
            return result
        case let request as NSBatchUpdateRequest:
            let result = NSBatchUpdateRequest(entityName: request.entityName)
            result.predicate = try translated(request.predicate)
            result.includesSubentities = request.includesSubentities
            result.propertiesToUpdate = request.propertiesToUpdate?.mapValues { value in
                let plain = BatchAssignments.constant(value)
                let object = plain as? NSManagedObject
                return (plain as? NSManagedObjectID ?? object?.objectID).map(innerID) ?? value
            }
            result.resultType = request.resultType
            return result
        default: return request
        }
    }

    private func translated(
        _ request: NSFetchRequest<any NSFetchRequestResult>
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let result = request.duplicate()
        result.predicate = try translated(request.predicate)
        result.affectedStores = nil
        return result
    }

    private func translated(_ predicate: NSPredicate?) throws -> NSPredicate? {
        try predicate.map { predicate in
            let tree = try PredicateConversion.predicate(predicate, in: further.store.identity)
            return PredicateMaking.predicate(tree.replacingKeys(file.inner))
        }
    }

    /// The ID of an object of the file in its own context; others stay as they are.
    private func innerID(_ id: NSManagedObjectID) -> NSManagedObjectID {
        guard let key = context.localKey(of: id), context.store(of: key) === further.store,
            let runtime = try? innerRuntime(id.runtime)
        else { return id }
        return NSManagedObjectID(key: file.inner(key), runtime: runtime, store: further.store)
    }

    private func outerResult(_ result: NSPersistentStoreResult) -> NSPersistentStoreResult {
        func outer(_ value: Any?) -> Any? {
            (value as? [NSManagedObjectID])?.compactMap { outerID($0) } ?? value
        }
        switch result {
        case let result as NSBatchInsertResult:
            return NSBatchInsertResult(outer(result.result) ?? true, result.resultType)
        case let result as NSBatchUpdateResult:
            return NSBatchUpdateResult(outer(result.result) ?? true, result.resultType)
        case let result as NSBatchDeleteResult:
            return NSBatchDeleteResult(outer(result.result) ?? true, result.resultType)
        default: return result
        }
    }
}
