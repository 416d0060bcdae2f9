// SPDX-License-Identifier: Apache-2.0

/// The threads that a group of writes waits for before it commits.
///
/// A thread that writes again and again comes back soon after its commit. Without waiting for it,
/// threads split into two groups by turns: one writes while the other makes its next changes, and
/// each commit serves a half of them. So those of the last group are expected in the next one,
/// until as much time has passed as their own commit took. A thread that has not come by then is
/// not expected again, and where nobody comes the next groups wait for none. A single writer never
/// waits.
///
/// Times are nanoseconds of a clock that only goes forward.
struct ExpectedWriters {
    /// The longest wait of a group.
    static let greatestWait: UInt64 = 200_000
    /// How many groups wait for nobody after a wait in which nobody came.
    static let pauseAfterVain = 32

    /// Those who are expected and have not come.
    private var threads: [UInt] = []
    /// The end of the wait, once it has begun.
    private var limit: UInt64?
    /// Whether somebody has come since the wait began.
    private var hasServed = false
    /// Until when they are expected.
    private var expectedUntil: UInt64 = 0
    private var pause = 0

    /// The thread has come, as a leader or a member.
    mutating func come(_ thread: UInt) {
        threads.removeAll { $0 == thread }
        if limit != nil { hasServed = true }
    }

    /// Asks, when everyone in line has had a turn, whether to wait for more.
    ///
    /// - Returns: Until when; `nil` where the commit is due.
    mutating func wait(from now: UInt64) -> UInt64? {
        guard pause == 0, !threads.isEmpty else { return nil }
        let end = limit ?? min(now + ExpectedWriters.greatestWait, expectedUntil)
        limit = end
        return now < end ? end : nil
    }

    /// Ends a group that was committed.
    ///
    /// - Parameters:
    ///   - leader: The thread of its first write.
    ///   - members: The threads of the others.
    ///   - commit: When its commit began and ended.
    mutating func end(
        _ leader: UInt, _ members: some Sequence<UInt>, commit: ClosedRange<UInt64>
    ) {
        end()
        threads.append(leader)
        threads.append(contentsOf: members)
        expectedUntil = commit.upperBound + (commit.upperBound - commit.lowerBound)
    }

    /// Ends a group whose writes were undone: nobody is expected.
    mutating func end() {
        if limit != nil, !hasServed {
            pause = ExpectedWriters.pauseAfterVain
        } else {
            pause = max(0, pause - 1)
        }
        threads.removeAll(keepingCapacity: true)
        limit = nil
        hasServed = false
    }
}
