// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension Environment {
    /// Writes as ``write(durability:usesReserve:_:)`` does, but may share the transaction with
    /// writes of other threads that come at the same time.
    ///
    /// They are committed together, so that all wait for the disk once. The bodies run one after
    /// the other on the thread that came first, while their own threads wait, and each sees what
    /// those before it have written. When one throws, the map is full, or the commit fails, each of
    /// them **runs again** in a transaction of its own: what a write throws is its own fault.
    ///
    /// The writes of a transaction wait for each other. So a body should be short, and must not
    /// wait for anything that another thread may hold while it writes. Where commits do not wait
    /// for the disk, every write has its own transaction.
    ///
    /// - Parameters:
    ///   - owner: Only writes of the same owner share a transaction.
    ///   - body: Makes the changes. Its second parameter says whether it is the first one in the
    ///     transaction, which then holds nothing but the last commit. Beside its result it returns
    ///     a note of what it has written.
    ///   - didCommit: Gets the notes of all bodies, in order, before any of the writes returns.
    ///     Only that of the first write is called.
    /// - Returns: What `body` returned, and how many writes the transaction was made of.
    /// - Throws: As ``write(durability:usesReserve:_:)``.
    package func writeJoining<R, Note: Sendable>(
        owner: AnyObject,
        _ body: (borrowing WriteTransaction, _ isFirst: Bool) throws -> (result: R, note: Note),
        didCommit: ([Note]) -> Void
    ) throws -> (result: R, memberCount: Int) {
        func alone() throws -> (result: R, memberCount: Int) {
            let written = try write { try body($0, true) }
            didCommit([written.note])
            return (written.result, 1)
        }
        guard options.durability != .none, !options.isTemporary else { return try alone() }
        let writer = CommitGroup.Writer(
            owner: ObjectIdentifier(owner), thread: try requireMayWrite())
        // The usual case, without what a line takes.
        if commitGroup.leads(writer) { return try lead(writer, body, didCommit) }
        return try withoutActuallyEscaping(body) { body in
            var result: R?
            let ticket = commitGroup.enter(writer) { transaction in
                // What it throws, it throws again in a transaction of its own.
                guard let written = try? body(transaction, false) else { return nil }
                result = written.result
                return written.note
            }
            guard let ticket else { return try lead(writer, body, didCommit) }
            switch ticket.wait() {
            case .lead: return try lead(writer, body, didCommit)
            case .committed(let count):
                guard let result else { trap("a write of \(path) was committed without a run") }
                return (result, count)
            case .again: return try alone()
            }
        }
    }

    /// Runs the body and those of the threads that have come meanwhile, and commits.
    private func lead<R, Note: Sendable>(
        _ leader: CommitGroup.Writer,
        _ body: (borrowing WriteTransaction, Bool) throws -> (result: R, note: Note),
        _ didCommit: ([Note]) -> Void
    ) throws -> (result: R, memberCount: Int) {
        defer { commitGroup.passOn() }
        return try asWriter {
            do {
                setDurability(options.durability)
                let written = try writeOnce { transaction in
                    let written = try body(transaction, true)
                    try runMembers(leader, transaction)
                    return written
                }
                var notes = [written.note]
                for note in commitGroup.notes {
                    guard let note = note as? Note else {
                        trap("writes of one owner that share a commit differ in their notes")
                    }
                    notes.append(note)
                }
                didCommit(notes)
                return (written.result, commitGroup.finish())
            } catch {
                // The map does not grow for a group: its members wait with their snapshots.
                let isFault = error is GroupFailed && !mapIsFull
                guard commitGroup.disband(pauses: isFault) || mapIsFull else { throw error }
                let written = try writeAsWriter(options.durability, false) { try body($0, true) }
                didCommit([written.note])
                return (written.result, 1)
            }
        }
    }

    /// Runs the bodies of those who wait, until the commit is due.
    private func runMembers(
        _ leader: CommitGroup.Writer, _ transaction: borrowing WriteTransaction
    ) throws {
        while let next = commitGroup.next(of: leader.owner) {
            guard next.write(in: transaction) else { throw GroupFailed() }
        }
    }
}

/// The body of a write in a group has thrown.
private struct GroupFailed: Error {}
