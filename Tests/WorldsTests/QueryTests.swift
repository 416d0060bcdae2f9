// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

struct Position: ValueComponent, Equatable { var x, y: Float }
struct Velocity: ValueComponent, Equatable { var x, y: Float }
struct Health: ValueComponent, Equatable { var points: Int }
struct Frozen: ValueComponent {}
struct Large: ValueComponent, Equatable {
    var a, b, c, d, e, f, g, h: SIMD8<Double>
    init(_ value: Double) {
        a = SIMD8(repeating: value)
        (b, c, d, e, f, g, h) = (a, a, a, a, a, a, a)
    }
}

@Suite struct QueryTests {
    let world = World()

    @Test func a_query_visits_what_has_all_terms() {
        let moving = world.spawn(Position(x: 1, y: 2), Velocity(x: 10, y: 20))
        let resting = world.spawn(Position(x: 5, y: 6))
        world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
            position.x += velocity.x
            position.y += velocity.y
        }
        #expect(world[moving, Position.self] == Position(x: 11, y: 22))
        #expect(world[resting, Position.self] == Position(x: 5, y: 6))
    }

    @Test func terms_give_ids_optional_values_and_presence() {
        let first = world.spawn(Health(points: 1))
        let second = world.spawn(Health(points: 2), Position(x: 3, y: 4), Frozen())
        var seen: [String] = []
        world.query(GameObjectID.self, Health.self, Position?.self, Has<Frozen>.self).forEach {
            id, health, position, isFrozen in
            seen.append("\(id) \(health.points) \(position?.x ?? -1) \(isFrozen)")
        }
        #expect(seen == ["\(first) 1 -1.0 false", "\(second) 2 3.0 true"])
    }

    @Test func a_query_without_required_terms_visits_all_game_objects() {
        let ids = [world.spawn(), world.spawn(Health(points: 1)), world.spawn(Frozen())]
        #expect(world.query(GameObjectID.self).objects == ids)
        var points: [Int?] = []
        world.query(Health?.self).forEach { points.append($0?.points) }
        #expect(points == [nil, 1, nil])
    }

    @Test func an_optional_value_can_be_changed() {
        let first = world.spawn(Frozen(), Health(points: 1))
        let second = world.spawn(Frozen())
        world.query(Frozen.self, Mut<Health>?.self).forEach { _, health in
            health?.points += 5
        }
        #expect(world[first, Health.self] == Health(points: 6))
        #expect(world[second, Health.self] == nil)
    }

    @Test func filters_narrow_a_query() {
        let plain = world.spawn(Health(points: 1))
        let frozen = world.spawn(Health(points: 2), Frozen())
        let moving = world.spawn(Health(points: 3), Velocity(x: 0, y: 0))
        let both = world.spawn(Health(points: 4), Frozen(), Velocity(x: 0, y: 0))
        let all = world.query(Health.self)
        #expect(all.with(Frozen.self).objects == [frozen, both])
        #expect(all.without(Frozen.self).objects == [plain, moving])
        #expect(all.withAny(Frozen.self, Velocity.self).objects == [frozen, moving, both])
        #expect(all.with(Frozen.self).without(Velocity.self).objects == [frozen])
        #expect(all.count == 4)
        #expect(all.first == plain)
        #expect(all.single == nil)
        #expect(all.with(Frozen.self).with(Velocity.self).single == both)
        #expect(world.query(Position.self).isEmpty)
    }

    @Test func more_than_six_terms_are_a_wide_query() {
        let id = world.spawn(Position(x: 1, y: 2), Velocity(x: 3, y: 4), Health(points: 5))
        var seen: [Int] = []
        world.query(
            GameObjectID.self, Mut<Position>.self, Velocity.self, Health.self, Has<Frozen>.self,
            Large?.self, Health?.self
        ).forEach { object, position, velocity, health, isFrozen, large, same in
            #expect(object == id)
            #expect(large == nil && !isFrozen && same == Health(points: 5))
            position.x += velocity.x
            seen.append(health.points)
        }
        #expect(seen == [5])
        #expect(world[id, Position.self] == Position(x: 4, y: 2))
    }

    @Test func chunks_of_different_sizes_are_walked_together() {
        // 512 bytes a value: 64 rows a chunk beside 4,096 and 16,384.
        let ids = (0..<1_000).map { number in
            world.spawn(Large(Double(number)), Health(points: number))
        }
        for id in ids where id.rawValue % 3 == 0 { world[id, Frozen.self] = Frozen() }
        var sum = 0.0
        world.query(Large.self, Mut<Health>.self, Frozen.self).forEach { large, health, _ in
            sum += large.h[7]
            health.points = -1
        }
        let frozen = ids.indices.filter { ids[$0].rawValue % 3 == 0 }
        #expect(sum == Double(frozen.reduce(0, +)))
        #expect(world.query(Health.self).count == 1_000)
        for (number, id) in ids.enumerated() {
            let expected = id.rawValue % 3 == 0 ? -1 : number
            #expect(world[id, Health.self] == Health(points: expected))
        }
    }

    @Test func changed_and_added_mean_since_the_last_advance() {
        let old = world.spawn(Health(points: 1))
        let other = world.spawn(Health(points: 2))
        world.advance()
        #expect(world.query(Health.self).changed(Health.self).isEmpty)
        let new = world.spawn(Health(points: 3))
        world[old, Health.self]?.points = 10
        #expect(world.query(Health.self).changed(Health.self).objects == [old, new])
        #expect(world.query(Health.self).added(Health.self).objects == [new])
        world.advance()
        #expect(world.query(Health.self).changed(Health.self).isEmpty)
        world.query(Mut<Health>.self).with(Frozen.self).forEach { $0.points = 0 }
        #expect(world.query(Health.self).changed(Health.self).isEmpty)
        let before = world.tick
        world.advance()
        world.query(GameObjectID.self, Mut<Health>.self).forEach { id, health in
            if id == other { health.points += 1 }
        }
        // Whatever a loop visits as Mut counts as changed.
        let changed = world.query(Health.self).changed(Health.self, since: before)
        #expect(changed.objects == [old, other, new])
        #expect(world.query(Health.self).changed(Health.self, since: world.tick).isEmpty)
    }

    @Test func asking_does_not_change() {
        world.spawn(Health(points: 1))
        world.advance()
        let query = world.query(Mut<Health>.self)
        #expect(query.count == 1)
        #expect(query.objects.count == 1)
        #expect(query.changed(Health.self).isEmpty)
    }

    @Test func a_loop_ends_with_what_its_body_throws() {
        struct Stop: Error {}
        for number in 0..<10 { world.spawn(Health(points: number)) }
        var seen = 0
        #expect(throws: Stop.self) {
            try world.query(Health.self).forEach { health in
                seen += 1
                if health.points == 3 { throw Stop() }
            }
        }
        #expect(seen == 4)
        // The world may be changed again.
        world.spawn(Health(points: 11))
        #expect(world.query(Health.self).count == 11)
    }

    @Test func some_game_objects_are_visited_in_their_order() {
        let ids = (0..<100).map { world.spawn(Health(points: $0), Position(x: 0, y: 0)) }
        for id in ids[50...] { world.remove(Position.self, from: id) }
        world.advance()
        var seen: [Int] = []
        let wanted = [ids[70], ids[7], ids[49], ids[7], GameObjectID(rawValue: 1)]
        world.query(Mut<Health>.self, Position.self).forEach(in: wanted) { health, _ in
            seen.append(health.points)
            health.points += 1_000
        }
        #expect(seen == [7, 49, 1_007])
        #expect(world.query(Health.self).changed(Health.self).objects == [ids[7], ids[49]])
    }
}
