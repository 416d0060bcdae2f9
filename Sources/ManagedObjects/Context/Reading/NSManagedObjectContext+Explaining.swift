// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Store

extension NSManagedObjectContext {
    /// How the store would run a request: source, filter, order and limit, one a line, then about
    /// how many objects it would read.
    ///
    /// ```swift
    /// print(try context.explain(request))  // the index or the scan, the filter, the order
    /// ```
    ///
    /// For people; the text may change from version to version. Unsaved changes are not looked at.
    /// A request that the ``scanLimit`` of the context or its own refuses is explained too: a last
    /// line says how many objects it would scan, and which index to add.
    ///
    /// - Throws: 134070 for a predicate or sort key that the model does not have.
    public final func explain<Result>(_ request: NSFetchRequest<Result>) throws -> String {
        try explain(request, running: false)
    }

    /// How the store runs a request, with the number of objects that it reads and of those among
    /// them that match.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``explain(_:)``.
    ///   - running: Whether to run it. No objects are made, and unsaved changes are not looked at.
    /// - Throws: 134070 for a predicate or sort key that the model does not have, and failures of
    ///   the store.
    public final func explain<Result>(
        _ request: NSFetchRequest<Result>, running: Bool
    ) throws -> String {
        var prepared: FetchPreparation
        do { prepared = try FetchPreparation(request, self) } catch {
            guard let filter = ObjectFilter(request, self, isForNow: false), !filter.isForMemory
            else { throw error }
            return try explain(filter.possible, running: running)
                + "\n  then these objects are asked, one after the other"
        }
        let store = try requireStore()
        let snapshot = running ? try CoreDataError.mapping { try store.makeSnapshot() } : nil
        do { return try explanation(of: request, prepared, store, snapshot) } catch {
            guard
                let reason = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? QueryError,
                reason.code == .scanRefused
            else { throw error }
            prepared.description.scanLimit = 0
            return try explanation(of: request, prepared, store, snapshot)
                + "\n  refused: \(reason.message)"
        }
    }

    private final func explanation<Result>(
        of request: NSFetchRequest<Result>, _ prepared: FetchPreparation, _ store: Store,
        _ snapshot: StoreSnapshot?
    ) throws -> String {
        try mappingQueryErrors {
            // Indexes may have all that rows or a count read.
            if request.resultType == .dictionaryResultType {
                let fetch = try DictionaryFetch(request, prepared, self)
                return try fetch.explanation(running: snapshot)
            }
            var description = prepared.description
            if request.resultType == .countResultType { description.readProperties = [] }
            return try Planner.plan(description, in: store).explanation(running: snapshot)
        }
    }
}
