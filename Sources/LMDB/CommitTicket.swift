// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// What a thread waits for that wants to share a transaction.
// SAFETY: `call` is written by the thread that calls, before it signals, and read by the waiting
// thread after the signal. Only one thread can call a ticket: the group takes it out of its list
// first.
final class CommitTicket: @unchecked Sendable {
    /// A transaction that is lent to another thread.
    // SAFETY: only the thread whose turn it is uses them, see `CommitGroup`.
    struct Access: @unchecked Sendable {
        let handle: OpaquePointer
        let openCursors: UnsafeMutablePointer<Int>
    }

    enum Call {
        /// To begin a transaction, for this write and those that come.
        case lead
        /// To write, and then to call the next one.
        case write(Access)
        /// To go on: a number of writes, this one among them, are committed.
        case committed(Int)
        /// To write in a transaction of its own.
        case again
    }

    let writer: CommitGroup.Writer
    /// What the leader is to know of the write once it is committed.
    // SAFETY: set by the thread whose turn it is, which then gives the transaction on by a signal.
    var note: (any Sendable)?
    private let signal = DispatchSemaphore(value: 0)
    private var call = Call.again

    init(_ writer: CommitGroup.Writer) { self.writer = writer }

    /// Wakes the thread.
    func call(_ call: Call) {
        self.call = call
        signal.signal()
    }

    /// Waits to be called.
    func wait() -> Call {
        signal.wait()
        return call
    }
}
