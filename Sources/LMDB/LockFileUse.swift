// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A sign on a data file that says which lock file is used with it.
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
enum LockFileUse {
    /// The bytes that stand for lock files; what lies above has other uses.
    private static let bytes: Range<off_t> = (1 << 61)..<(1 << 62)

    /// Says which lock file an environment of LMDB's uses.
    ///
    /// If the system has no such locks, nothing is known of others.
    ///
    /// - Throws: ``LMDBError`` with `otherLockFile` if others use another one.
    static func begin(_ handle: OpaquePointer, _ path: String) throws(LMDBError) {
        let descriptor = dataFile(of: handle)
        let lockFile = lode_lock_file(handle)
        guard lockFile >= 0, let identity = FileIdentity(descriptor: lockFile) else { return }
        let own = byte(of: identity)
        guard OpenFileLock(descriptor: descriptor, byte: own).set(F_RDLCK) else { return }
        // Above the own byte there is always one more.
        let others = [bytes.lowerBound..<own, own + 1..<bytes.upperBound]
        for range in others where !range.isEmpty {
            let lock = OpenFileLock(
                descriptor: descriptor, byte: range.lowerBound, length: off_t(range.count))
            if lock.isFree == false {
                throw LMDBError(.otherLockFile, path: path, during: "Opening the file")
            }
        }
    }

    /// Takes the sign away, just before the environment is closed.
    ///
    /// Closing alone would leave it for as long as others have the open file: each program that
    /// this process starts has it until its own code runs, also if another thread starts it.
    static func end(_ handle: OpaquePointer) {
        let all = OpenFileLock(
            descriptor: dataFile(of: handle), byte: bytes.lowerBound, length: off_t(bytes.count))
        _ = all.set(F_UNLCK)
    }

    private static func dataFile(of handle: OpaquePointer) -> Int32 {
        var descriptor: Int32 = -1
        mdb_env_get_fd(handle, &descriptor)
        return descriptor
    }

    private static func byte(of lockFile: FileIdentity) -> off_t {
        // The same in each process; the multiplier spreads neighbours over all bytes.
        let mixed = (lockFile.inode ^ lockFile.device << 40) &* 0x9E37_79B9_7F4A_7C15
        return bytes.lowerBound + off_t(mixed >> 4)
    }
}
