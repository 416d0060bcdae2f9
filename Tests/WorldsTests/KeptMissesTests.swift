// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Worlds

/// What queries keep of blocks without a match.
@Suite struct KeptMissesTests {
    let world = World()

    /// Runs a query to its end.
    ///
    /// - Returns: The blocks without a match, and whether the run knew them before.
    private func misses(_ query: some WorldQuery) -> (count: Int, areKnown: Bool) {
        let run = QueryRun(query.__shape)
        defer { run.end() }
        while run.nextBlock() {}
        return (run.misses.count, run.knowsMisses)
    }

    /// Game objects that have one of two components by turns.
    private func spawn(_ count: Int) -> [GameObjectID] {
        let ids = Array(world.spawnAll(count: count))
        for (place, id) in ids.enumerated() {
            if place % 2 == 0 {
                world[id, Large.self] = Large(1)
            } else {
                world[id, Health.self] = Health(points: 1)
            }
        }
        return ids
    }

    @Test func a_loop_in_vain_is_not_walked_again() {
        let ids = spawn(4_095)
        let query = world.query(Large.self, Health.self)
        // Values of 512 bytes lie in blocks of 64 rows, and row 0 is of no game object.
        #expect(misses(query) == (64, false))
        #expect(misses(query) == (64, true))
        // Values that change say nothing about it, nor do other components.
        world[ids[0], Large.self] = Large(2)
        world.query(Mut<Health>.self).forEach { $0.points += 1 }
        world.spawnAll([Position(x: 1, y: 1)])
        #expect(misses(query) == (64, true))
        world[ids[1_000], Health.self] = Health(points: 5)
        #expect(misses(query) == (63, false))
        #expect(misses(query) == (63, true))
        #expect(query.objects == [ids[1_000]])
        world[ids[1_000], Large.self] = nil
        #expect(misses(query) == (64, false))
        #expect(query.objects == [])
    }

    @Test func other_columns_and_filters_are_other_queries() {
        let ids = spawn(4_095)
        let query = world.query(GameObjectID.self).with(Large.self).with(Health.self)
        #expect(misses(query).areKnown == false)
        #expect(misses(query.without(Frozen.self)).areKnown == false)
        #expect(misses(query.withAny(Frozen.self, Position.self)).areKnown == false)
        #expect(misses(query.withAny(Frozen.self, Velocity.self)).areKnown == false)
        #expect(misses(query).areKnown)
        #expect(misses(query.without(Frozen.self)).areKnown)
        // What is narrowed further has no match in these blocks either.
        #expect(misses(query.changed(Large.self)).areKnown)
        // But it says nothing about others.
        let large = world.query(GameObjectID.self).with(Large.self)
        world.advance()
        #expect(misses(large.changed(Large.self)) == (0, false))
        world[ids[2_000], Large.self] = Large(3)
        #expect(large.changed(Large.self).objects == [ids[2_000]])
        #expect(large.objects.count == 2_048)
    }

    @Test func few_misses_are_not_kept() {
        _ = spawn(447)
        let query = world.query(Large.self, Health.self)
        #expect(misses(query) == (7, false))
        #expect(misses(query) == (7, false))
    }

    @Test func the_queries_that_were_walked_last_are_kept() {
        _ = spawn(4_095)
        let query = world.query(Large.self).with(Health.self)
        func narrowed(_ number: Int) -> Query<Terms1<Large>> {
            (0..<number).reduce(query) { query, _ in query.without(Frozen.self) }
        }
        for number in 0..<40 { #expect(misses(narrowed(number)).areKnown == false) }
        for number in 8..<40 { #expect(misses(narrowed(number)).areKnown) }
        #expect(misses(narrowed(7)).areKnown == false)
    }
}

/// Queries between changes of all kinds, beside a look at each game object.
@Suite struct RandomMatchTests {
    @Test(arguments: 0..<6) func a_query_finds_what_a_look_at_each_finds(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = World()
        var ids = Array(world.spawnAll(count: 3_000))
        let follower = world.copy()
        var known = 0
        for step in 0..<250 {
            let id = ids[Int.random(in: 0..<ids.count, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: world[id, Large.self] = Large(Double(step))
            case 2..<4: world[id, Health.self] = Health(points: step)
            case 4: world[id, Large.self] = nil
            case 5: world[id, Health.self] = nil
            case 6: world.add(Frozen(), to: id)
            case 7: world.despawn(id)
            case 8: ids += world.spawnAll((0..<70).map { Health(points: $0) })
            case 9: ids.append(world.spawn(Large(3), Health(points: 2)))
            case 10: try follower.apply(world.diff(from: follower))
            default: world.advance()
            }
            ids.removeAll { !world.isAlive($0) }
            check(world, ids, &known)
            check(follower, ids.filter(follower.isAlive), &known)
        }
        #expect(known > 200)
    }

    private func check(_ world: World, _ ids: [GameObjectID], _ known: inout Int) {
        let run = QueryRun(world.query(Large.self, Health.self).__shape)
        while run.nextBlock() {}
        run.end()
        if run.knowsMisses { known += 1 }
        let both = ids.filter { world.has(Large.self, $0) && world.has(Health.self, $0) }
        #expect(world.query(Large.self, Health.self).objects == both)
        #expect(
            world.query(Large.self).without(Health.self).objects
                == ids.filter { world.has(Large.self, $0) && !world.has(Health.self, $0) })
        #expect(
            world.query(Large.self).withAny(Health.self, Frozen.self).objects
                == ids.filter {
                    world.has(Large.self, $0)
                        && (world.has(Health.self, $0) || world.has(Frozen.self, $0))
                })
    }
}
