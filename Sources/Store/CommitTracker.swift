// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Distinguishes the commits of one store object from foreign ones: those of other processes, and
/// of other store objects of the same file.
///
/// A writer notes the number of its transaction before the commit, so a look right after the commit
/// does not take it for a foreign one.
final class CommitTracker: Sendable {
    fileprivate struct State {
        var isWatched = false
        /// The newest commit that was looked at.
        var seen: UInt64 = 0
        /// Transactions that are not ended yet.
        var pending: [UInt64] = []
        /// Own commits after `seen`, ascending.
        var own: [ClosedRange<UInt64>] = []
        /// Whether a look was cut short by a pending transaction.
        var wantsAnotherLook = false
    }

    // Used by writers of any thread, and by the watch of the file.
    private let state = Mutex(State())

    /// Begins to track the commits after a given one.
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

    /// Notes that a transaction ended; returns whether another look is wanted.
    func end(_ number: UInt64, isCommitted: Bool) -> Bool {
        state.withLock { state in
            guard state.isWatched else { return false }
            // Once: writes that share a transaction have one number.
            if let position = state.pending.firstIndex(of: number) {
                state.pending.remove(at: position)
            }
            if isCommitted { state.note(number) }
            defer { state.wantsAnotherLook = false }
            return state.wantsAnotherLook
        }
    }

    /// The newest of the commits since the last look, their number, and whether one is foreign; nil
    /// for none.
    ///
    /// - Parameter newest: Loads the number of the newest commit; called under the lock, so that
    ///   every own commit up to it is noted.
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
        guard number > seen, !own.contains(where: { $0.contains(number) }) else { return }
        guard let last = own.indices.last, own[last].upperBound + 1 == number else {
            let place = own.firstIndex { $0.lowerBound > number } ?? own.endIndex
            return own.insert(number...number, at: place)
        }
        own[last] = own[last].lowerBound...number
    }
}
