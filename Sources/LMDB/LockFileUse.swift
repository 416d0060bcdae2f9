// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Signs on a data file and its lock file that say which of them are used together.
///
/// A lock file belongs to a path. A data file with two names, as hard links are, has two; and if
/// someone deletes the lock file while a process has the data file open, the next process makes
/// another one. Processes with different lock files do not see each other's writers and readers:
/// one would overwrite the commits of the other.
///
/// So whoever uses a lock file keeps a shared lock on a byte of the data file, far behind its end,
/// that stands for the lock file, and then looks for locks on the bytes of other lock files. If
/// there is one, the file is not opened. The kernel gives the lock back when the file is closed,
/// also by the death of the process.
///
/// A path, in turn, may get another data file, as where a backup is moved over a file that a
/// process has open. The lock file holds the number of the newest commit, from which LMDB takes the
/// header to read and to write next: by the number of another file a process would read an old
/// commit, and use pages again that newer ones need. So there is such a lock on a byte of the lock
/// file, too, that stands for the data file. Where the lock file is that of another one, it is
/// taken away, and the next attempt makes a new one. Those that have the former file open keep
/// theirs.
enum LockFileUse {
    /// The bytes that stand for files; what lies above has other uses.
    private static let bytes: Range<off_t> = (1 << 61)..<(1 << 62)

    /// Says which lock file an environment of LMDB's uses.
    ///
    /// If the system has no such locks, nothing is known of others.
    ///
    /// - Returns: Whether the environment may be used; false where others use the lock file with
    ///   another data file, or where the path has got another file meanwhile. Another attempt may
    ///   succeed.
    /// - Throws: ``LMDBError`` with `otherLockFile` if others use another one, and with
    ///   `replacedWhileOpen` where the lock file of another data file cannot be deleted.
    static func begin(_ handle: OpaquePointer, _ path: String) throws(LMDBError) -> Bool {
        let descriptor = dataFile(of: handle)
        let lockFile = lode_lock_file(handle)
        guard lockFile >= 0, let lockIdentity = FileIdentity(descriptor: lockFile),
            let identity = FileIdentity(descriptor: descriptor)
        else { return true }
        let isHere = {
            FileIdentity(path: path) == identity
                && FileIdentity(path: path + LockFile.suffix) == lockIdentity
        }
        // Before the sign on the data file: others would be refused because of it.
        guard isAlone(lockFile, with: identity) else {
            if isHere() { try deleteLockFile(lockFile, of: identity, path) }
            return false
        }
        guard isHere() else { return false }
        guard isAlone(descriptor, with: lockIdentity) else {
            guard isHere() else { return false }
            throw LMDBError(.otherLockFile, path: path, during: "Opening the file")
        }
        return isHere()
    }

    /// Signs a file as used with another one, and looks for signs of use with any third one.
    private static func isAlone(_ descriptor: Int32, with other: FileIdentity) -> Bool {
        let own = byte(of: other)
        guard OpenFileLock(descriptor: descriptor, byte: own).set(F_RDLCK) else { return true }
        // Above the own byte there is always one more.
        return [bytes.lowerBound..<own, own + 1..<bytes.upperBound].allSatisfy { range in
            range.isEmpty
                || OpenFileLock(
                    descriptor: descriptor, byte: range.lowerBound, length: off_t(range.count)
                ).isFree != false
        }
    }

    /// Deletes the lock file of a data file that had this path before.
    ///
    /// Not while others use it with the data file that is here, or are just trying that: then one
    /// of the others, or the next attempt, comes to it.
    private static func deleteLockFile(
        _ descriptor: Int32, of dataFile: FileIdentity, _ path: String
    ) throws(LMDBError) {
        guard OpenFileLock(descriptor: descriptor, byte: byte(of: dataFile)).isFree == true,
            unlink(path + LockFile.suffix) != 0, errno != ENOENT
        else { return }
        throw LMDBError(.replacedWhileOpen, path: path, during: "Opening the file")
    }

    /// Takes the signs away, just before the environment is closed.
    ///
    /// Closing alone would leave them for as long as others have the open files: each program that
    /// this process starts has them until its own code runs, also if another thread starts it.
    static func end(_ handle: OpaquePointer) {
        for descriptor in [dataFile(of: handle), lode_lock_file(handle)] where descriptor >= 0 {
            let all = OpenFileLock(
                descriptor: descriptor, byte: bytes.lowerBound, length: off_t(bytes.count))
            _ = all.set(F_UNLCK)
        }
    }

    private static func dataFile(of handle: OpaquePointer) -> Int32 {
        var descriptor: Int32 = -1
        mdb_env_get_fd(handle, &descriptor)
        return descriptor
    }

    private static func byte(of file: FileIdentity) -> off_t {
        // The same in each process; the multiplier spreads neighbours over all bytes.
        let mixed = (file.inode ^ file.device << 40) &* 0x9E37_79B9_7F4A_7C15
        return bytes.lowerBound + off_t(mixed >> 4)
    }
}
