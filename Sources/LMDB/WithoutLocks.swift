// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reading a file whose lock file cannot be written, as by a user who may only read.
///
/// LMDB's writers reuse no page that a reader listed in the lock file may read, and a reader that
/// is not listed cannot hold pages. So such a reader reads one commit, and only while no process
/// writes:
///
/// - It takes a shared lock on a byte far behind the end of the data file, for which reading it is
///   enough, and then looks for the mark of a writer. If there is one, it does not open the file.
/// - A writer makes its mark before its first commit and then looks for that lock. If it is taken,
///   a read transaction of the writer's keeps the pages of the commit before its own, until the
///   lock is gone or the writer closes the file.
/// - The reader begins no further transaction once there is another commit.
///
/// If both begin at the same time, one sees the other. This does not cover writers that do not
/// follow the protocol: other programs that use LMDB, and a writer that continues after the one
/// that kept the pages has closed the file. Transactions that are open then may read overwritten
/// pages.
enum WithoutLocks {
    /// Begins to read without locks.
    ///
    /// - Returns: The commit that may be read.
    /// - Throws: ``LMDBError`` with `cannotLock` while a process writes to the file.
    static func begin(_ handle: OpaquePointer, _ path: String) throws(LMDBError) -> UInt64 {
        var descriptor: Int32 = -1
        mdb_env_get_fd(handle, &descriptor)
        // If the file system has no locks, the mark alone has to suffice.
        _ = lock(descriptor).set(F_RDLCK)
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        guard !WriteMark.isHeld(path) else {
            end(descriptor)
            throw LMDBError(.cannotLock, path: path, during: "Opening the file")
        }
        return UInt64(info.me_last_txnid)
    }

    /// Ends reading without locks, also where a program that this process is starting still has
    /// the open file.
    static func end(_ descriptor: Int32) { _ = lock(descriptor).set(F_UNLCK) }

    /// Whether a process reads a data file without locks.
    static func isAnybodyReading(_ descriptor: Int32) -> Bool {
        lock(descriptor).isFree == false
    }

    private static func lock(_ descriptor: Int32) -> OpenFileLock {
        OpenFileLock(descriptor: descriptor, byte: 1 << 62)
    }
}

extension Environment {
    /// Keeps the pages of the newest commit if a process reads it without locks.
    ///
    /// Called with `writeLock` held, once the mark is made and before the first commit.
    func keepForReadersWithoutLocks() {
        guard keeper == nil, WithoutLocks.isAnybodyReading(descriptor) else { return }
        // If no slot is left, those readers fail with their next transaction.
        _ = beginReading(&keeper)
    }

    /// Lets LMDB use those pages again.
    func endKeeping() {
        guard let keeper else { return }
        mdb_txn_abort(keeper)
        self.keeper = nil
    }
}
