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
        var entries: [Entry] = []
        var keyCount = 0
    }

    private static let limit = 65_536
    // Contexts of any queue save and move.
    private let state = Mutex(State())

    /// Notes a commit.
    func append(_ transactionID: UInt64, _ keys: [ObjectKey]) {
        state.withLock { state in
            state.entries.append(Entry(transactionID: transactionID, keys: keys))
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
}
