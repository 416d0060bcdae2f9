// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The queue in which the writers of a file wait: a lock that the kernel passes on.
///
/// LMDB's writers wait for a robust mutex in shared memory, which survives the death of its owner,
/// but not that of a waiter: if a process is killed after the mutex has woken it and before it has
/// the mutex, and a third one takes the mutex meanwhile, the others sleep on although it is free,
/// until another process has to wait for it. (Linux wakes the next one only where the mutex is free
/// at the time of the death: `handle_futex_death`, condition 2, in kernel/futex.)
///
/// So at most one writer at a time goes on to LMDB's mutex. The lock is on a byte far behind the
/// end of the data file, belongs to the open file, and goes with the process, however that ends.
/// It costs a write two calls of the system, some 1.5 microseconds.
enum WriterQueue {
    /// Waits for the other writers.
    ///
    /// If the file system or the system has no such locks, LMDB's mutex has to suffice.
    ///
    /// - Parameters:
    ///   - descriptor: The data file, open for writing.
    ///   - path: Its path, for the error.
    /// - Throws: ``LMDBError`` with an `errno` value, such as `ENOLCK` where the system has no room
    ///   for a further lock.
    static func enter(_ descriptor: Int32, _ path: String) throws(LMDBError) {
        while true {
            if lock(descriptor).wait(F_WRLCK) { return }
            switch errno {
            case EINTR: continue
            case EINVAL, ENOSYS, EOPNOTSUPP: return
            default:
                throw LMDBError(
                    .init(rawValue: errno), path: path, during: "Waiting for other writers")
            }
        }
    }

    /// Lets the next writer go on.
    static func leave(_ descriptor: Int32) {
        // If the lock cannot be released now, it is released after the next write.
        _ = lock(descriptor).set(F_UNLCK)
    }

    /// Whether another writer writes, or waits for LMDB's mutex.
    static func isTaken(_ descriptor: Int32) -> Bool { lock(descriptor).isFree == false }

    private static func lock(_ descriptor: Int32) -> OpenFileLock {
        // The byte before it is the one of readers without locks.
        OpenFileLock(descriptor: descriptor, byte: (1 << 62) + 1)
    }
}
