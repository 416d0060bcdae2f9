// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Who runs what is sent to the main queue: at first the main thread, in its own time.
///
/// A server or a tool may have nobody who ever does, which a program cannot be asked. So blocks
/// always wait for the main queue; only whoever would have to stand still until then needs to
/// know.
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

    /// Whether blocks of the main queue are run for certain: one was run since the first
    /// main-queue context was made, or `main` is asynchronous.
    static var isServed: Bool { isKnownToBeServed.load(ordering: .relaxed) }

    /// Notes an asynchronous `main` from the inside, before it has served the main queue at all.
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
