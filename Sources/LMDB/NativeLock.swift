// SPDX-License-Identifier: Apache-2.0

import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A mutual exclusion lock that may be taken in one function and left in another.
///
/// `Synchronization.Mutex` only offers a closure whose result has to be
/// sendable, which a write body's result need not be.
final class NativeLock: @unchecked Sendable {
    // SAFETY: a mutex is made for sharing. The pointer never changes, and only `deinit` frees it.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        require(status == 0, "pthread_mutex_init returned \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() {
        let status = pthread_mutex_lock(mutex)
        require(status == 0, "pthread_mutex_lock returned \(status)")
    }

    /// Takes the lock unless it is held.
    func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    func unlock() {
        let status = pthread_mutex_unlock(mutex)
        require(status == 0, "pthread_mutex_unlock returned \(status)")
    }

    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
