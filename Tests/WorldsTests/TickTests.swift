// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Ticks of additions, changes and removals, of rows that share words of a chunk.
@Suite struct TickTests {
    struct Model {
        var added: [GameObjectID: UInt64] = [:]
        var changed: [GameObjectID: UInt64] = [:]
        var removed: [(tick: UInt64, object: GameObjectID, points: Int)] = []
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func rows_keep_their_ticks(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = World()
        let objects = world.spawnAll((0..<150).map { Health(points: $0) })
        var model = Model()
        for object in objects { (model.added[object], model.changed[object]) = (1, 1) }
        for round in 0..<60 {
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                guard let object = objects.randomElement(using: &random) else { return }
                step(world, &model, object, &random)
            }
            if round % 7 == 6 {
                let tick = world.tick
                world.query(GameObjectID.self, Mut<Health>.self).forEach { id, _ in
                    model.changed[id] = tick
                }
            }
            compare(world, model)
            world.advance()
        }
    }

    private func step(
        _ world: World, _ model: inout Model, _ object: GameObjectID,
        _ random: inout SeededGenerator
    ) {
        if Int.random(in: 0..<3, using: &random) == 0 {
            guard let health = world[object, Health.self] else { return }
            #expect(world.remove(Health.self, from: object))
            model.removed.append((world.tick, object, health.points))
            (model.added[object], model.changed[object]) = (nil, nil)
        } else {
            world[object, Health.self] = Health(points: Int.random(in: 0..<99, using: &random))
            model.changed[object] = world.tick
            if model.added[object] == nil { model.added[object] = world.tick }
        }
    }

    private func compare(_ world: World, _ model: Model) {
        #expect(world.query(Health.self).objects == model.added.keys.sorted())
        for tick in 0...world.tick {
            let added = model.added.filter { $0.value > tick }.keys.sorted()
            let changed = model.changed.filter { $0.value > tick }.keys.sorted()
            #expect(world.query(Health.self).added(Health.self, since: tick).objects == added)
            #expect(world.query(Health.self).changed(Health.self, since: tick).objects == changed)
        }
        let removals = world.removals(of: Health.self)
        let expected = model.removed.filter { $0.tick > world.lastAdvance }
        #expect(removals.map(\.object) == expected.map(\.object))
        #expect(removals.map(\.value.points) == expected.map(\.points))
    }

    @Test func what_observers_hear_is_of_rows_with_a_value() {
        let world = World()
        let objects = world.spawnAll((0..<3).map { Health(points: $0) })
        var heard: [String] = []
        world.observe(Health.self) { _, event in
            switch event {
            case .added(let id, _): heard.append("added \(id.row)")
            case .changed(let id, _): heard.append("changed \(id.row)")
            case .removed(let id, _): heard.append("removed \(id.row)")
            }
        }
        world[objects[0], Health.self]?.points = 5
        world[objects[1], Health.self]?.points = 6
        world.remove(Health.self, from: objects[1])
        world.remove(Health.self, from: objects[2])
        world[objects[2], Health.self] = Health(points: 7)
        world.advance()
        #expect(heard == ["removed 2", "removed 3", "added 3", "changed 1"])
        heard = []
        world[objects[1], Health.self] = Health(points: 8)
        world.advance()
        #expect(heard == ["added 2"])
    }
}
