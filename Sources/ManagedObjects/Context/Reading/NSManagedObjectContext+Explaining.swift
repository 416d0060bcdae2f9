// SPDX-License-Identifier: Apache-2.0

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
    /// A request is explained even if its ``NSFetchRequest/scanLimit`` refuses it.
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
        prepared.description.scanLimit = 0
        let store = try requireStore()
        return try mappingQueryErrors {
            let snapshot = running ? try store.makeSnapshot() : nil
            // Indexes may have all that rows or a count read.
            if request.resultType == .dictionaryResultType {
                let fetch = try DictionaryFetch(request, prepared, self)
                return try fetch.explanation(running: snapshot)
            }
            if request.resultType == .countResultType { prepared.description.readProperties = [] }
            return try Planner.plan(prepared.description, in: store).explanation(running: snapshot)
        }
    }
}
