// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// A value that crosses to another queue although its type does not promise to be safe there.
// SAFETY: each call site states why it is right: the sender leaves the value alone until the
// receiver is done with it, or both use it under one lock.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension NSManagedObjectContext {
    /// When an asynchronous block starts.
    public enum ScheduledTaskType: Sendable {
        /// At once where the caller is on the context's queue already, else ``enqueued``.
        case immediate
        /// After the blocks that wait already.
        case enqueued
    }

    /// Does what `perform(_:)` says.
    final func enqueueBlock(_ block: @escaping () -> Void) {
        enqueue { [self] in
            block()
            processPendingChanges()
        }
    }

    /// Runs a block now on the context's queue and waits for it; may be nested in any order.
    ///
    /// ```swift
    /// let names = try context.performAndWait {
    ///     try context.fetch(NSFetchRequest<Team>(entityName: "Team")).map(\.name)
    /// }
    /// ```
    ///
    /// The block runs on the calling thread, while no other block of the context runs, and after
    /// those that `perform` was given before, unless a block of another context calls, or the main
    /// thread calls a descendant of a main-queue context. A main-queue context called from another
    /// thread has it run on the main queue, if that is known to run its blocks: `main` is
    /// asynchronous, or the main queue has run a block since the first main-queue context was made.
    /// Called on the main thread it has the block run at once.
    ///
    /// Changes stay pending. Those of a main-queue context are processed at the end of the turn of
    /// the main queue.
    public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        let isTurn = !isOnQueue
        if isTurn { followEarlierBlocks() }
        return try enterQueue {
            defer { if isTurn { endBlock() } }
            return try CurrentContext.run(self) { try block() }
        }
    }

    /// Runs a block that neither returns nor throws now on the context's queue and waits for it.
    ///
    /// The same as the other `performAndWait(_:)`, as a function of type `(() -> Void) -> Void`.
    @_disfavoredOverload
    // Disfavoured, as a closure that throws in the argument of a macro only seems not to throw.
    public final func performAndWait(_ block: () -> Void) {
        let isTurn = !isOnQueue
        if isTurn { followEarlierBlocks() }
        enterQueue {
            defer { if isTurn { endBlock() } }
            CurrentContext.run(self) { block() }
        }
    }

    /// Runs a block on the context's queue, processes its changes and returns its result.
    ///
    /// ```swift
    /// let count = try await context.perform {
    ///     try context.count(for: NSFetchRequest<Player>(entityName: "Player"))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - schedule: Whether the block may start ahead of those that wait.
    ///   - isolation: The caller's actor; leave it out.
    ///   - block: The work; what it returns must not be an object of the context.
    public final func perform<Result, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if schedule == .immediate, isOnQueue { return try runInside(block).get() }
        // SAFETY: the block runs once, on the context's queue, while the caller waits; only the
        // caller gets the outcome. The program answers for what the block captures, and returns no
        // objects of the context.
        let job = UncheckedTransfer(block)
        let outcome: UncheckedTransfer<Swift.Result<Result, Failure>> =
            await withCheckedContinuation(isolation: isolation) { continuation in
                enqueue { [self] in
                    continuation.resume(returning: UncheckedTransfer(runInside(job.value)))
                }
            }
        return try outcome.value.get()
    }

    private final func runInside<Result, Failure: Error>(
        _ block: () throws(Failure) -> Result
    ) -> Swift.Result<Result, Failure> {
        enterQueue {
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
}

extension NSManagedObjectContext {
    /// Lets the blocks that `perform` was given before run first, as there is one queue for both.
    ///
    /// Not from a block of another context, which those blocks may be waiting for, nor from the
    /// main thread if they may have to enter a parent there; and a main-queue context has the order
    /// of the main queue, where that is served.
    private final func followEarlierBlocks() {
        guard queue.waiting.load(ordering: .acquiring) > 0, CurrentContext.innermost == nil,
            concurrencyType != .mainQueueConcurrencyType,
            !(MainQueue.isCurrent && entersMainQueue)
        else { return }
        queue.blocks.sync {}
    }

    /// Whether reading and saving enter the main queue, as an ancestor is of it.
    private final var entersMainQueue: Bool {
        guard let parent else { return false }
        return parent.concurrencyType == .mainQueueConcurrencyType || parent.entersMainQueue
    }

    /// Whether the calling thread may use the context without waiting.
    final var isOnQueue: Bool {
        queue.lock.isHeldByCurrentThread
            || (concurrencyType == .mainQueueConcurrencyType && MainQueue.isCurrent)
    }

    /// Runs a body while no other block of the context runs, on the main thread where need be.
    final func enterQueue<Result>(_ body: () throws -> Result) rethrows -> Result {
        if concurrencyType == .mainQueueConcurrencyType {
            MainQueue.look()
            if MainQueue.isServed, !isOnQueue { return try enterMainThread(body) }
        }
        return try enterLock(body)
    }

    /// Runs a body that enters the queue several times, so that nothing else runs there in between.
    ///
    /// The body runs on the calling thread. Where the queue has another one, the main thread, it is
    /// entered each time anew.
    final func holdingQueue<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isElsewhere =
            concurrencyType == .mainQueueConcurrencyType && MainQueue.isServed && !isOnQueue
        return try isElsewhere ? body() : enterLock(body)
    }

    private final func enterMainThread<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withoutActuallyEscaping(body) { body in
            // SAFETY: the caller waits while the main queue has the body and the context.
            let job = UncheckedTransfer(body)
            let context = UncheckedTransfer(self)
            return try DispatchQueue.main.sync {
                UncheckedTransfer(try context.value.enterLock(job.value))
            }.value
        }
    }

    final func enterLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        queue.lock.enter()
        defer { leaveLock() }
        if queue.lock.isOutermost {
            noticeDepartures()
            readMail()
        }
        return try body()
    }

    /// Adds a job to those that wait.
    final func enqueue(_ job: @escaping () -> Void) {
        if concurrencyType == .mainQueueConcurrencyType { MainQueue.look() }
        // SAFETY: the queue enters the lock before it uses the context, and runs the job once. The
        // program sees to it that no other code uses what the job captures meanwhile.
        let context = UncheckedTransfer(self)
        let job = WaitingJob(job)
        queue.waiting.add(1, ordering: .acquiringAndReleasing)
        queue.blocks.async {
            let context = context.value
            defer { context.queue.waiting.subtract(1, ordering: .acquiringAndReleasing) }
            context.enterLock { CurrentContext.run(context) { job.run() } }
        }
    }
}

/// A block that waits for its turn.
///
/// What it captures is let go of within that turn: it may be the program's last reference to an
/// object whose `deinit` uses the context.
// SAFETY: the queue runs it once. The program sees to it that no other code uses what the block
// captures meanwhile.
private final class WaitingJob: @unchecked Sendable {
    private var block: (() -> Void)?

    init(_ block: @escaping () -> Void) { self.block = block }

    func run() {
        let block = self.block.take()
        block?()
    }
}
