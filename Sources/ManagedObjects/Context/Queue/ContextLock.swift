// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Lets one thread at a time into a context, as often as its blocks nest, and knows which one.
final class ContextLock: Sendable {
    // Recursive, as blocks nest.
    private let lock = NSRecursiveLock()
    // Written by the thread that holds the lock; others only compare it with themselves.
    private let owner = Atomic<UInt>(0)
    // Read and written by the thread that holds the lock.
    private let depth = Atomic<Int>(0)

    func enter() {
        lock.lock()
        didLock()
    }

    /// Enters unless another thread is inside.
    func tryToEnter() -> Bool {
        guard lock.try() else { return false }
        didLock()
        return true
    }

    private func didLock() {
        let outer = depth.load(ordering: .relaxed)
        depth.store(outer + 1, ordering: .relaxed)
        if outer == 0 { owner.store(ContextLock.thread, ordering: .relaxed) }
    }

    func leave() {
        let inner = depth.load(ordering: .relaxed) - 1
        depth.store(inner, ordering: .relaxed)
        if inner == 0 { owner.store(0, ordering: .relaxed) }
        lock.unlock()
    }

    /// Whether the thread that holds the lock has entered only once.
    var isOutermost: Bool { depth.load(ordering: .relaxed) == 1 }

    /// Whether the calling thread is inside.
    var isHeldByCurrentThread: Bool { owner.load(ordering: .relaxed) == ContextLock.thread }

    /// A number for the calling thread.
    static var thread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
