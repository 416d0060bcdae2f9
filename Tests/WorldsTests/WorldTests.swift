// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

@Suite struct WorldTests {
    let world = World()

    @Test func values_come_change_and_go() {
        let object = world.spawn()
        #expect(world[object, Health.self] == nil)
        world[object, Health.self] = Health(points: 1)
        #expect(world[object, Health.self] == Health(points: 1))
        world[object, Health.self]?.points += 1
        #expect(world[object, Health.self] == Health(points: 2))
        world.add(Position(x: 1, y: 2), Frozen(), to: object)
        #expect(world.has(Frozen.self, object))
        #expect(world.componentNames(of: object) == ["Health", "Position", "Frozen"])
        world[object, Health.self] = nil
        #expect(!world.has(Health.self, object))
        #expect(!world.remove(Health.self, from: object))
        #expect(world.remove(Frozen.self, from: object))
        #expect(world.componentNames(of: object) == ["Position"])
    }

    @Test func a_despawned_id_stays_invalid() {
        let object = world.spawn(Health(points: 1))
        #expect(world.isAlive(object))
        #expect(world.despawn(object))
        #expect(!world.despawn(object))
        #expect(!world.isAlive(object))
        #expect(world[object, Health.self] == nil)
        let next = world.spawn(Health(points: 2))
        #expect(next != object)
        #expect(world[object, Health.self] == nil)
        #expect(world.count == 1)
    }

    @Test func an_id_of_another_kind_is_nothing() {
        world.spawn(Health(points: 1))
        let foreign = GameObjectID(rawValue: 77 << 48 | 1)
        #expect(!world.isAlive(foreign))
        #expect(world[foreign, Health.self] == nil)
        #expect(!world.despawn(foreign))
        #expect("\(foreign)" == "77/p1")
    }

    @Test func many_are_spawned_from_arrays() {
        world.spawn(Health(points: -1))
        let healths = (0..<10_000).map { Health(points: $0) }
        let positions = (0..<10_000).map { Position(x: Float($0), y: 0) }
        let tags = Array(repeating: Frozen(), count: 10_000)
        let ids = world.spawnAll(healths, positions, tags)
        #expect(ids.count == 10_000)
        #expect(world.count == 10_001)
        #expect(world[ids[0], Health.self] == Health(points: 0))
        #expect(world[ids[9_999], Position.self] == Position(x: 9_999, y: 0))
        #expect(world.query(Health.self, Position.self, Frozen.self).count == 10_000)
        var sum = 0
        world.query(Health.self).forEach { sum += $0.points }
        #expect(sum == 9_999 * 10_000 / 2 - 1)
        #expect(world.spawnAll([Health]()).isEmpty)
        #expect(world.spawnAll(count: 0).isEmpty)
    }

    @Test func removed_values_are_remembered_for_two_ticks() {
        let first = world.spawn(Health(points: 1))
        let second = world.spawn(Health(points: 2))
        world.remove(Health.self, from: first)
        world.despawn(second)
        let removals = world.removals(of: Health.self)
        #expect(removals.map(\.object) == [first, second])
        #expect(removals.map(\.value) == [Health(points: 1), Health(points: 2)])
        world.advance()
        #expect(world.removals(of: Health.self).isEmpty)
        #expect(world.removals(of: Health.self, since: 0).count == 2)
        world.advance()
        #expect(world.removals(of: Health.self, since: 0).isEmpty)
    }

    @Test func observers_hear_what_happened_in_a_stated_order() {
        var log: [String] = []
        let token = world.observe(Health.self) { _, event in
            switch event {
            case .added(let id, let health): log.append("added \(id) \(health.points)")
            case .changed(let id, let health): log.append("changed \(id) \(health.points)")
            case .removed(let id, let health): log.append("removed \(id) \(health.points)")
            }
        }
        let first = world.spawn(Health(points: 1))
        let second = world.spawn(Health(points: 2))
        world[first, Health.self]?.points = 3
        #expect(log.isEmpty)
        world.advance()
        #expect(log == ["added \(first) 3", "added \(second) 2"])
        log = []
        world[second, Health.self]?.points = 5
        world.remove(Health.self, from: first)
        let third = world.spawn(Health(points: 7))
        let fourth = world.spawn(Health(points: 8))
        world.despawn(fourth)
        world.deliverEvents()
        #expect(
            log == [
                "removed \(first) 3", "removed \(fourth) 8", "added \(third) 7",
                "changed \(second) 5",
            ])
        log = []
        world.advance()
        #expect(log.isEmpty)
        world.removeObserver(token)
        world.spawn(Health(points: 9))
        world.advance()
        #expect(log.isEmpty)
    }

    @Test func what_an_observer_does_is_told_the_next_time() {
        var seen: [Int] = []
        world.observe(Health.self) { world, event in
            guard case .added(_, let health) = event else { return }
            seen.append(health.points)
            if health.points < 3 { world.spawn(Health(points: health.points + 1)) }
        }
        world.spawn(Health(points: 1))
        world.advance()
        #expect(seen == [1])
        world.advance()
        #expect(seen == [1, 2])
        world.advance()
        world.advance()
        #expect(seen == [1, 2, 3])
    }

    @Test func a_type_is_described_by_its_fields() {
        struct Inner: BitwiseCopyable { var a: UInt8, b: Double }
        struct Outer: ValueComponent { var inner: Inner, id: GameObjectID, flag: Bool }
        let type = ComponentType(Outer.self)
        #expect(type.name == "Outer")
        #expect(type.size == 25)
        #expect(type.stride == 32)
        #expect(type.fields == "inner.a:UInt8@0 inner.b:Double@8 id:GameObjectID@16 flag:Bool@24")
        #expect(ComponentType(Frozen.self).stride == 0)
    }

    @Test(arguments: [
        (0, 14, 2_048 + 48), (1, 14, 2_048 + 48 + 16_384), (4, 13, 33_840), (8, 12, 33_328),
        (12, 12, 49_712), (16, 11, 33_072), (64, 9, 32_880), (512, 6, 32_880), (1_016, 6, 65_136),
    ])
    func a_chunk_fills_at_most_sixteen_pages(_ stride: Int, _ shift: Int, _ size: Int) {
        let layout = ChunkLayout(stride: stride)
        #expect(layout.shift == shift)
        #expect(layout.size == size)
        #expect(layout.size <= ChunkLayout.greatestSize)
        #expect((layout.valuesOffset + 16) % 64 == 0)
    }

    @Test func two_arrays_of_one_type_count_once() {
        let ids = world.spawnAll(
            [Health(points: 1), Health(points: 2)], [Health(points: 3), Health(points: 4)])
        #expect(ids.map { world[$0, Health.self]?.points } == [3, 4])
        #expect(world.query(Health.self).count == 2)
        world.despawn(ids)
        #expect(world.count == 0)
        #expect(world.query(Health.self).isEmpty)
    }

    @Test func values_are_aligned_as_their_type_asks() {
        let id = world.spawn(Large(2))
        #expect(world[id, Large.self] == Large(2))
        world.query(Mut<Large>.self).forEach { $0.h *= 2 }
        #expect(world[id, Large.self]?.h[0] == 4)
    }
}
