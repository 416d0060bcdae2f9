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
    /// - Throws: ``LMDBError`` with `otherLockFile` if others use another one, and with an `errno`
    ///   value such as `EACCES`, or `replacedWhileOpen`, where the lock file of another data file
    ///   cannot be deleted.
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
        guard sign(lockFile, as: identity) else { return false }
        // Who had the lock file with another one may have closed it since LMDB has read its number.
        let isKnown =
            isAlone(lockFile, with: identity)
            && (numbersAgree(handle) || isVouchedFor(lockFile, with: identity))
        guard isKnown else {
            if isHere() { try deleteLockFile(lockFile, of: identity, path) }
            return false
        }
        guard isHere() else { return false }
        guard sign(descriptor, as: lockIdentity) else { return false }
        // One that came with the lock file of a former data file, and was overtaken as that was
        // deleted, takes its sign away at once.
        for _ in 0..<2_000 {
            let isAlone = isAlone(descriptor, with: lockIdentity)
            guard isHere() else { return false }
            if isAlone { return true }
            pauseBriefly()
        }
        throw LMDBError(.otherLockFile, path: path, during: "Opening the file")
    }

    /// Signs a file as used with another one.
    ///
    /// - Returns: False while someone is about to delete it; true also where there are no locks.
    private static func sign(_ descriptor: Int32, as other: FileIdentity) -> Bool {
        let isSigned = OpenFileLock(descriptor: descriptor, byte: byte(of: other)).set(F_RDLCK)
        return isSigned || (errno != EAGAIN && errno != EACCES)
    }

    /// Whether nobody has signed a file as used with a third one.
    private static func isAlone(_ descriptor: Int32, with other: FileIdentity) -> Bool {
        let own = byte(of: other)
        // Above the own byte there is always one more.
        return [bytes.lowerBound..<own, own + 1..<bytes.upperBound].allSatisfy { range in
            range.isEmpty
                || OpenFileLock(
                    descriptor: descriptor, byte: range.lowerBound, length: off_t(range.count)
                ).isFree != false
        }
    }

    /// Whether the number in the lock file is that of the data file's newest commit.
    private static func numbersAgree(_ handle: OpaquePointer) -> Bool {
        // Others may be just between writing the one and the other.
        (0..<3).contains { _ in numbersAgreeNow(handle) }
    }

    private static func numbersAgreeNow(_ handle: OpaquePointer) -> Bool {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        var reader: OpaquePointer?
        let status = ReaderQueue.during(handle) {
            mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &reader)
        }
        // Without a slot nothing is known, and nothing can be read either.
        guard status == MDB_SUCCESS, let reader else { return true }
        defer { mdb_txn_abort(reader) }
        return mdb_txn_id(reader) == info.me_last_txnid
    }

    /// Whether others go on using both files together, though the number is another one: within a
    /// commit it is behind for a moment, and where a commit failed at its end, or its process was
    /// killed there, until the next one.
    ///
    /// Those who are just opening the files do not count, so the own sign is away meanwhile.
    private static func isVouchedFor(_ lockFile: Int32, with dataFile: FileIdentity) -> Bool {
        let sign = OpenFileLock(descriptor: lockFile, byte: byte(of: dataFile))
        guard sign.set(F_UNLCK) else { return true }
        for _ in 0..<20 {
            if sign.isFree == true { return false }
            pauseBriefly()
        }
        return sign.set(F_RDLCK)
    }

    /// Deletes the lock file of a data file that had this path before, and makes an empty one for
    /// the same users.
    ///
    /// Not while others use it with the data file that is here, or are just trying that: then one
    /// of the others, or the next attempt, comes to it. While it is deleted, nobody can begin to.
    private static func deleteLockFile(
        _ descriptor: Int32, of dataFile: FileIdentity, _ path: String
    ) throws(LMDBError) {
        let name = path + LockFile.suffix
        guard OpenFileLock(descriptor: descriptor, byte: byte(of: dataFile)).set(F_WRLCK),
            FileIdentity(path: name) == FileIdentity(descriptor: descriptor)
        else { return }
        guard unlink(name) == 0 || errno == ENOENT else {
            let code: LMDBError.Code =
                [EACCES, EPERM, EROFS].contains(errno)
                ? .init(rawValue: errno) : .replacedWhileOpen
            throw LMDBError(
                code, path: path,
                during: "Deleting the lock file of another file that had this path")
        }
        LockFile.makeAnew(name, like: descriptor)
    }

    /// Closes an environment and takes its signs away, in this order: while LMDB holds its lock,
    /// others take over the number in the lock file, and the signs tell them of what file it is.
    ///
    /// Closing alone would leave them for as long as others have the open files: each program that
    /// this process starts has them until its own code runs, also if another thread starts it.
    static func closeEnvironment(_ handle: OpaquePointer) {
        let copies = [dataFile(of: handle), lode_lock_file(handle)].filter { $0 >= 0 }
            .map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        mdb_env_close(handle)
        for descriptor in copies where descriptor >= 0 {
            let all = OpenFileLock(
                descriptor: descriptor, byte: bytes.lowerBound, length: off_t(bytes.count))
            _ = all.set(F_UNLCK)
            close(descriptor)
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
