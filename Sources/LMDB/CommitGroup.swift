// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The writes of several threads that end in one commit, so that all wait for the disk once.
///
/// The first thread **leads**: it begins a transaction and runs its body. Threads that come in the
/// meantime wait in a line. The leader runs their bodies too, one after the other, and commits for
/// all: handing the transaction from thread to thread would cost a change of threads for each
/// write, which on an idle processor is dearer than the write.
///
/// A body that throws would leave its changes in the transaction of the others. So the leader
/// undoes all of it then, and everyone's body runs again in a transaction of its own: a write that
/// fails leaves no trace, and it fails for the same reasons as without a group.
///
/// Before the commit it waits a moment for threads that were in the group before and are expected
/// to write again, see ``ExpectedWriters``.
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
        /// Those whose bodies have run in the transaction of the leader, or are about to.
        var members: [CommitTicket] = []
        /// How many more groups consist of their leader.
        var pause = 0
        /// The thread that leads.
        var leader: UInt = 0
        var expected = ExpectedWriters()
        /// Whether the group waits for one who is expected.
        var isWaiting = false
        /// When the last one had written and the commit became due.
        var dueTime: UInt64 = 0
    }

    /// What comes after a body.
    fileprivate enum Step {
        case write(CommitTicket)
        case wait(until: DispatchTime)
        case commit
    }

    // Threads come and go at any time.
    private let state = Mutex(State())
    /// Tells a group that waits that a write has come.
    private let hasCome = DispatchSemaphore(value: 0)

    /// Whether a write leads, or is about to.
    var isLed: Bool { state.withLock { $0.isLed } }

    /// How many writes wait for their turn.
    var waitingCount: Int { state.withLock { $0.line.count } }

    /// Comes with a write, which leads at once where no other does.
    ///
    /// - Returns: Whether it leads; if not, it is to come into the line.
    func leads(_ writer: Writer) -> Bool { state.withLock { $0.leads(writer) } }

    /// Comes into the line.
    ///
    /// - Parameters:
    ///   - writer: The thread, and whose write it is.
    ///   - body: Writes in the transaction of another thread's leader, on that thread.
    /// - Returns: What the thread is to wait for; `nil` where it leads by now.
    func enter(_ writer: Writer, _ body: @escaping CommitTicket.Body) -> CommitTicket? {
        let (ticket, isExpected) = state.withLock { state -> (CommitTicket?, Bool) in
            guard !state.leads(writer) else { return (nil, false) }
            let ticket = CommitTicket(writer, body)
            state.line.append(ticket)
            defer { state.isWaiting = false }
            return (ticket, state.isWaiting)
        }
        if isExpected { hasCome.signal() }
        return ticket
    }

    /// The next one in line, which becomes a member.
    ///
    /// - Parameter owner: The owner of the writes of the transaction.
    /// - Returns: `nil` where the commit is due.
    func next(of owner: ObjectIdentifier) -> CommitTicket? {
        while true {
            switch state.withLock({ $0.step(owner, DispatchTime.now().uptimeNanoseconds) }) {
            case .write(let next): return next
            case .wait(let limit):
                // Whether it has come or time is up, the next step says.
                _ = hasCome.wait(timeout: limit)
            case .commit: return nil
            }
        }
    }

    /// What the leader is to know of the members' writes, in their order.
    var notes: [(any Sendable)?] { state.withLock { $0.members.map(\.note) } }

    /// Tells the members that their changes are committed.
    ///
    /// - Returns: How many writes that were.
    func finish() -> Int {
        let now = DispatchTime.now().uptimeNanoseconds
        let members = state.withLock { state in
            state.expected.end(
                state.leader, state.members.lazy.map(\.writer.thread),
                commit: min(state.dueTime, now)...now)
            return state.takeMembers()
        }
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
            state.expected.end()
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
            let next = state.line.removeFirst()
            state.lead(next.writer)
            return next
        }
        next?.call(.lead)
    }
}

extension CommitGroup.State {
    fileprivate mutating func leads(_ writer: CommitGroup.Writer) -> Bool {
        guard !isLed else { return false }
        isLed = true
        lead(writer)
        return true
    }

    fileprivate mutating func lead(_ writer: CommitGroup.Writer) {
        leader = writer.thread
        expected.come(leader)
    }

    /// Says what comes after a body.
    fileprivate mutating func step(_ owner: ObjectIdentifier, _ now: UInt64) -> CommitGroup.Step {
        isWaiting = false
        if pause == 0, members.count < CommitGroup.greatestCount {
            if let next = line.first {
                if next.writer.owner == owner {
                    line.removeFirst()
                    members.append(next)
                    expected.come(next.writer.thread)
                    return .write(next)
                }
            } else if let limit = expected.wait(from: now) {
                isWaiting = true
                return .wait(until: DispatchTime(uptimeNanoseconds: limit))
            }
        }
        dueTime = now
        return .commit
    }

    fileprivate mutating func takeMembers() -> [CommitTicket] {
        defer { members = [] }
        return members
    }
}
