// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A number for the calling thread, never zero.
func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}

/// Gives up the processor for a short while: 50 microseconds.
func pauseBriefly() {
    usleep(50)
}

/// Milliseconds of a clock that never goes back.
func monotonicMilliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}

/// Counts the forks between the first process and this one.
///
/// `getpid` is a system call; comparing this number costs one load.
enum ForkGuard {
    private static let forks = Atomic<UInt32>(0)
    private static let isInstalled: Bool = {
        let status = pthread_atfork(nil, nil, { ForkGuard.forks.add(1, ordering: .relaxed) })
        require(status == 0, "pthread_atfork returned \(status)")
        return true
    }()

    /// Starts counting; has to be called before ``generation`` means anything.
    static func install() {
        _ = isInstalled
    }

    /// The number of forks so far.
    static var generation: UInt32 {
        forks.load(ordering: .relaxed)
    }
}
