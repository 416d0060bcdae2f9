// SPDX-License-Identifier: Apache-2.0

import CoreData
import Foundation
import Testing
import _TestSupport

@testable import Orbits

/// Simulations that end without warning.
@Suite struct KilledSimulationTests {
    /// All values of all bodies, bit by bit, behind the numbers of the bodies and the tick.
    private func bits(_ simulation: Simulation) -> [UInt64] {
        var bits = [UInt64(simulation.tick)]
        simulation.world.query(GameObjectID.self, Position.self, Velocity.self, Mass.self).forEach {
            bits.append($0.rawValue)
            for value in [$1.x, $1.y, $2.x, $2.y, $3.amount] {
                bits.append(UInt64(value.bitPattern))
            }
        }
        return bits
    }

    @Test func one_that_was_killed_goes_on_bit_for_bit() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("KilledSimulationTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { removeAtExit(directory.path) }
        let whole = try Simulation(url: directory.appendingPathComponent("whole"), bodies: 5_000)
        try whole.run(ticks: 40, savingEvery: 1_000)
        #expect(whole.tick == 40)
        let path = directory.appendingPathComponent("killed").path
        for (start, end) in [(0, 13), (11, 14), (13, 29)] {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, start = start as Int, end = end as Int] in
                let simulation = try Simulation(url: URL(fileURLWithPath: path), bodies: 5_000)
                guard simulation.tick == start else { return }
                // In the middle of a tick: all positions are new, and the clock is not.
                simulation.world.observe(Position.self) { world, event in
                    if case .changed = event, world[resource: Clock.self]?.tick == end {
                        _ = kill(getpid(), SIGKILL)
                    }
                }
                try simulation.run(ticks: 1_000, savingEvery: 3)
            }
        }
        let rest = try Simulation(url: URL(fileURLWithPath: path), bodies: 5_000)
        #expect(rest.tick == 27)
        try rest.run(ticks: 40 - rest.tick, savingEvery: 3)
        #expect(rest.tick == 40)
        #expect(rest.world.count == whole.world.count)
        #expect(bits(rest) == bits(whole))
    }

    @Test func it_saves_as_often_as_it_is_told() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory).appendingPathComponent("orbits.lode")
            let simulation = try Simulation(url: url, bodies: 100)
            // The context tells of a save on the thread that saves, which is this one.
            nonisolated(unsafe) var ticks: [Int] = []
            // As above.
            nonisolated(unsafe) let running = simulation
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave,
                object: simulation.container.viewContext, queue: nil
            ) { _ in ticks.append(running.tick) }
            defer { NotificationCenter.default.removeObserver(token) }
            try simulation.run(ticks: 20, savingEvery: 5)
            #expect(ticks == [4, 9, 14, 19, 20])
        }
    }
}
