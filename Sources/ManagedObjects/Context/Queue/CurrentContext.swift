// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Traps

/// The context whose `perform` block a thread is in.
///
/// Kept by the system for each thread: Foundation's dictionary of a thread boxes keys and values,
/// which costs a fresh process more time than opening a store.
enum CurrentContext {
    static var innermost: NSManagedObjectContext? {
        pthread_getspecific(key).map {
            // SAFETY: `run` keeps the context alive while it is the current one.
            Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Whether the calling thread is in a block of a context, in which none of another one nests.
    // SAFETY: an address to compare: the context may be about to go.
    @inline(__always)
    static func isInnermost(_ context: Unmanaged<NSManagedObjectContext>) -> Bool {
        // 0 while no thread has entered a block.
        let known = known.load(ordering: .relaxed)
        return known != 0
            && pthread_getspecific(pthread_key_t(truncatingIfNeeded: known &- 1))
                == context.toOpaque()
    }

    static func run<Result, Failure: Error>(
        _ context: NSManagedObjectContext, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let key = self.key
        let outer = pthread_getspecific(key)
        // SAFETY: taken back before the context is let go of below.
        check(pthread_setspecific(key, Unmanaged.passUnretained(context).toOpaque()))
        defer {
            check(pthread_setspecific(key, outer))
            withExtendedLifetime(context) {}
        }
        return try body()
    }

    private static func check(_ status: Int32) {
        require(status == 0, "pthread_setspecific returned \(status)")
    }

    // Not the key itself: each use of one that is made when it is first used asks whether it was
    // made, and each object asks as it goes. A thread that is in a block has asked for the key, and
    // so finds it here.
    /// The key and one, 0 for none yet.
    private static let known = Atomic<UInt64>(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        require(status == 0, "pthread_key_create returned \(status)")
        known.store(UInt64(key) + 1, ordering: .relaxed)
        return key
    }()
}
