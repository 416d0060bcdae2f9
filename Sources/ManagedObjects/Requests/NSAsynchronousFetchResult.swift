// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result of a request that may still be running.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that runs the request.
    public final let managedObjectContext: NSManagedObjectContext
    /// How far the request is; cancelling it cancels the request.
    public final let progress: Progress?
    /// The error that the request ended with.
    open internal(set) var operationError: (any Error)?

    init(_ context: NSManagedObjectContext, _ progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
        super.init()
    }

    /// Gives the request up; it ends with `userCancelled`, if it has not ended before.
    open func cancel() { progress?.cancel() }
}

/// The result of a fetch that was executed as a request.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The fetch; the asynchronous request that wraps the search, where there is one.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// What was found; `nil` until then, and for good after an error.
    open internal(set) var finalResult: [ResultType]?

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext,
        _ progress: Progress?
    ) {
        fetchRequest = request
        super.init(context, progress)
    }
}

extension NSAsynchronousFetchResult: FetchedResult {
    var array: Any { finalResult ?? [] }
}
