// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Worlds

private struct Age: ValueComponent { var years: Int }

/// Queries of more than six terms.
@Suite struct WideQueryTests {
    @Test func a_loop_of_more_than_six_terms_visits_each_match() {
        let world = World()
        let ids = (0..<5_000).map {
            world.spawn(
                Health(points: $0), Position(x: 1, y: 2), Velocity(x: 3, y: 4), Log(digits: 5))
        }
        for id in [ids[0], ids[63], ids[64], ids[4_999]] { world.set(Seen(count: 6), of: id) }
        world.set(Frozen(), of: ids[64])
        world.advance()
        var seen: [String] = []
        world.query(
            GameObjectID.self, Mut<Health>.self, Position.self, Velocity.self, Log.self, Seen.self,
            Has<Frozen>.self, Large?.self
        ).forEach { id, health, position, velocity, log, count, isFrozen, large in
            let sum = Int(position.x + position.y + velocity.x + velocity.y)
            seen.append("\(id) \(health.points) \(sum) \(log.digits) \(count.count) \(isFrozen)")
            if large == nil { health.points = -1 }
        }
        #expect(
            seen == [
                "1/p1 0 10 5 6 false", "1/p64 63 10 5 6 false", "1/p65 64 10 5 6 true",
                "1/p5000 4999 10 5 6 false",
            ])
        let changed = world.query(Health.self).changed(Health.self)
        #expect(changed.objects == [ids[0], ids[63], ids[64], ids[4_999]])
        #expect(world[ids[64], Health.self] == Health(points: -1))
    }

    /// A query of eight terms, of which the first is changed.
    private func wide(_ world: World) -> WideQuery<
        Mut<Health>, GameObjectID, Position, Velocity, Log, Seen, Has<Frozen>, Large?
    > {
        world.query(
            Mut<Health>.self, GameObjectID.self, Position.self, Velocity.self, Log.self, Seen.self,
            Has<Frozen>.self, Large?.self)
    }

    private func fill(_ world: World, _ count: Int) -> [GameObjectID] {
        (0..<count).map {
            world.spawn(
                Health(points: $0), Position(x: 1, y: 2), Velocity(x: 3, y: 4), Log(digits: 5),
                Seen(count: count - $0))
        }
    }

    @Test func a_parallel_loop_visits_each_match_once() {
        let world = World()
        let objects = fill(world, 20_000)
        for object in objects where object.rawValue % 3 == 0 { world.set(Frozen(), of: object) }
        world.advance()
        for threads in [1, 2, 4] {
            wide(world).without(Frozen.self).parallelForEach(threads: threads) {
                health, _, position, _, log, _, isFrozen, large in
                health.points += log.digits + Int(position.y)
                if isFrozen || large != nil { health.points = -1 }
            }
        }
        var sum = 0
        world.query(Health.self).forEach { sum += $0.points }
        let visited = 20_000 - world.query(Frozen.self).count
        #expect(visited == 13_333 && sum == 19_999 * 10_000 + 3 * 7 * visited)
        #expect(world.query(Health.self).changed(Health.self).count == visited)
    }

    @Test func a_sorted_loop_follows_keys_and_then_IDs() {
        let world = World()
        let objects = fill(world, 5)
        world.set(Seen(count: 9), of: objects[3])
        var visited: [String] = []
        wide(world).forEach(sortedBy: { _, _, _, _, _, seen, _, _ in seen.count / 3 }) {
            health, object, _, _, _, seen, _, _ in
            visited.append("\(object) \(health.points) \(seen.count)")
            health.points = 0
        }
        #expect(visited == ["1/p5 4 1", "1/p1 0 5", "1/p2 1 4", "1/p3 2 3", "1/p4 3 9"])
        #expect(objects.allSatisfy { world[$0, Health.self] == Health(points: 0) })
    }

    @Test func named_game_objects_are_visited_in_their_order() {
        let world = World()
        let objects = fill(world, 5_000)
        let bare = world.spawn(Health(points: 1))
        var visited: [Int] = []
        wide(world).forEach(in: [objects[4_000], bare, objects[3], objects[4_000]]) {
            health, _, _, _, _, _, _, _ in
            visited.append(health.points)
            health.points += 1
        }
        #expect(visited == [4_000, 3, 4_001])
    }

    @Test func a_system_may_have_more_than_six_terms() throws {
        let world = World()
        let objects = fill(world, 3)
        world.set(Frozen(), of: objects[1])
        let schedule = Schedule()
        schedule.add(
            "wide", Mut<Health>.self, GameObjectID.self, Position.self, Velocity.self, Log.self,
            Seen.self, Has<Frozen>.self, Large?.self
        ) { _, health, _, position, velocity, log, seen, _, _ in
            health.points += Int(position.x + velocity.y) + log.digits * seen.count
        }.without(Frozen.self)
        try schedule.run(world)
        #expect(world[objects[0], Health.self] == Health(points: 20))
        #expect(world[objects[1], Health.self] == Health(points: 1))
        #expect(world[objects[2], Health.self] == Health(points: 12))
        // What its terms are is declared: another system that writes one of them is in conflict.
        schedule.add("count", Mut<Seen>.self) { seen, _ in seen.count += 1 }
        schedule.add("age", Mut<Age>.self) { age, _ in age.years += 1 }
        #expect(try schedule.ambiguities().count == 1)
    }

    @Test func chunks_lend_their_terms_one_by_one() {
        let world = World()
        let objects = fill(world, 200)
        world.set(Frozen(), of: objects[70])
        world.advance()
        var runs: [String] = []
        wide(world).without(Frozen.self).forEachChunk { chunk in
            runs.append("\(chunk.firstObject) \(chunk.count)")
            chunk.change(Health.self) { health in
                chunk.read(Log.self) { logs in
                    chunk.read(Seen.self) { seen in
                        for row in health.indices {
                            health[row].points += logs[row].digits * seen[row].count
                        }
                    }
                }
            }
        }
        // A run ends with the chunk of a term, here of the optional one, whose chunks have 64 rows.
        #expect(runs == ["1/p1 63", "1/p64 7", "1/p72 56", "1/p128 64", "1/p192 9"])
        #expect(world[objects[0], Health.self] == Health(points: 1_000))
        #expect(world[objects[70], Health.self] == Health(points: 70))
        #expect(world[objects[199], Health.self] == Health(points: 204))
        #expect(world.query(Health.self).changed(Health.self).count == 199)
        #expect(world.query(Log.self).changed(Log.self).count == 0)
    }

    @Test func chunks_of_four_terms_lend_them_in_any_order() {
        let world = World()
        let objects = fill(world, 3)
        world.query(Log.self, Mut<Health>.self, Seen.self, Mut<Position>.self).forEachChunk {
            chunk in
            let digits = chunk.read(Log.self) { logs in
                chunk.read(Log.self) { $0[0].digits } + logs.count
            }
            chunk.change(Position.self) { positions in
                chunk.change(Health.self) { health in
                    for row in positions.indices {
                        positions[row].x = Float(health[row].points * digits)
                        health[row].points = 0
                    }
                }
            }
        }
        #expect(objects.map { world[$0, Position.self]?.x } == [0, 8, 16])
        #expect(objects.map { world[$0, Health.self]?.points } == [0, 0, 0])
    }

    @Test func a_chunk_lends_what_the_query_has_and_nothing_twice() async {
        await #expect(processExitsWith: .failure) {
            lend { _, chunk in chunk.read(Frozen.self) { _ in } }
        }
        await #expect(processExitsWith: .failure) {
            lend { _, chunk in chunk.read(Large.self) { _ in } }
        }
        await #expect(processExitsWith: .failure) {
            lend { _, chunk in chunk.change(Seen.self) { _ in } }
        }
        await #expect(processExitsWith: .failure) {
            lend { _, chunk in
                chunk.change(Health.self) { _ in chunk.read(Health.self) { _ in } }
            }
        }
        await #expect(processExitsWith: .failure) {
            lend { _, chunk in
                chunk.read(Health.self) { _ in chunk.change(Health.self) { _ in } }
            }
        }
    }

    @Test func what_a_chunk_lends_is_not_written_in_other_ways() async {
        await #expect(processExitsWith: .failure) {
            lend { world, _ in
                world.query(Mut<Health>.self).forEachChunk { _ in }
            }
        }
        await #expect(processExitsWith: .failure) {
            lend { world, chunk in world[chunk.firstObject, Health.self] = Health(points: 3) }
        }
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            world.query(Mut<Health>.self).forEachChunk { _ in
                world[object, Health.self] = Health(points: 3)
            }
        }
        lend { world, chunk in
            #expect(world.query(Health.self).count == 1)
            world.query(Mut<Log>.self).without(Health.self).forEach { $0.digits += 1 }
            world.query(Mut<Position>.self).forEachChunk { _ in }
            world[chunk.firstObject, Position.self]?.x = 3
        }
    }
}

/// Lends a chunk of a query that changes a health, reads another one, and has an optional term.
private func lend(_ body: (World, borrowing QueryChunk) -> Void) {
    let world = World()
    world.spawn(Health(points: 1), Seen(count: 2), Position(x: 1, y: 2))
    world.query(Mut<Health>.self, Seen.self, GameObjectID.self, Large?.self).forEachChunk {
        body(world, $0)
    }
    // It may be changed again.
    world.query(Mut<Health>.self).forEach { $0.points += 1 }
}
