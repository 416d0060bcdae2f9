// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The queue for the lock of LMDB's table of readers: a lock that the kernel passes on.
///
/// The table has a mutex as writers have one, with the same weakness: a process that is killed just
/// as it was woken may leave others asleep, see ``WriterQueue``. That takes two that sleep at the
/// same time. LMDB takes the mutex where a read transaction gets a slot of its own, and where slots
/// of dead processes are cleared; so at most one thread at a time of all processes goes on to that.
/// A transaction keeps its slot, so reads and moving snapshots do not come here.
///
/// Two others may take the mutex without the queue. The writer that comes after one that was killed
/// clears slots, inside LMDB's lock for writers; their own queue lets in one at a time. And a copy
/// gets its slot inside the one call that also copies, which is too long to keep readers waiting.
/// So two sleep at the same time only if a writer takes over from a killed one, a copy begins and a
/// reader gets a slot, all within the microseconds for which the mutex is held. And one of the two
/// would have to be killed right then for the other one to sleep on.
///
/// The lock is on a byte far behind the end of the lock file, which readers can write, too. It
/// costs two calls of the system, some 1.5 microseconds.
enum ReaderQueue {
    /// Runs calls of LMDB that may take the mutex, in the queue.
    ///
    /// If the system has no such locks, or no room for one more, LMDB's mutex has to suffice.
    static func during<R>(_ handle: OpaquePointer, _ body: () -> R) -> R {
        let descriptor = lode_lock_file(handle)
        let isQueued = descriptor >= 0 && enter(descriptor)
        defer { if isQueued { leave(descriptor) } }
        return body()
    }

    /// Waits for the others.
    ///
    /// - Returns: False where there is no such lock.
    static func enter(_ descriptor: Int32) -> Bool {
        while !lock(descriptor).wait(F_WRLCK) {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Lets the next one go on.
    static func leave(_ descriptor: Int32) { _ = lock(descriptor).set(F_UNLCK) }

    /// Whether another one is in the queue.
    static func isTaken(_ descriptor: Int32) -> Bool { lock(descriptor).isFree == false }

    private static func lock(_ descriptor: Int32) -> OpenFileLock {
        // LMDB has locks on the first byte and on those of the numbers of processes.
        OpenFileLock(descriptor: descriptor, byte: (1 << 62) + 2)
    }
}

extension Environment {
    /// Runs calls of LMDB that may take the lock of its table of readers.
    func inReaderQueue<R>(_ body: () -> R) -> R {
        // The lock of the file is the same for all threads.
        slotLock.withLock {
            // No other process can read a file without a name.
            options.isTemporary ? body() : ReaderQueue.during(handle, body)
        }
    }

    /// Begins a read transaction with a slot of its own; returns a status of LMDB's.
    func beginReading(_ transaction: inout OpaquePointer?) -> Int32 {
        inReaderQueue { mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction) }
    }

    /// Frees the slots of readers that died; returns a status of LMDB's and how many there were.
    @discardableResult
    func clearDeadReaders() -> (status: Int32, count: Int) {
        var cleared: Int32 = 0
        let status = inReaderQueue { mdb_reader_check(handle, &cleared) }
        return (status, Int(cleared))
    }
}
