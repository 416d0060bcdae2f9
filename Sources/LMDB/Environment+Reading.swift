// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension Environment {
    /// Reads from the newest commit.
    ///
    /// The transaction comes from a pool, so this costs some tens of nanoseconds. Nested
    /// reads are fine, and so are reads inside a write (they do not see its changes); but
    /// a write inside a read cannot move the map, should it have to.
    ///
    /// - Parameter body: Reads, and returns what it copied out. Cursors made in it must not
    ///   leave it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; ``LMDBError`` with `readersFull`, `mapResized` or `forked`.
    @inlinable
    public func read<R>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        let slot = try beginRead()
        defer { endRead(slot) }
        return try body(slot.transaction)
    }

    /// Takes a read transaction from the pool.
    @usableFromInline
    func beginRead() throws(LMDBError) -> ActiveRead {
        let thread = currentThread()
        try checkUsable()
        var slot = try enter(as: thread)
        var status = renew(slot)
        if status != MDB_SUCCESS {
            status = try recover(from: status, &slot, thread)
        }
        guard status == MDB_SUCCESS, let transaction = slot.pointee.transaction else {
            pool.end(slot)
            leave(slot)
            throw error(status, "Beginning a read")
        }
        return ActiveRead(
            slot: slot, handle: transaction, openCursors: ReadSlot.openCursors(of: slot))
    }

    /// Gives a read transaction back to the pool.
    @usableFromInline
    func endRead(_ read: ActiveRead) {
        let open = read.openCursors.pointee
        require(open == 0, "\(open) cursors outlived their read transaction of \(path)")
        // A forked child must not touch the parent's reader slot.
        guard forkGeneration == ForkGuard.generation else { return }
        mdb_txn_reset(read.handle)
        leave(read.slot)
    }

    /// Claims a slot; waits while the map moves.
    private func enter(
        as thread: UInt
    ) throws(LMDBError) -> UnsafeMutablePointer<ReadSlot> {
        while true {
            guard let slot = pool.claim(for: thread) else {
                throw error(.readersFull, "Beginning a read")
            }
            if mayUseMap(thread, except: slot) { return slot }
            leave(slot)
            try awaitMap()
        }
    }

    private func leave(_ slot: UnsafeMutablePointer<ReadSlot>) {
        slot.pointee.owner.store(0, ordering: .sequentiallyConsistent)
    }

    private func renew(_ slot: UnsafeMutablePointer<ReadSlot>) -> Int32 {
        guard let transaction = slot.pointee.transaction else {
            return beginReading(&slot.pointee.transaction)
        }
        return mdb_txn_renew(transaction)
    }

    /// Handles a failed begin: adopts a map that another process grew, or frees readers.
    private func recover(
        from failure: Int32, _ slot: inout UnsafeMutablePointer<ReadSlot>, _ thread: UInt
    ) throws(LMDBError) -> Int32 {
        pool.end(slot)
        switch failure {
        case MDB_MAP_RESIZED:
            leave(slot)
            try adoptGrownMap()
            slot = try enter(as: thread)
        case MDB_READERS_FULL:
            clearDeadReaders()
            pool.drain(by: thread)
        case MDB_PANIC: return withoutPanic { renew(slot) }
        default: return failure
        }
        return renew(slot)
    }

    /// Tries to begin for as long as a writer may need to get over a commit that failed.
    func withoutPanic(_ begin: () -> Int32) -> Int32 {
        var status = MDB_PANIC
        var attempts = 1000
        while status == MDB_PANIC, attempts > 0 {
            pauseBriefly()
            status = begin()
            attempts -= 1
        }
        return status
    }
}

/// A pooled read transaction in use.
@frozen
@usableFromInline
struct ActiveRead {
    let slot: UnsafeMutablePointer<ReadSlot>
    @usableFromInline let handle: OpaquePointer
    @usableFromInline let openCursors: UnsafeMutablePointer<Int>

    @inlinable var transaction: ReadTransaction {
        ReadTransaction(handle: handle, openCursors: openCursors)
    }
}
