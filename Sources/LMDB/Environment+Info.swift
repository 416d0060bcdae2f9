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
}
