// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The end of a turn of the main queue ends the event of a main-queue context whose objects were
/// changed there directly.
extension NSManagedObjectContext {
    /// Makes sure that the event which a change is about to begin will end; called before each
    /// change.
    @inline(__always)
    final func beginEvent() {
        if event.awaitsChange { noteFirstChange() }
    }

    @inline(never)
    private final func noteFirstChange() {
        event.awaitsChange = false
        // Leaving the lock ends the event. On other threads only a program that breaks the rules
        // changes objects directly, so those are ignored.
        guard !queue.lock.isHeldByCurrentThread, MainQueue.isCurrent else { return }
        endEventWithTurn()
    }

    /// The event is over: the next change begins another one.
    final func awaitNextChange() {
        releaseOrderedSets()
        event.awaitsChange = concurrencyType == .mainQueueConcurrencyType && !event.isTurnEndAwaited
    }

    /// Has the main queue process the changes of this turn right after it.
    private final func endEventWithTurn() {
        guard !event.isTurnEndAwaited else { return }
        event.isTurnEndAwaited = true
        MainQueue.look()
        let turn = ContextTurn(self)
        DispatchQueue.main.async { turn.end() }
    }

    /// Processes the changes of a block that was a turn of the main queue by itself.
    final func endBlock() {
        guard concurrencyType == .mainQueueConcurrencyType, queue.lock.isOutermost,
            changes.hasEvent || event.hasDeletions, MainQueue.isCurrent
        else { return }
        processPendingChanges()
    }

    /// Leaves the lock; what was changed inside and not processed there ends with the turn.
    ///
    /// So do the changes of observers that were told at the end of a turn, a block or a merge.
    @inline(__always)
    final func leaveLock() {
        if concurrencyType == .mainQueueConcurrencyType, queue.lock.isOutermost,
            changes.hasEvent || event.hasDeletions
        {
            endEventWithTurn()
        }
        queue.lock.leave()
    }

    /// A turn has ended: processes what it has changed.
    fileprivate final func endTurn() {
        queue.lock.enter()
        defer { leaveLock() }
        event.isTurnEndAwaited = false
        event.awaitsChange = true
        CurrentContext.run(self) { processPendingChanges() }
    }
}

/// A turn of the main queue that has changed objects of a context.
// SAFETY: the weak reference is set once, before others see it, and any thread may read it.
private final class ContextTurn: @unchecked Sendable {
    // Weak, so that the context can end even if the main queue never runs the block.
    private weak var context: NSManagedObjectContext?

    init(_ context: NSManagedObjectContext) { self.context = context }

    func end() { context?.endTurn() }
}
