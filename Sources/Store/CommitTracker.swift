// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the commits of one store object from those of others: of other processes, and of other
/// store objects of the same file.
///
/// A writer notes the number of its transaction while it has it, so that nobody who looks right
/// after the commit takes it for a foreign one.
final class CommitTracker: Sendable {
    fileprivate struct State {
        var isWatched = false
        /// The commits up to here were looked at.
        var seen: UInt64 = 0
        /// Transactions that are not ended yet.
        var pending: [UInt64] = []
        /// Own commits after `seen`, ascending.
        var own: [ClosedRange<UInt64>] = []
        /// Whether somebody looked while a transaction was pending.
        var wantsAnotherLook = false
    }

    // Writers of any thread, and whoever watches the file.
    private let state = Mutex(State())

    /// Begins to tell them apart, after a commit.
    func watch(after newest: UInt64) {
        state.withLock { state in
            state.isWatched = true
            state.seen = newest
            state.own = []
        }
    }

    func begin(_ number: UInt64) {
        state.withLock { state in
            if state.isWatched { state.pending.append(number) }
        }
    }

    /// Notes that a transaction ended; returns whether somebody waits for that.
    func end(_ number: UInt64, isCommitted: Bool) -> Bool {
        state.withLock { state in
            guard state.isWatched else { return false }
            state.pending.removeAll { $0 == number }
            if isCommitted { state.note(number) }
            defer { state.wantsAnotherLook = false }
            return state.wantsAnotherLook
        }
    }

    /// The newest of the commits that nobody has looked at and their number, if one is foreign.
    ///
    /// - Parameter newest: Loads the number of the newest commit; asked while no own commit can go
    ///   by unnoted.
    func takeCommits(
        _ newest: () -> UInt64
    ) -> (newest: UInt64, count: Int, isForeign: Bool)? {
        state.withLock { state in
            let last = newest()
            var limit = last
            // A pending transaction may be committed already, and so may those after it.
            if let first = state.pending.min(), first <= last {
                limit = first - 1
                state.wantsAnotherLook = true
            }
            guard limit > state.seen else { return nil }
            let known = state.own.reduce(0 as UInt64) { count, range in
                range.lowerBound > limit
                    ? count : count + min(range.upperBound, limit) - range.lowerBound + 1
            }
            let count = limit - state.seen
            state.seen = limit
            state.own = state.own.compactMap { range in
                range.upperBound <= limit
                    ? nil : max(range.lowerBound, limit + 1)...range.upperBound
            }
            return (limit, Int(count), known < count)
        }
    }
}

extension CommitTracker.State {
    fileprivate mutating func note(_ number: UInt64) {
        guard number > seen else { return }
        guard let last = own.indices.last, own[last].upperBound + 1 == number else {
            let place = own.firstIndex { $0.lowerBound > number } ?? own.endIndex
            return own.insert(number...number, at: place)
        }
        own[last] = own[last].lowerBound...number
    }
}
