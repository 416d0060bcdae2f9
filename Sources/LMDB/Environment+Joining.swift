// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension Environment {
    /// Writes as ``write(durability:usesReserve:_:)`` does, but may share the transaction with
    /// writes of other threads that come at the same time.
    ///
    /// They are committed together, so that all wait for the disk once. Each body runs on its own
    /// thread, one after the other, and sees what those before it have written. When one throws,
    /// or the commit fails, each of them **runs again** in a transaction of its own: what a write
    /// throws is its own fault.
    ///
    /// The writes of a transaction wait for each other. So a body should be short, and must not
    /// wait for anything that another thread may hold while it writes. Where commits do not wait
    /// for the disk, every write has its own transaction.
    ///
    /// - Parameters:
    ///   - owner: Only writes of the same owner share a transaction.
    ///   - body: Makes the changes. Its second parameter says whether it is the first one in the
    ///     transaction, which then holds nothing but the last commit.
    /// - Returns: What `body` returned, and how many writes the transaction was made of.
    /// - Throws: As ``write(durability:usesReserve:_:)``.
    package func writeJoining<R>(
        owner: AnyObject, _ body: (borrowing WriteTransaction, _ isFirst: Bool) throws -> R
    ) throws -> (result: R, memberCount: Int) {
        guard options.durability != .none, !options.isTemporary else {
            return (try write { try body($0, true) }, 1)
        }
        let writer = CommitGroup.Writer(
            owner: ObjectIdentifier(owner), thread: try requireMayWrite())
        guard let ticket = commitGroup.enter(writer) else { return try lead(writer, body) }
        switch ticket.wait() {
        case .lead: return try lead(writer, body)
        case .write(let access):
            if let answer = try follow(ticket, access, body) { return answer }
            return (try write { try body($0, true) }, 1)
        case .committed, .again: trap("a write of \(path) ended before its turn")
        }
    }

    /// Runs the body and those of the threads that have come meanwhile, and commits.
    private func lead<R>(
        _ leader: CommitGroup.Writer, _ body: (borrowing WriteTransaction, Bool) throws -> R
    ) throws -> (result: R, memberCount: Int) {
        defer { commitGroup.passOn() }
        return try asWriter {
            do {
                let result = try writeAsWriter(options.durability, false) { transaction in
                    // Members of a try before this one, after which the map has grown.
                    commitGroup.disband()
                    let result = try body(transaction, true)
                    try runMembers(leader, transaction)
                    return result
                }
                return (result, commitGroup.finish())
            } catch {
                commitGroup.disband()
                guard error is GroupFailed else { throw error }
                return (try writeAsWriter(options.durability, false) { try body($0, true) }, 1)
            }
        }
    }

    /// Lends the transaction to those who wait, until it comes back.
    private func runMembers(
        _ leader: CommitGroup.Writer, _ transaction: borrowing WriteTransaction
    ) throws {
        let access = CommitTicket.Access(
            handle: transaction.handle, openCursors: transaction.openCursors)
        guard lend(access, after: leader) else { return }
        let haveSucceeded = commitGroup.takeBack()
        writer.store(leader.thread, ordering: .relaxed)
        guard haveSucceeded else { throw GroupFailed() }
    }

    /// Runs a body in the transaction of another thread.
    ///
    /// - Returns: `nil` where the transaction was undone.
    private func follow<R>(
        _ ticket: CommitTicket, _ access: CommitTicket.Access,
        _ body: (borrowing WriteTransaction, Bool) throws -> R
    ) throws -> (result: R, memberCount: Int)? {
        var result: R?
        do {
            result = try body(
                WriteTransaction(handle: access.handle, openCursors: access.openCursors), false)
            if !lend(access, after: ticket.writer) { commitGroup.giveBack(hasFailed: false) }
        } catch {
            // It runs again in a transaction of its own, and throws what it throws there.
            commitGroup.giveBack(hasFailed: true)
        }
        guard case .committed(let count) = ticket.wait(), let result else { return nil }
        return (result, count)
    }

    private func lend(_ access: CommitTicket.Access, after writer: CommitGroup.Writer) -> Bool {
        commitGroup.lend(access, to: writer.owner) { next in
            self.writer.store(next.thread, ordering: .relaxed)
        }
    }
}

/// The body of a write in a group has thrown.
private struct GroupFailed: Error {}
