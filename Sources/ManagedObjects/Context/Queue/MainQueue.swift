// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Finds out whether anything runs the blocks of the main queue.
///
/// In a server or a tool nothing may ever run them, and there is no way to ask the system. So
/// asynchronous blocks always wait for the main queue; only code that would block until then needs
/// to know.
enum MainQueue {
    private static let wasAsked = Atomic<Bool>(false)
    private static let isKnownToBeServed = Atomic<Bool>(false)
    private static let mark = DispatchSpecificKey<Bool>()

    /// Sends a block to the main queue once, to learn whether it is run.
    static func probe() {
        if !wasAsked.exchange(true, ordering: .relaxed) {
            DispatchQueue.main.setSpecific(key: mark, value: true)
            DispatchQueue.main.async { isKnownToBeServed.store(true, ordering: .relaxed) }
        }
        look()
    }

    /// Whether the main queue is known to run its blocks: it has run one since the first main-queue
    /// context was made, or `main` is asynchronous.
    static var isServed: Bool { isKnownToBeServed.load(ordering: .relaxed) }

    /// Recognises an asynchronous `main` from inside it, before the main queue has run a block.
    ///
    /// Its first turn is a task on the main thread, which the main thread of another program runs
    /// from the main queue only. Later turns run on other threads, again from the main queue.
    static func look() {
        guard !isServed, isCurrent else { return }
        if !Thread.isMainThread || withUnsafeCurrentTask(body: { $0 != nil }) {
            isKnownToBeServed.store(true, ordering: .relaxed)
        }
    }

    /// Whether the caller is on the main thread or in a block of the main queue.
    ///
    /// A program that has called `dispatchMain()`, as each one with an asynchronous `main` has,
    /// runs the main queue on other threads than the first.
    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
    }
}
