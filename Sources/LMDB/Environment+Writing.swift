// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension Environment {
    /// Writes: all of the body's changes are committed, or none.
    ///
    /// The transaction begins, is used and ends on the calling thread, which waits for
    /// other writers first, also those of other processes. When `body` throws, its
    /// changes are undone.
    ///
    /// When the map is full, the changes are undone, readers that died are cleared, every
    /// snapshot is asked to park, the map is doubled, and `body` **runs again**: it must
    /// not change anything outside the transaction that it cannot change twice. Where a
    /// snapshot or a read cannot be parked the write throws, nothing is lost, and the
    /// environment stays usable.
    ///
    /// Park a snapshot of the writing thread before the write, or give it a handler that
    /// works on that thread.
    ///
    /// A write inside a write on the same thread traps: it would wait for itself.
    ///
    /// - Parameters:
    ///   - durability: What to wait for; nil for the environment's own level.
    ///   - usesReserve: Whether the sixteenth above the data budget may be used, as by
    ///     writes that delete.
    ///   - body: Makes the changes. Cursors made in it must not leave it.
    /// - Returns: What `body` returned, once it is committed.
    /// - Throws: What `body` throws; ``LMDBError`` with `mapFull`, `snapshotInUse`, `readOnly`,
    ///   `fileIsGone`, `forked`, or an `errno` value such as `ENOSPC`.
    @discardableResult
    public func write<R>(
        durability: Durability? = nil, usesReserve: Bool = false,
        _ body: (borrowing WriteTransaction) throws -> R
    ) throws -> R {
        try asWriter {
            try writeAsWriter(durability ?? options.durability, usesReserve, body)
        }
    }

    /// Writes as the only writer of this process, which the caller is.
    func writeAsWriter<R>(
        _ durability: Durability, _ usesReserve: Bool,
        _ body: (borrowing WriteTransaction) throws -> R
    ) throws -> R {
        setDurability(durability)
        return try writeGrowing(usesReserve, body)
    }

    /// Runs a closure as the only writer of this process.
    func asWriter<R>(_ body: () throws -> R) throws -> R {
        let thread = try requireMayWrite()
        writeLock.lock()
        writer.store(thread, ordering: .relaxed)
        defer {
            writer.store(0, ordering: .relaxed)
            writeLock.unlock()
        }
        return try body()
    }

    /// Checks that the calling thread may begin to write; returns its number.
    func requireMayWrite() throws -> UInt {
        let thread = currentThread()
        require(
            writer.load(ordering: .relaxed) != thread,
            "a write inside a write of \(path): it would wait for itself")
        try checkUsable()
        guard !isReadOnly else { throw error(.readOnly, "Writing") }
        return thread
    }

    /// Tries the body until it commits, fails for another reason, or nothing can grow.
    private func writeGrowing<R>(
        _ usesReserve: Bool, _ body: (borrowing WriteTransaction) throws -> R
    ) throws -> R {
        var hasClearedReaders = false
        var hasReleasedPages = false
        while true {
            do {
                return try writeOnce(body)
            } catch {
                guard mapIsFull else { throw error }
                let cleared = try clearStaleReaders() > 0 && !hasClearedReaders
                hasClearedReaders = true
                if try grow(usesReserve: usesReserve) || cleared { continue }
                guard !hasReleasedPages, releasePages() else {
                    throw self.error(.mapFull, "Writing")
                }
                hasReleasedPages = true
            }
        }
    }

    /// Makes the pages that the last commit has freed usable by the next one.
    ///
    /// LMDB uses a page again in the second commit behind the one that has freed it. So what a
    /// program has deleted to make room is none until there was another commit: this one, which
    /// changes nothing. Nor is it while a snapshot sees it, so all that can be are parked.
    ///
    /// - Returns: Whether it was committed; it needs a few pages as well.
    private func releasePages() -> Bool {
        let name: [UInt8] = Array("released".utf8)
        do {
            try parkSnapshots(monotonicMilliseconds() + options.remapTimeoutMilliseconds)
            try writeOnce { transaction in
                var database = MDB_dbi()
                guard mdb_dbi_open(transaction.handle, nil, 0, &database) == MDB_SUCCESS else {
                    throw error(.mapFull, "Writing")
                }
                // SAFETY: LMDB reads the bytes during the calls.
                let isTouched = name.withUnsafeBytes { bytes in
                    var key = MDB_val(
                        mv_size: bytes.count,
                        mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
                    var none = MDB_val()
                    return mdb_put(
                        transaction.handle, database, &key, &none, UInt32(MDB_NOOVERWRITE))
                        == MDB_SUCCESS
                        && mdb_del(transaction.handle, database, &key, nil) == MDB_SUCCESS
                }
                guard isTouched else { throw error(.mapFull, "Writing") }
            }
            return true
        } catch {
            return false
        }
    }

    /// Runs one transaction.
    func writeOnce<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        mapIsFull = false
        // Only the holder of `writeLock` moves the map: it stays from here on.
        try checkUsable()
        // No other process can write to a file without a name.
        if !options.isTemporary { try WriterQueue.enter(descriptor, path) }
        defer { if !options.isTemporary { WriterQueue.leave(descriptor) } }
        try checkFileIsThere()
        clearStaleReadersIfDue()
        markAsOpen()
        let transaction = try beginWrite()
        let number = UInt64(mdb_txn_id(transaction))
        let start = monotonicMilliseconds()
        var openCursors = 0
        let result: R
        do {
            result = try withUnsafeMutablePointer(to: &openCursors) { counter in
                try body(WriteTransaction(handle: transaction, openCursors: counter))
            }
        } catch {
            checkCursors(openCursors)
            mdb_txn_abort(transaction)
            throw error
        }
        checkCursors(openCursors)
        // Before the commit, or a sync in between could go by unnoticed.
        if currentDurability == .none { unsynced.store(number, ordering: .releasing) }
        let status = commit(transaction, after: monotonicMilliseconds() - start)
        guard status == MDB_SUCCESS else {
            if status == MDB_MAP_FULL { mapIsFull = true }
            recoverFromFailedHeader(of: number)
            throw error(status, "Committing")
        }
        releasePagesIfGrown()
        return result
    }

    /// Commits; a body that took its time has many pages to write.
    private func commit(_ transaction: OpaquePointer, after milliseconds: Int) -> Int32 {
        guard milliseconds >= 4, currentDurability != .none else {
            return mdb_txn_commit(transaction)
        }
        return EarlyWriteback.during(descriptor) { _ in mdb_txn_commit(transaction) }
    }

    private func beginWrite() throws(LMDBError) -> OpaquePointer {
        var transaction: OpaquePointer?
        var status = mdb_txn_begin(handle, nil, 0, &transaction)
        if status == MDB_MAP_RESIZED {
            try adoptGrownMapLocked()
            status = mdb_txn_begin(handle, nil, 0, &transaction)
        }
        guard status == MDB_SUCCESS, let transaction else {
            throw error(status, "Beginning a write")
        }
        do throws(LMDBError) {
            try takeBackFailedHeader(before: UInt64(mdb_txn_id(transaction)))
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        return transaction
    }

    private func checkCursors(_ open: Int) {
        require(open == 0, "\(open) cursors outlived their write transaction of \(path)")
    }

    /// Sets LMDB's flags for the next commit.
    ///
    /// LMDB 0.9 has them per environment only.
    func setDurability(_ wanted: Durability) {
        guard wanted != currentDurability else { return }
        mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), wanted == .none ? 1 : 0)
        mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), wanted == .relaxed ? 1 : 0)
        currentDurability = wanted
    }
}
