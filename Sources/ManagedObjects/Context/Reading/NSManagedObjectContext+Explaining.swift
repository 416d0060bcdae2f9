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
        var prepared = try FetchPreparation(request, self)
        let store = try requireStore()
        var refusal = ""
        let plan: FetchPlan
        do { plan = try self.plan(of: request, prepared, store) } catch {
            guard
                let reason = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? QueryError,
                reason.code == .scanRefused
            else { throw error }
            refusal = "\n  refused: \(reason.message)"
            prepared.description.scanLimit = 0
            plan = try self.plan(of: request, prepared, store)
        }
        return try mappingQueryErrors {
            try plan.explanation(running: running ? try store.makeSnapshot() : nil)
        } + refusal
    }

    /// The plan by which a request runs: indexes may have all that rows or a count read.
    private final func plan<Result>(
        of request: NSFetchRequest<Result>, _ prepared: FetchPreparation, _ store: Store
    ) throws -> FetchPlan {
        if request.resultType == .dictionaryResultType {
            return try DictionaryFetch(request, prepared, self).plan
        }
        var description = prepared.description
        if request.resultType == .countResultType { description.readProperties = [] }
        return try mappingQueryErrors { try Planner.plan(description, in: store) }
    }
}
