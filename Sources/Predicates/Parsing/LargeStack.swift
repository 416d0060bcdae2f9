// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A thread with a stack of its own size.
enum LargeStack {
    /// Runs a body on a new thread and waits for its end.
    ///
    /// - Parameter size: The size of the thread's stack, in bytes.
    /// - Returns: Whether there was such a thread; the body has not run otherwise.
    @discardableResult
    static func run(_ size: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setstacksize(&attributes, size) == 0 else { return false }
        var thread = pthread_t()
        // SAFETY: the thread takes this reference over; where there is none it is released here.
        let job = Unmanaged.passRetained(Job(body))
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                // SAFETY: this is the reference that was passed on, which the thread owns.
                Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, job.toOpaque())
        guard status == 0 else {
            job.release()
            return false
        }
        return pthread_join(thread, nil) == 0
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
