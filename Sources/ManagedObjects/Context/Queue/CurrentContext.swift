// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime

/// The context whose `perform` block a thread is in.
///
/// Kept in a variable of the thread: each object asks as it goes, and Foundation's dictionary of a
/// thread boxes keys and values, which costs a fresh process more time than opening a store.
enum CurrentContext {
    @inline(__always)
    static var innermost: NSManagedObjectContext? {
        lode_innermost_context().map {
            // SAFETY: `run` keeps the context alive while it is the current one.
            Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Whether the calling thread is in a block of a context, in which none of another one nests.
    // SAFETY: an address to compare: the context may be about to go.
    @inline(__always)
    static func isInnermost(_ context: Unmanaged<NSManagedObjectContext>) -> Bool {
        lode_is_innermost_context(context.toOpaque())
    }

    static func run<Result, Failure: Error>(
        _ context: NSManagedObjectContext, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = lode_innermost_context()
        // SAFETY: taken back before the context is let go of below.
        lode_set_innermost_context(Unmanaged.passUnretained(context).toOpaque())
        defer {
            lode_set_innermost_context(outer)
            withExtendedLifetime(context) {}
        }
        return try body()
    }
}
