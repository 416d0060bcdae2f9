// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

/// The state of a file that a world reads in place.
///
/// The world's thread looks at it, and threads that commit with other contexts move it on. Only the
/// state itself is shared: a state that another one replaces has the same chunks.
final class ShownState {
    // One thread at a time uses an LMDB transaction, or exchanges it.
    private let lock = NSLock()
    private var snapshot: StoreSnapshot?
    private var isOver = false

    /// Runs a body with the state, if there is one that is not parked.
    ///
    /// - Returns: What the body says, nil without a state.
    func with<Result>(_ body: (StoreSnapshot) throws -> Result?) rethrows -> Result? {
        try lock.withLock { try active.map(body) ?? nil }
    }

    /// Whether there is a state that is not parked.
    var isActive: Bool { lock.withLock { active != nil } }

    /// Replaces the state.
    func set(_ next: StoreSnapshot) {
        let former = lock.withLock {
            defer { if !isOver { snapshot = next } }
            return snapshot
        }
        // It ends here, outside of the lock.
        withExtendedLifetime(former) {}
    }

    /// Replaces the state by one that a body finds to be as good, unless another thread is about
    /// to do so.
    func move(to next: StoreSnapshot, if isAsGood: (StoreSnapshot) -> Bool) {
        guard lock.try() else { return }
        let former = active
        if let former, isAsGood(former) { snapshot = next }
        lock.unlock()
        withExtendedLifetime(former) {}
    }

    /// Parks the state after a body, which nobody interrupts by ending it.
    ///
    /// - Parameter body: Says whether the state can be parked.
    /// - Returns: Whether it is; false while another thread uses it, and when it is over.
    func park(_ body: () -> Bool) -> Bool {
        guard lock.try() else { return false }
        defer { lock.unlock() }
        guard !isOver, body() else { return false }
        snapshot?.park()
        return true
    }

    /// Lets the state go for good.
    func end() {
        let former = lock.withLock {
            defer { (snapshot, isOver) = (nil, true) }
            return snapshot
        }
        withExtendedLifetime(former) {}
    }

    private var active: StoreSnapshot? { snapshot.flatMap { $0.isActive ? $0 : nil } }
}
