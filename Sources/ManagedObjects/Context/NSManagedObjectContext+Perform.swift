// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// A value that crosses to another queue although its type does not promise to be safe there.
// Sendable because the sender does not touch the value until the receiver is done with it.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension NSManagedObjectContext {
    /// When an asynchronous block starts.
    public enum ScheduledTaskType: Sendable {
        /// At once, where that is possible.
        case immediate
        /// After the blocks that wait already.
        case enqueued
    }

    /// Runs a block later on the context's queue, one at a time, then processes its changes.
    public final func perform(_ block: @escaping () -> Void) {
        let job = UncheckedTransfer(block)
        let context = UncheckedTransfer(self)
        queue.async { context.value.runQueued(job.value) }
    }

    private final func runQueued(_ block: () -> Void) {
        performAndWait(block)
        performAndWait { processPendingChanges() }
    }

    /// Runs a block now, while no other block of the context runs; may be nested.
    public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        lock.enter()
        defer { lock.leave() }
        return try CurrentContext.run(self) { try block() }
    }

    /// Runs a block on the context's queue and returns its result.
    public final func perform<Result, Failure: Error>(
        schedule: ScheduledTaskType = .immediate,
        _ block: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let job = UncheckedTransfer((self, block))
        let outcome: UncheckedTransfer<Swift.Result<Result, Failure>> =
            await withCheckedContinuation { continuation in
                // Nobody may serve the main queue of a server; a global queue and the lock do.
                let target =
                    concurrencyType == .mainQueueConcurrencyType
                    ? DispatchQueue.global() : queue
                target.async {
                    continuation.resume(returning: UncheckedTransfer(job.value.0.run(job.value.1)))
                }
            }
        return try outcome.value.get()
    }

    private final func run<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) -> Swift.Result<Result, Failure> {
        lock.enter()
        defer { lock.leave() }
        let outcome: Swift.Result<Result, Failure>
        do throws(Failure) {
            outcome = .success(try CurrentContext.run(self, block))
        } catch {
            outcome = .failure(error)
        }
        processPendingChanges()
        return outcome
    }
}
