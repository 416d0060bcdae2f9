// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Worlds

@Suite struct ComponentIndexTests {
    let world = World()

    @Test func equal_keys_and_ranges_are_found() {
        let ids = world.spawnAll([5, 3, 9, 3, 7].map { Health(points: $0) })
        let index = world.index(Health.self, by: \.points)
        #expect(index.objects(3) == [ids[1], ids[3]])
        #expect(index.objects(4) == [])
        #expect(index.objects(in: 3..<7) == [ids[1], ids[3], ids[0]])
        #expect(index.objects(in: 3...7) == [ids[1], ids[3], ids[0], ids[4]])
        #expect(index.objects(in: 7...) == [ids[4], ids[2]])
        #expect(index.objects(in: ..<5) == [ids[1], ids[3]])
        #expect(index.objects(in: ...5) == [ids[1], ids[3], ids[0]])
        #expect(index.count(in: 0...100) == 5)
    }

    @Test func all_ways_of_changing_are_followed() {
        let ids = world.spawnAll([5, 3, 9].map { Health(points: $0) })
        let index = world.index(Health.self, by: \.points)
        #expect(index.objects(5) == [ids[0]])
        world[ids[0], Health.self]?.points = 6
        #expect(index.objects(5) == [])
        #expect(index.objects(6) == [ids[0]])
        world.query(Mut<Health>.self).forEach { $0.points += 1 }
        #expect(index.objects(in: 0...100) == [ids[1], ids[0], ids[2]])
        #expect(index.objects(6) == [])
        world.remove(Health.self, from: ids[1])
        #expect(index.objects(4) == [])
        world[ids[1], Health.self] = Health(points: 4)
        #expect(index.objects(4) == [ids[1]])
        world.despawn(ids[2])
        #expect(index.objects(10) == [])
        let new = world.spawn(Health(points: 10))
        #expect(index.objects(10) == [new])
        world.despawn([ids[0], ids[1], new])
        #expect(index.count(in: 0...100) == 0)
    }

    @Test func queries_are_narrowed_by_an_index() {
        let ids = world.spawnAll(
            (0..<3_000).map { Health(points: $0 % 100) },
            (0..<3_000).map { Position(x: Float($0), y: 0) })
        world.remove(Position.self, from: ids[7])
        let index = world.index(Health.self, by: \.points)
        let query = world.query(Position.self, GameObjectID.self).with(index, 7)
        #expect(query.count == 29)
        #expect(query.first == ids[107])
        #expect(world.query(Health.self).with(index, in: 98...).count == 60)
        world[ids[107], Health.self]?.points = 8
        #expect(query.first == ids[207])
    }

    @Test func a_key_that_equals_nothing_is_in_no_range() {
        let ids = world.spawnAll([1, Float.nan, 2].map { Position(x: $0, y: 0) })
        let index = world.index(Position.self, by: \.x)
        #expect(index.objects(in: (-Float.infinity)...) == [ids[0], ids[2]])
        #expect(index.objects(.nan) == [])
        #expect(world.query(Position.self).with(index, .nan).isEmpty)
        world[ids[1], Position.self]?.x = 0
        world[ids[0], Position.self]?.x = .nan
        #expect(index.objects(in: (-Float.infinity)...) == [ids[1], ids[2]])
    }

    @Test func a_loop_may_ask_a_current_index() {
        let ids = world.spawnAll([5, 3].map { Health(points: $0) })
        world.add(Position(x: 0, y: 0), to: ids[0])
        let index = world.index(Health.self, by: \.points)
        index.refresh()
        var found: [[GameObjectID]] = []
        world.query(Mut<Position>.self).forEach { _ in found.append(index.objects(3)) }
        #expect(found == [[ids[1]]])
    }

    @Test func a_loop_that_asks_for_what_it_changes_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world.spawn(Health(points: 1))
            let index = world.index(Health.self, by: \.points)
            index.refresh()
            world.query(Mut<Health>.self).forEach { _ in _ = index.objects(1) }
        }
    }

    @Test func a_key_that_advances_the_world_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world.spawn(Health(points: 1))
            let index = world.index(Health.self) { (health: Health) -> Int in
                world.advance()
                return Int(health.points)
            }
            index.refresh()
        }
    }

    @Test func a_loop_that_asks_after_a_removal_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            let index = world.index(Health.self, by: \.points)
            index.refresh()
            world.despawn(object)
            world.query(GameObjectID.self).forEach { _ in }
            world.spawn()
            world.query(GameObjectID.self).forEach { _ in _ = index.objects(1) }
        }
    }

    @Test func an_index_of_another_world_traps() async {
        await #expect(processExitsWith: .failure) {
            let (world, other) = (World(), World())
            other.spawn(Health(points: 1))
            _ = world.query(Health.self).with(other.index(Health.self, by: \.points), 1).count
        }
    }

    @Test func empty_chunks_are_left_out() {
        let first = world.spawnAll((0..<20).map { Health(points: $0) })
        world.rows.skip(upTo: 1 << 24)
        let last = world.spawn(Health(points: 7))
        let index = world.index(Health.self, by: \.points)
        #expect(index.objects(7) == [first[7], last])
        #expect(index.slots == [0, 4_096])
        world.despawn(first)
        #expect(index.objects(7) == [last])
        #expect(index.slots == [4_096])
        world.despawn(last)
        #expect(index.objects(7) == [])
        #expect(index.slots == [])
        let new = world.spawn(Health(points: 7))
        #expect(index.objects(7) == [new])
    }

    @Test func a_look_up_takes_each_change_in_once() {
        let ids = world.spawnAll((0..<1_000).map { Health(points: $0) })
        var made = 0
        let index = world.index(Health.self) { (health: Health) -> Int in
            made += 1
            return health.points
        }
        #expect(index.objects(7) == [ids[7]])
        made = 0
        for id in ids { world[id, Health.self]?.points += 1 }
        #expect(index.objects(7) == [ids[6]])
        #expect(made == 1_000)
        #expect(index.objects(8) == [ids[7]])
        #expect(made == 1_000)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func an_index_finds_what_a_search_finds(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ids = Array(world.spawnAll((0..<2_000).map { Health(points: $0 % 50) }))
        let index = world.index(Health.self, by: \.points)
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                let place = Int.random(in: 0..<ids.count, using: &random)
                let points = Int.random(in: 0..<50, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: ids.append(world.spawn(Health(points: points)))
                case 1: world.remove(Health.self, from: ids[place])
                case 2: world.despawn(ids.remove(at: place))
                default: world[ids[place], Health.self] = Health(points: points)
                }
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                world.query(Mut<Health>.self).forEach { $0.points = ($0.points + 1) % 50 }
            }
            let low = Int.random(in: 0..<50, using: &random)
            var expected: [(points: Int, id: GameObjectID)] = []
            world.query(Health.self, GameObjectID.self).forEach { health, id in
                if (low..<low + 5).contains(health.points) { expected.append((health.points, id)) }
            }
            expected.sort { ($0.points, $0.id) < ($1.points, $1.id) }
            #expect(index.objects(in: low..<low + 5) == expected.map(\.id))
        }
    }
}
