// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Work on several threads at the same time.
public enum ThreadGroup {
    /// Runs a body on each of several threads and waits for all.
    ///
    /// Threads, not a concurrent queue: that has as many as there are cores, and these wait for the
    /// disk.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - body: Gets the position of its thread.
    /// - Throws: The first error of any of them.
    public static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failure = Failure()
        let group = DispatchGroup()
        for position in 0..<count {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do { try body(position) } catch { failure.note(error) }
            }
        }
        group.wait()
        if let error = failure.first { throw error }
    }

    private final class Failure: Sendable {
        // Any of the threads may fail.
        private let error = Mutex<(any Error)?>(nil)

        var first: (any Error)? { error.withLock { $0 } }

        func note(_ error: any Error) {
            self.error.withLock { known in if known == nil { known = error } }
        }
    }
}
