// SPDX-License-Identifier: Apache-2.0

import Query

extension NSManagedObjectContext {
    /// How the store would run a request: source, filter, order and limit, one a line.
    ///
    /// ```swift
    /// print(try context.explain(request))  // the index or the scan, the filter, the order
    /// ```
    ///
    /// For people; the text may change from version to version. Unsaved changes are not looked at.
    ///
    /// - Throws: 134070 for a predicate or sort key that the model does not have.
    public final func explain<Result>(_ request: NSFetchRequest<Result>) throws -> String {
        let prepared = try FetchPreparation(request, self)
        let store = try requireStore()
        return try mappingQueryErrors {
            try Planner.plan(prepared.description, in: store).description
        }
    }
}
