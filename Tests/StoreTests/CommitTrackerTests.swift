// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Store

/// Own commits and those of others, as the numbers of transactions tell them apart.
@Suite struct CommitTrackerTests {
    private func tracker() -> CommitTracker {
        let tracker = CommitTracker()
        tracker.watch(after: 10)
        return tracker
    }

    private func commit(_ numbers: UInt64..., to tracker: CommitTracker) {
        for number in numbers {
            tracker.begin(number)
            _ = tracker.end(number, isCommitted: true)
        }
    }

    private func look(_ tracker: CommitTracker, _ newest: UInt64) -> [UInt64] {
        tracker.takeCommits { newest }.flatMap {
            $0.isForeign ? [$0.newest, UInt64($0.count)] : nil
        } ?? []
    }

    @Test func ownCommitsAreNoNews() {
        let tracker = tracker()
        #expect(look(tracker, 10) == [])
        commit(11, 12, 13, to: tracker)
        #expect(look(tracker, 13) == [])
    }

    @Test func foreignCommitsAreNewsOnce() {
        let tracker = tracker()
        #expect(look(tracker, 11) == [11, 1])
        #expect(look(tracker, 11) == [])
        commit(12, 14, to: tracker)
        #expect(look(tracker, 14) == [14, 3])
        commit(15, to: tracker)
        #expect(look(tracker, 15) == [])
    }

    @Test func laterOwnCommitsAreKeptInMind() {
        let tracker = tracker()
        commit(11, 12, 13, 14, to: tracker)
        #expect(look(tracker, 12) == [])
        #expect(look(tracker, 14) == [])
        #expect(look(tracker, 15) == [15, 1])
    }

    @Test func aPendingTransactionIsLookedAtLater() {
        let tracker = tracker()
        tracker.begin(12)
        // 11 is foreign, 12 may be committed a moment ago.
        #expect(look(tracker, 12) == [11, 1])
        #expect(tracker.end(12, isCommitted: true))
        #expect(look(tracker, 12) == [])
        tracker.begin(13)
        #expect(look(tracker, 12) == [])
        #expect(!tracker.end(13, isCommitted: true))
    }

    @Test func aTransactionThatFailedLeavesItsNumberToOthers() {
        let tracker = tracker()
        tracker.begin(11)
        #expect(!tracker.end(11, isCommitted: false))
        #expect(look(tracker, 11) == [11, 1])
    }

    @Test func threadsEndOutOfOrder() {
        let tracker = tracker()
        tracker.begin(11)
        tracker.begin(12)
        #expect(!tracker.end(12, isCommitted: true))
        #expect(look(tracker, 12) == [])
        #expect(tracker.end(11, isCommitted: true))
        #expect(look(tracker, 12) == [])
        #expect(look(tracker, 13) == [13, 1])
    }

    @Test func nothingIsNotedWhileNobodyWatches() {
        let tracker = CommitTracker()
        commit(11, to: tracker)
        tracker.watch(after: 11)
        #expect(look(tracker, 11) == [])
    }

    /// Writes that share a transaction have one number, and end one after the other.
    @Test func aSharedCommitIsOneCommit() {
        let tracker = tracker()
        for _ in 0..<3 { tracker.begin(11) }
        _ = tracker.end(11, isCommitted: true)
        // Two may still be under way.
        #expect(look(tracker, 11) == [])
        #expect(tracker.end(11, isCommitted: true))
        _ = tracker.end(11, isCommitted: true)
        #expect(look(tracker, 11) == [])
        #expect(look(tracker, 12) == [12, 1])
    }

    /// What was undone is no longer awaited, and its number is free for a write that is.
    @Test func aWriteThatWasUndoneLeavesTheNextOneAlone() {
        let tracker = tracker()
        tracker.begin(11)
        tracker.begin(11)
        _ = tracker.end(11, isCommitted: false)
        #expect(look(tracker, 11) == [])
        _ = tracker.end(11, isCommitted: true)
        #expect(look(tracker, 11) == [])
        #expect(look(tracker, 12) == [12, 1])
    }
}
