// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The writes of several threads that end in one commit, so that all wait for the disk once.
///
/// The first thread **leads**: it begins a transaction and runs its body. Threads that come in the
/// meantime wait in a line. Each of them gets the transaction in turn and runs its body **on its
/// own thread**; the last one gives it back to the leader, which commits for all.
///
/// A body that throws would leave its changes in the transaction of the others. So the leader
/// undoes all of it then, and everyone's body runs again in a transaction of its own: a write that
/// fails leaves no trace, and it fails for the same reasons as without a group.
///
/// LMDB asks that a write transaction stays on one thread because of the writers' lock, which it
/// takes at the beginning and leaves at the end: the leader does both. In between only the thread
/// whose turn it is touches the transaction, and each turn happens before the next.
final class CommitGroup: Sendable {
    /// A write that may share its transaction.
    struct Writer {
        /// Only writes of the same owner share a transaction.
        let owner: ObjectIdentifier
        let thread: UInt
    }

    /// How many writes share a transaction at most, beside the leader's.
    static let greatestCount = 64
    /// How many groups consist of their leader after a body has thrown: where writes conflict with
    /// each other, doing all of them twice would cost more than the commits.
    static let pauseAfterFailure = 32

    fileprivate struct State {
        /// Whether a thread leads, or is about to.
        var isLed = false
        /// Those who wait for their turn, in the order of their arrival.
        var line: [CommitTicket] = []
        /// Those who have had their turn in the transaction of the leader.
        var members: [CommitTicket] = []
        /// Whether the body of a member has thrown.
        var hasFailed = false
        /// How many more groups consist of their leader.
        var pause = 0
    }

    // Threads come, go, and take turns at any time.
    private let state = Mutex(State())
    /// Tells the leader that it has its transaction back.
    private let isBack = DispatchSemaphore(value: 0)

    /// Whether a write leads, or is about to.
    var isLed: Bool { state.withLock { $0.isLed } }

    /// How many writes wait for their turn.
    var waitingCount: Int { state.withLock { $0.line.count } }

    /// Comes with a write.
    ///
    /// - Returns: What the thread is to wait for; `nil` where it leads at once.
    func enter(_ writer: Writer) -> CommitTicket? {
        state.withLock { state in
            guard state.isLed else {
                state.isLed = true
                return nil
            }
            let ticket = CommitTicket(writer)
            state.line.append(ticket)
            return ticket
        }
    }

    /// Lends the transaction to the next one in line.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - owner: The owner of its writes.
    ///   - prepare: Gets the next one before that is called.
    /// - Returns: Whether there is a next one; if not, the commit is due.
    func lend(
        _ transaction: CommitTicket.Access, to owner: ObjectIdentifier, _ prepare: (Writer) -> Void
    ) -> Bool {
        let next: CommitTicket? = state.withLock { state in
            guard state.pause == 0, let next = state.line.first, next.writer.owner == owner,
                state.members.count < CommitGroup.greatestCount
            else { return nil }
            state.line.removeFirst()
            state.members.append(next)
            return next
        }
        guard let next else { return false }
        prepare(next.writer)
        next.call(.write(transaction))
        return true
    }

    /// Gives the leader its transaction back.
    ///
    /// - Parameter hasFailed: Whether the body of the last one has thrown.
    func giveBack(hasFailed: Bool) {
        state.withLock { $0.hasFailed = hasFailed }
        isBack.signal()
    }

    /// Waits, as the leader, for the transaction that was lent.
    ///
    /// - Returns: Whether all bodies have succeeded.
    func takeBack() -> Bool {
        isBack.wait()
        return state.withLock { !$0.hasFailed }
    }

    /// What the leader is to know of the members' writes, in their order.
    var notes: [(any Sendable)?] { state.withLock { $0.members.map(\.note) } }

    /// Tells the members that their changes are committed.
    ///
    /// - Returns: How many writes that were.
    func finish() -> Int {
        let members = state.withLock { $0.takeMembers() }
        for member in members { member.call(.committed(members.count + 1)) }
        return members.count + 1
    }

    /// Tells the members, if there are any, that the transaction was undone.
    ///
    /// - Parameter pauses: Whether the next groups are to consist of their leaders.
    /// - Returns: Whether there were members.
    func disband(pauses: Bool) -> Bool {
        let members = state.withLock { state in
            if pauses { state.pause = CommitGroup.pauseAfterFailure }
            return state.takeMembers()
        }
        for member in members { member.call(.again) }
        return !members.isEmpty
    }

    /// Makes the next one in line the leader.
    func passOn() {
        let next: CommitTicket? = state.withLock { state in
            state.pause = max(0, state.pause - 1)
            guard !state.line.isEmpty else {
                state.isLed = false
                return nil
            }
            return state.line.removeFirst()
        }
        next?.call(.lead)
    }
}

extension CommitGroup.State {
    fileprivate mutating func takeMembers() -> [CommitTicket] {
        defer {
            members = []
            hasFailed = false
        }
        return members
    }
}
