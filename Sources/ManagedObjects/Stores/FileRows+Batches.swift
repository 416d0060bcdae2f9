// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FileRows {
    /// Runs a batch request on the file, with results that the program knows.
    final func runBatch(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        let request = translated(request)
        return try inner.enterQueue {
            inner.mergePolicy = context.mergePolicy
            inner.transactionAuthor = context.transactionAuthor
            return outerResult(try request.run(in: inner))
        }
    }

    /// A deletion by IDs with those that the file's context knows.
    private func translated(_ request: NSPersistentStoreRequest) -> NSPersistentStoreRequest {
        guard let request = request as? NSBatchDeleteRequest, let ids = request.listedIDs else {
            return request
        }
        let result = NSBatchDeleteRequest(
            objectIDs: ids.compactMap { id in
                guard id.store === further.store, let runtime = try? innerRuntime(id.runtime) else {
                    return id
                }
                return NSManagedObjectID(
                    key: keys.inner(id.currentKey), runtime: runtime, store: further.store)
            })
        result.resultType = request.resultType
        return result
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
