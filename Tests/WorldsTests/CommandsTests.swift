// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

@Suite struct CommandsTests {
    @Test func commands_wait_for_their_application() {
        let world = World()
        let object = world.spawn(Health(points: 1), Frozen())
        let commands = Commands(world)
        world.query(GameObjectID.self, Health.self).forEach { object, _ in
            commands.set(Health(points: 2), of: object)
            commands.add(Position(x: 3, y: 4), Seen(count: 5), to: object)
            commands.remove(Frozen.self, from: object)
            let child = commands.spawn(Health(points: 6), Frozen())
            commands.set(Seen(count: 7), of: child)
        }
        #expect(world.count == 1)
        #expect(world[object, Health.self] == Health(points: 1))
        commands.apply()
        #expect(commands.isEmpty)
        #expect(world.count == 2)
        #expect(world[object, Health.self] == Health(points: 2))
        #expect(world[object, Position.self] == Position(x: 3, y: 4))
        #expect(world.componentNames(of: object) == ["Health", "Position", "Seen"])
        let child = world.query(GameObjectID.self).with(Frozen.self).single
        #expect(child.flatMap { world[$0, Seen.self] } == Seen(count: 7))
    }

    @Test func an_ID_is_valid_at_once_and_alive_later() {
        let world = World()
        let commands = Commands(world)
        let first = commands.spawn()
        let second = commands.spawn(Health(points: 1))
        #expect([first, second].map(\.description) == ["1/p1", "1/p2"])
        #expect(!world.isAlive(first))
        commands.despawn(first)
        commands.apply()
        #expect(!world.isAlive(first))
        #expect(world.isAlive(second))
        // The rows of commands and those of the world do not meet.
        let third = world.spawn()
        #expect(Set([first, second, third, commands.spawn()]).count == 4)
    }

    @Test func what_is_gone_is_ignored_where_that_is_harmless() {
        let world = World()
        let object = world.spawn(Health(points: 1))
        let commands = Commands(world)
        commands.despawn(object)
        commands.despawn(object)
        commands.remove(Health.self, from: object)
        commands.set(Health(points: 2), ifAlive: object)
        commands.set(Health(points: 2), ifAlive: GameObjectID(rawValue: 77))
        commands.apply()
        #expect(world.count == 0)
        #expect(world.query(Health.self).count == 0)
    }

    @Test func closures_run_in_the_order_of_the_calls() {
        let world = World()
        let object = world.spawn(Log(digits: 1))
        let commands = Commands(world)
        func append(_ digit: Int) {
            commands.run { world in
                let digits = world[object, Log.self]?.digits ?? 0
                world[object, Log.self] = Log(digits: digits * 10 + digit)
            }
        }
        append(2)
        append(3)
        commands.set(Log(digits: 9), of: object)
        append(4)
        commands.apply()
        #expect(world[object, Log.self] == Log(digits: 94))
    }

    @Test func commands_of_systems_are_applied_in_the_order_of_the_schedule() throws {
        let world = World()
        let object = world.spawn(Log(digits: 0))
        let schedule = Schedule()
        for digit in 1...3 {
            schedule.add(
                System("s\(digit)") { context in
                    for _ in 0..<2 {
                        context.commands.run { world in
                            let digits = world[object, Log.self]?.digits ?? 0
                            world[object, Log.self] = Log(digits: digits * 10 + digit)
                        }
                    }
                })
        }
        schedule.systems[0].after("s3")
        try schedule.run(world)
        #expect(world[object, Log.self] == Log(digits: 223_311))
    }

    @Test func an_ID_that_others_have_used_up_is_not_given_again() throws {
        let world = World()
        let other = world.copy()
        let commands = Commands(world)
        #expect(commands.spawn().description == "1/p1")
        commands.apply()
        let ids = other.spawnAll(count: 3)
        other.advance()
        try world.apply(other.diff(since: 0))
        #expect(world.count == 3)
        other.despawn(ids[1])
        other.despawn(ids[2])
        try world.apply(other.diff(since: other.lastAdvance))
        #expect(world.count == 1)
        #expect(commands.spawn().description == "1/p4")
        commands.apply()
        #expect(world.count == 2)
        #expect(!world.isAlive(ids[1]))
        // Also what came and went between two states, and without commands.
        other.advance()
        let short = other.spawnAll(count: 30)
        other.despawn(short)
        try world.apply(other.diff(since: other.lastAdvance))
        #expect(short.last?.description == "1/p33")
        #expect(commands.spawn().description == "1/p34")
        #expect(world.spawn().description == "1/p50")
    }

    @Test func an_object_that_others_have_brought_is_not_made_again() throws {
        let world = World()
        let other = world.copy()
        let commands = Commands(world)
        let first = commands.spawn(Health(points: 1))
        let second = commands.spawn(Health(points: 2))
        #expect(Array(other.spawnAll(count: 2)) == [first, second])
        other.advance()
        try world.apply(other.diff(since: 0))
        other.despawn(second)
        try world.apply(other.diff(since: other.lastAdvance))
        commands.set(Seen(count: 3), of: second)
        commands.apply()
        #expect(world.count == 1)
        #expect(world.query(GameObjectID.self).objects == [first])
        #expect(world[first, Health.self] == Health(points: 1))
        #expect(world.query(Health.self).count == 1)
        #expect(world.query(Seen.self).count == 0)
        // The same where a command brings the changes, and within a run of a schedule.
        let third = commands.spawn(Health(points: 3))
        let copy = other.copy()
        #expect(copy.spawn() == third)
        let changes = copy.diff(from: other)
        let late = Commands(world)
        late.run { world in
            do { try world.apply(changes) } catch { Issue.record("\(error)") }
        }
        let fourth = late.spawn(Health(points: 4))
        late.apply()
        commands.apply()
        #expect(world.query(GameObjectID.self).objects == [first, third, fourth])
        #expect(world.count == 3)
    }

    @Test func setting_what_is_gone_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            let commands = Commands(world)
            commands.despawn(object)
            commands.set(Health(points: 2), of: object)
            commands.apply()
        }
    }

    @Test func applying_in_a_loop_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world.spawn(Health(points: 1))
            let commands = Commands(world)
            world.query(Health.self).forEach { _ in commands.apply() }
        }
    }
}
