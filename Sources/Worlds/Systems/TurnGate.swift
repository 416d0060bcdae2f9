// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Lets systems that run side by side do something in the order of the schedule.
///
/// A system that waits stands still until all systems in front of it have ended. Those have started
/// before it, each on a thread of its own, and wait only for others further in front; so none waits
/// for ever.
final class TurnGate: Sendable {
    private struct State {
        /// The systems in front of this place have all ended.
        var open = 0
        var ended: [Bool]
        var waiting: [(place: Int, signal: DispatchSemaphore)] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(ended: .init(repeating: false, count: count))) }

    /// Waits until the systems in front of a place have ended.
    func wait(for place: Int) {
        let signal = state.withLock { state -> DispatchSemaphore? in
            guard state.open < place else { return nil }
            let signal = DispatchSemaphore(value: 0)
            state.waiting.append((place, signal))
            return signal
        }
        signal?.wait()
    }

    /// Notes that the system at a place has ended.
    func end(_ place: Int) {
        state.withLock { state in
            state.ended[place] = true
            while state.open < state.ended.count, state.ended[state.open] { state.open += 1 }
            let open = state.open
            for waiter in state.waiting where waiter.place <= open { waiter.signal.signal() }
            state.waiting.removeAll { $0.place <= open }
        }
    }
}
