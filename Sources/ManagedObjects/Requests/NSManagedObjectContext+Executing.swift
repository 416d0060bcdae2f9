// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

extension NSManagedObjectContext {
    /// Does what ``execute(_:)`` says.
    final func run(
        _ request: NSPersistentStoreRequest
    ) throws -> NSPersistentStoreResult {
        checkQueue()
        noteUse()
        guard source != nil, request.writesAtOnce else { return try runInStores(request) }
        // The root must not save meanwhile: it would change the keys of objects that predicates
        // name, and the request would miss the objects saved.
        return try root.enterQueue {
            adoptIfNeeded()
            return try runInStores(request)
        }
    }

    /// Commits what a batch request writes.
    final func writeBatch(
        frees: Bool = false, _ body: (SaveTransaction) throws -> BatchOutcome
    ) throws -> BatchOutcome {
        let store = try requireStore()
        snapshotOwner.beginSave()
        defer { snapshotOwner.endSave() }
        let (outcome, transactionID) = try mappingQueryErrors {
            try store.write(mayUseReserve: frees) { transaction in
                if store.tracksHistory { transaction.origin = historyOrigin }
                return (try body(transaction), transaction.transactionID)
            }
        }
        // A transaction that wrote nothing gives its number to the next one.
        if outcome.hasWritten, let coordinator = persistentStoreCoordinator {
            coordinator.changeLog.append(
                transactionID, batch: outcome.changed, count: outcome.changeCount)
            coordinator.snapshotOwners.catchUp(except: snapshotOwner)
            // A program may run one request after the other and never read.
            _ = catchUp()
        }
        return outcome
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a request for a context; a fetch returns an array, other requests their results.
    ///
    /// - Throws: As the context's `execute(_:)`.
    public func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
    ) throws -> Any {
        require(
            context.persistentStoreCoordinator === self,
            "the context belongs to another coordinator; use that one")
        let result = try context.performAndWait { try context.execute(request) }
        guard request.requestType == .fetchRequestType,
            let fetched = result as? any FetchedResult
        else { return result }
        return fetched.array
    }
}

extension NSPersistentStoreRequest {
    /// Whether it is a batch request.
    fileprivate var writesAtOnce: Bool {
        switch requestType {
        case .batchInsertRequestType, .batchUpdateRequestType, .batchDeleteRequestType: true
        default: false
        }
    }
}

/// What a batch request did.
struct BatchOutcome {
    /// The objects that the request's result lists.
    var keys: ContiguousArray<ObjectKey> = []
    /// Their number; `keys` may be empty if they are not asked for.
    var count = 0
    /// The objects whose records are other ones now, or gone, as far as they are listed.
    var changed: ContiguousArray<ObjectKey> = []
    var changeCount = 0
    /// Whether there is anything to commit.
    var hasWritten = false
}

/// A fetch's result, whatever its type.
protocol FetchedResult {
    var array: Any { get }
}
