// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Worlds

@Suite struct QueryLoopTests {
    @Test func a_parallel_loop_visits_each_match_once() {
        let world = World()
        let objects = world.spawnAll((0..<20_000).map { Health(points: $0) })
        for object in objects where object.rawValue % 3 == 0 { world.set(Frozen(), of: object) }
        world.advance()
        for threads in [1, 2, 4] {
            world.query(Mut<Health>.self, GameObjectID.self).without(Frozen.self)
                .parallelForEach(threads: threads) { health, _ in health.points += 1 }
        }
        var sum = 0
        world.query(Health.self).forEach { sum += $0.points }
        let visited = world.query(Health.self).without(Frozen.self).count
        #expect(sum == 19_999 * 10_000 + 3 * visited)
        #expect(world.query(Health.self).changed(Health.self).count == visited)
        let none = Atomic(0)
        world.query(Seen.self).parallelForEach { _ in none.add(1, ordering: .relaxed) }
        #expect(none.load(ordering: .relaxed) == 0)
    }

    @Test func a_system_may_loop_in_parallel() throws {
        let world = World()
        world.spawnAll((0..<5_000).map { Health(points: $0) })
        let schedule = Schedule()
        schedule.leastGain = 0
        schedule.add(
            System("grow", writing: Health.self) { context in
                context.query(Mut<Health>.self).parallelForEach(threads: 2) { $0.points += 2 }
            })
        schedule.add(System("idle") { _ in })
        try schedule.run(world)
        var sum = 0
        world.query(Health.self).forEach { sum += $0.points }
        #expect(sum == 4_999 * 2_500 + 10_000)
    }

    @Test func structural_changes_in_a_parallel_loop_trap() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world.spawn(Health(points: 1))
            // The only reference to the world, as the closure is called on this thread.
            nonisolated(unsafe) let unsafeWorld = world
            world.query(Health.self).parallelForEach(threads: 1) { _ in unsafeWorld.spawn() }
        }
    }

    @Test func chunks_are_runs_of_adjacent_values() {
        let world = World()
        let objects = world.spawnAll((0..<200).map { Health(points: $0) })
        world.set(Frozen(), of: objects[70])
        var runs: [String] = []
        world.query(Health.self).without(Frozen.self).forEachChunk { first, values in
            runs.append("\(first) \(values.count) \(values[0].points)")
        }
        #expect(runs == ["1/p1 70 0", "1/p72 129 71"])
    }

    @Test func chunks_of_leading_terms_may_be_changed() {
        let world = World()
        let object = world.spawn(Health(points: 1), Seen(count: 2), Log(digits: 3))
        world.advance()
        world.query(Mut<Health>.self).forEachChunk { health in health[0].points += 10 }
        world.query(Mut<Health>.self, Seen.self).forEachChunk { health, seen in
            for row in health.indices { health[row].points += 100 * seen[row].count }
        }
        world.query(Mut<Health>.self, Mut<Seen>.self).forEachChunk { health, seen in
            swap(&health[0].points, &seen[0].count)
        }
        world.query(Mut<Health>.self, Seen.self, Log.self).forEachChunk {
            first, health, seen, log in
            #expect(first == object)
            health[0].points += seen[0].count * log[0].digits
        }
        #expect(world[object, Health.self] == Health(points: 635))
        #expect(world[object, Seen.self] == Seen(count: 211))
        #expect(world.query(Seen.self).changed(Seen.self).count == 1)
        #expect(world.query(Log.self).changed(Log.self).count == 0)
    }

    @Test func a_sorted_loop_follows_keys_and_then_IDs() {
        let world = World()
        for points in [3, 1, 2, 1, 3] { world.spawn(Health(points: points)) }
        var visited: [String] = []
        world.query(Mut<Health>.self, GameObjectID.self).forEach(sortedBy: { health, _ in
            health.points
        }) { health, object in
            visited.append("\(object) \(health.points)")
            health.points = 0
        }
        #expect(visited == ["1/p2 1", "1/p4 1", "1/p3 2", "1/p1 3", "1/p5 3"])
        #expect(world.query(Health.self).objects.allSatisfy { world[$0, Health.self]?.points == 0 })
    }
}
