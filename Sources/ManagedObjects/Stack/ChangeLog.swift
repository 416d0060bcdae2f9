// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Which objects the last commits of this process changed.
///
/// A context that moves its snapshot copies the old records of those objects only. When the log
/// does not reach back far enough, or another process committed, every realised object is looked
/// at.
final class ChangeLog: Sendable {
    private struct Entry {
        let transactionID: UInt64
        let keys: [ObjectKey]
    }

    private struct State {
        // Ascending by transaction, although the threads that save may arrive in another order.
        var entries: [Entry] = []
        var keyCount = 0
    }

    private static let limit = 65_536
    // Contexts of any queue save and move.
    private let state = Mutex(State())

    /// Notes a commit.
    func append(_ transactionID: UInt64, _ keys: [ObjectKey]) {
        state.withLock { state in
            let position = state.entries.lastIndex { $0.transactionID < transactionID } ?? -1
            state.entries.insert(
                Entry(transactionID: transactionID, keys: keys), at: position + 1)
            state.keyCount += keys.count
            while state.keyCount > ChangeLog.limit, state.entries.count > 1 {
                state.keyCount -= state.entries.removeFirst().keys.count
            }
        }
    }

    /// The objects changed by the transactions after one and through another; `nil` for unknown.
    func keys(after old: UInt64, through new: UInt64) -> [ObjectKey]? {
        state.withLock { state in
            guard new > old else { return [] }
            var keys: [ObjectKey] = []
            var expected = new
            for entry in state.entries.reversed() where entry.transactionID <= new {
                guard entry.transactionID == expected else { return nil }
                keys += entry.keys
                if entry.transactionID == old + 1 { return keys }
                expected -= 1
            }
            return nil
        }
    }

    /// How many pages, roughly, a snapshot of a transaction keeps from being reused: an object
    /// changed since counts one, and a commit eight for the upper levels of its trees.
    func weight(after transactionID: UInt64) -> Int {
        state.withLock { state in
            var weight = 0
            for entry in state.entries.reversed() {
                guard entry.transactionID > transactionID else { return weight }
                weight += 8 + entry.keys.count
            }
            return weight
        }
    }
}
