// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Whether anybody runs what is sent to the main queue: a server or a tool may have nobody who
/// does.
enum MainQueue {
    private static let wasAsked = Atomic<Bool>(false)
    private static let hasAnswered = Atomic<Bool>(false)
    private static let mark = DispatchSpecificKey<Bool>()

    /// Sends a block to the main queue once, to learn whether it is run.
    static func probe() {
        guard !wasAsked.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.main.setSpecific(key: mark, value: true)
        DispatchQueue.main.async { hasAnswered.store(true, ordering: .relaxed) }
    }

    /// Whether the main queue has run a block since the first main-queue context was made.
    static var isServed: Bool { hasAnswered.load(ordering: .relaxed) }

    /// Whether the caller is on the main thread or in a block of the main queue.
    ///
    /// A program that has called `dispatchMain()`, as each one with an asynchronous `main` has,
    /// runs the main queue on other threads than the first.
    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
    }
}
