// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        pthread_getspecific(key) == context.toOpaque()
    }

    static func run<Result, Failure: Error>(
        _ context: NSManagedObjectContext, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
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

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        require(status == 0, "pthread_key_create returned \(status)")
        return key
    }()
}
