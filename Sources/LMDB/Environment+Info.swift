// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Environment {
    /// The state of the file and its map now.
    ///
    /// - Complexity: O(1), with one system call.
    public var info: EnvironmentInfo {
        var info = MDB_envinfo()
        // LMDB reads the header in its map; without one only the file's size and commit are known.
        do throws(LMDBError) {
            try withMap { _ = mdb_env_info(handle, &info) }
        } catch {
            info.me_last_txnid = Int(lastTransactionID)
        }
        var status = stat()
        let fileSizeBytes = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        return EnvironmentInfo(
            mapSizeBytes: info.me_mapsize, usedBytes: (info.me_last_pgno + 1) * pageSizeBytes,
            lastTransactionID: UInt64(info.me_last_txnid),
            readerSlotsUsed: Int(info.me_numreaders), maxReaders: Int(info.me_maxreaders),
            fileSizeBytes: fileSizeBytes)
    }

    /// Waits until everything committed so far is on the disk.
    ///
    /// Needed after commits with ``Durability/none``, before the file is renamed.
    ///
    /// - Throws: ``LMDBError`` with `readOnly`, or an `errno` value such as `EIO`.
    public func sync() throws(LMDBError) {
        try checkUsable()
        guard !isReadOnly else { throw error(.readOnly, "Syncing") }
        let newest = unsynced.load(ordering: .acquiring)
        let status = mdb_env_sync(handle, 1)
        guard status == MDB_SUCCESS else { throw error(status, "Syncing") }
        // Unless there was another commit meanwhile.
        _ = unsynced.compareExchange(expected: newest, desired: 0, ordering: .relaxed)
    }

    /// Frees the reader slots of processes that died, whose old commits pin free pages.
    ///
    /// - Returns: How many slots were freed.
    @discardableResult
    public func clearStaleReaders() throws(LMDBError) -> Int {
        try checkUsable()
        let (status, count) = clearDeadReaders()
        guard status == MDB_SUCCESS else { throw error(status, "Clearing dead readers") }
        return count
    }

    /// Copies the newest commit into a new file, without the free pages, and syncs it.
    ///
    /// Like a read, copying keeps old pages from being reused. Half-empty pages stay so. A copy
    /// that fails is deleted.
    ///
    /// LMDB's other kind of copy, with the free pages, stops writers for a moment by their mutex,
    /// outside the ``WriterQueue``, and takes over both headers, which need not fit the commit.
    ///
    /// - Parameter destination: The new file; it must not exist.
    /// - Throws: ``LMDBError`` with `EEXIST` where the destination exists, another `errno`
    ///   value, or `incompatible` where pages were lost and a copy is impossible.
    public func copy(to destination: String) throws(LMDBError) {
        require(
            writer.load(ordering: .relaxed) != currentThread(),
            "a copy of \(path) inside a write: it would wait for itself")
        try checkUsable()
        var status = stat()
        guard lstat(destination, &status) != 0 else {
            throw LMDBError(.init(rawValue: EEXIST), path: destination, during: "Copying")
        }
        var failure = try withGrownMapAdopted { () throws(LMDBError) in
            mdb_env_copy2(handle, destination, UInt32(MDB_CP_COMPACT))
        }
        if failure == MDB_SUCCESS { failure = FileSystem.sync(destination) }
        guard failure == MDB_SUCCESS else {
            if failure != EEXIST { unlink(destination) }
            throw LMDBError(.init(rawValue: failure), path: destination, during: "Copying")
        }
    }
}
