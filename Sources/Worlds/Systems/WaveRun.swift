// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One run of systems that do not conflict.
struct WaveRun {
    private let systems: [System]

    init(_ systems: [System]) { self.systems = systems }

    /// Runs the systems, on several threads if that probably saves time.
    ///
    /// - Parameters:
    ///   - threads: The most threads.
    ///   - leastGain: The nanoseconds that the threads must save, going by the last run.
    func run(threads: Int, leastGain: UInt64) {
        guard systems.count > 1 else {
            for system in systems { WaveRun.call(system) }
            return
        }
        var sum: UInt64 = 0
        var longest: UInt64 = 0
        for system in systems {
            sum += system.duration
            longest = max(longest, system.duration)
        }
        if threads > 1, sum - longest >= leastGain {
            runSideBySide(min(threads, systems.count))
        } else {
            var time = DispatchTime.now().uptimeNanoseconds
            for system in systems {
                WaveRun.call(system)
                let end = DispatchTime.now().uptimeNanoseconds
                system.duration = end &- time
                time = end
            }
        }
    }

    private static func call(_ system: System) {
        guard let context = system.context else { return }
        for _ in 0..<system.repetitions {
            system.run(context)
            // The next step of a fixed time must not see the same changes again.
            context.lastRun = context.world.now
        }
    }

    private func runSideBySide(_ threads: Int) {
        let gate = TurnGate(count: systems.count)
        for (place, system) in systems.enumerated() {
            system.context?.commands.turn = (gate, place)
        }
        let next = Atomic(0)
        // SAFETY: each system is taken by one thread, as `next` gives a place once. The threads
        // share the world, in which they change only values of columns that one system alone has
        // declared; rows and columns stay as they are while `World.isParallel` is set, and rows for
        // new game objects are taken in turn, see `TurnGate`. This thread waits for all of them.
        nonisolated(unsafe) let systems = systems
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                // Ascending places: a system waits for its turn only for systems that have begun.
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < systems.count else { return }
                let start = DispatchTime.now().uptimeNanoseconds
                WaveRun.call(systems[place])
                systems[place].duration = DispatchTime.now().uptimeNanoseconds &- start
                gate.end(place)
            }
        }
        for system in systems { system.context?.commands.turn = nil }
    }
}
