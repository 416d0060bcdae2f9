// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

@Suite struct CommandMemoryTests {
    @Test func applied_commands_leave_their_memory_to_the_next_ones() {
        let world = World()
        let commands = Commands(world)
        for number in 0..<100 { commands.spawn(Health(points: number)) }
        commands.apply()
        #expect(commands.isEmpty)
        #expect(commands.values.isEmpty)
        #expect(commands.entries.capacity >= 200)
        #expect(commands.values.capacity >= 800)
        // A closure's commands come behind those that are applied at the time.
        let order = Commands(world)
        // SAFETY: commands are applied on this thread.
        nonisolated(unsafe) let later = order
        order.run { _ in later.spawn(Health(points: 1_000)) }
        order.spawn(Health(points: 100))
        order.apply()
        #expect(order.isEmpty)
        #expect(world.query(Health.self).count == 102)
        var sum = 0
        world.query(Health.self).forEach { sum += $0.points }
        #expect(sum == 6_050)
    }

    @Test func the_memory_of_very_many_commands_goes() {
        let world = World()
        let commands = Commands(world)
        for number in 0..<20_000 { commands.spawn(Health(points: number)) }
        commands.apply()
        #expect(commands.entries.capacity == 0)
        #expect(world.count == 20_000)
    }
}
