// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// What a thread waits for that wants to share a transaction.
// SAFETY: `call` is written by the thread that calls, before it signals, and read by the waiting
// thread after the signal. Only one thread can call a ticket: the group takes it out of its line
// first. `body` and `note` are for the leader alone, from the line, whose lock orders it after the
// thread that came, to the call.
final class CommitTicket: @unchecked Sendable {
    enum Call {
        /// To begin a transaction, for this write and those that come.
        case lead
        /// To go on: a number of writes, this one among them, are committed.
        case committed(Int)
        /// To write in a transaction of its own.
        case again
    }

    /// Writes in a transaction, and returns a note for the leader; `nil` where it has thrown.
    typealias Body = (borrowing WriteTransaction) -> (any Sendable)?

    let writer: CommitGroup.Writer
    /// What the leader is to know of the write once it is committed.
    private(set) var note: (any Sendable)?
    /// Goes before the thread is called: it refers to what lives on the thread's stack.
    private var body: Body?
    private let signal = DispatchSemaphore(value: 0)
    private var call = Call.again

    init(_ writer: CommitGroup.Writer, _ body: @escaping Body) {
        self.writer = writer
        self.body = body
    }

    /// Writes in the transaction of the leader, which calls this on its own thread.
    ///
    /// - Returns: Whether the body has succeeded.
    func write(in transaction: borrowing WriteTransaction) -> Bool {
        note = body?(transaction)
        return note != nil
    }

    /// Wakes the thread.
    func call(_ call: Call) {
        body = nil
        self.call = call
        signal.signal()
    }

    /// Waits to be called.
    func wait() -> Call {
        signal.wait()
        return call
    }
}
