// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The blocks that wait for their turn in a context, first come, first served.
///
/// The order is kept here, not by a dispatch queue: a main-queue context's blocks may run on one
/// queue or the other, depending on whether anybody serves the main queue.
final class JobQueue: Sendable {
    private struct State {
        var jobs: [UncheckedTransfer<() -> Void>?] = []
        var first = 0
    }

    // Any thread adds jobs; the one that is inside the context takes them.
    private let state = Mutex(State())

    func append(_ job: UncheckedTransfer<() -> Void>) {
        state.withLock { $0.jobs.append(job) }
    }

    func next() -> UncheckedTransfer<() -> Void>? {
        state.withLock { state in
            guard state.first < state.jobs.count else { return nil }
            let job = state.jobs[state.first]
            state.jobs[state.first] = nil
            state.first += 1
            if state.first == state.jobs.count {
                state.jobs.removeAll(keepingCapacity: state.first < 64)
                state.first = 0
            }
            return job
        }
    }
}
