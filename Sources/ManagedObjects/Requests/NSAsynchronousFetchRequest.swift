// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query

/// A fetch that runs later on the context's queue, and can be followed and cancelled.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(
///     fetchRequest: NSFetchRequest<Player>(entityName: "Player")
/// ) { result in
///     print(result.finalResult?.count ?? 0)
/// }
/// try context.execute(request)
/// ```
///
/// ``NSManagedObjectContext/execute(_:)`` returns at once. The result is filled on the context's
/// queue, which then runs the completion block. A `Progress` that is current when the request is
/// executed gets the fetch's own as a child.
///
/// *Progress.* A unit is an object. The total is ``estimatedResultCount``, more if more are found,
/// and -1, which is indeterminate, without an estimate; at the end it is the number of results, at
/// least 1. What is completed goes up every thousand objects that the fetch looks at.
///
/// *Cancelling* ends the fetch where it is, at the next such step: there is no result, the error is
/// `userCancelled`, and the completion block is called as always.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// Called on the context's queue with the outcome, that of a cancelled fetch too.
    public typealias CompletionBlock = (NSAsynchronousFetchResult<ResultType>) -> Void

    /// The search.
    public let fetchRequest: NSFetchRequest<ResultType>
    /// What is called at the end.
    public let completionBlock: CompletionBlock?
    /// How many results are expected, for the progress; 0 for not known.
    open var estimatedResultCount = 0

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - fetchRequest: The search.
    ///   - completionBlock: Called on the context's queue with the outcome.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, completionBlock: CompletionBlock? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.completionBlock = completionBlock
        super.init()
    }

    /// A fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A new request with the same settings and a copy of the search.
    ///
    /// The completion block is the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(
            fetchRequest: fetchRequest.duplicate(), completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let progress = Progress(
            totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
        progress.isCancellable = true
        let result = NSAsynchronousFetchResult(self, context, progress)
        // SAFETY: the caller is on the context's queue, where the block runs, too. The program
        // leaves the request alone until it has its result; a progress may be used from any thread.
        let job = UncheckedTransfer((self, context, result, progress))
        context.perform { job.value.0.finish(job.value.1, job.value.2, job.value.3) }
        return result
    }

    private func finish(
        _ context: NSManagedObjectContext, _ result: NSAsynchronousFetchResult<ResultType>,
        _ progress: Progress
    ) {
        do {
            try FetchProgress(progress).check()
            // First, as it may lead to fetches that are not this one.
            context.processPendingChanges()
            context.followers.fetchWatch = FetchProgress(progress).watch
            defer { context.followers.fetchWatch = nil }
            let found = try context.fetch(fetchRequest)
            try FetchProgress(progress).check()
            result.finalResult = found
            progress.totalUnitCount = Int64(max(found.count, 1))
            progress.completedUnitCount = progress.totalUnitCount
        } catch {
            result.operationError = error
        }
        completionBlock?(result)
    }
}
