// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Random operations on a world and on dictionaries that say what it must hold.
@Suite struct RandomWorldTests {
    struct Model {
        var alive: [GameObjectID] = []
        var health: [GameObjectID: Health] = [:]
        var position: [GameObjectID: Position] = [:]
        var frozen: Set<GameObjectID> = []
        var large: [GameObjectID: Large] = [:]
        var healthChanged: Set<GameObjectID> = []
        var healthAdded: Set<GameObjectID> = []
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func a_world_is_what_dictionaries_say(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = World()
        var model = Model()
        for _ in 0..<300 {
            step(world, &model, &random)
            if Int.random(in: 0..<40, using: &random) == 0 { compare(world, model) }
        }
        compare(world, model)
    }

    private func step(_ world: World, _ model: inout Model, _ random: inout SeededGenerator) {
        let object = model.alive.randomElement(using: &random)
        let number = Int.random(in: 0..<1_000, using: &random)
        switch (Int.random(in: 0..<12, using: &random), object) {
        case (0, _):
            let id = world.spawn(Health(points: number))
            model.alive.append(id)
            model.set(Health(points: number), id)
        case (1, _):
            let values = (0..<number).map { Position(x: Float($0), y: Float(number)) }
            let ids = world.spawnAll(values)
            model.alive += ids
            for (id, value) in zip(ids, values) { model.position[id] = value }
        case (2, let id?):
            world.despawn(id)
            model.remove(id)
        case (3, let id?):
            world[id, Health.self] = Health(points: number)
            model.set(Health(points: number), id)
        case (4, let id?):
            world.remove(Health.self, from: id)
            model.drop(id)
        case (5, let id?):
            world[id, Frozen.self] = Frozen()
            model.frozen.insert(id)
        case (6, let id?):
            world[id, Frozen.self] = nil
            model.frozen.remove(id)
        case (7, let id?):
            world[id, Large.self] = Large(Double(number))
            model.large[id] = Large(Double(number))
        case (8, let id?):
            world[id, Position.self]?.x = Float(number)
            model.position[id]?.x = Float(number)
        case (9, _):
            world.query(GameObjectID.self, Mut<Health>.self).with(Frozen.self).forEach {
                id, health in
                health.points += 1
                model.health[id]?.points += 1
                model.healthChanged.insert(id)
            }
        case (10, _):
            world.advance()
            model.healthAdded = []
            model.healthChanged = []
        default:
            world.query(Mut<Position>.self, Large.self).without(Frozen.self).forEach {
                position, large in position.y += Float(large.a[0])
            }
            for id in model.alive where !model.frozen.contains(id) {
                if let large = model.large[id] { model.position[id]?.y += Float(large.a[0]) }
            }
        }
    }

    private func compare(_ world: World, _ model: Model) {
        let alive = model.alive.sorted()
        #expect(world.count == alive.count)
        #expect(world.query(GameObjectID.self).objects == alive)
        #expect(world.query(Health.self).objects == model.health.keys.sorted())
        #expect(world.query(Frozen.self).objects == model.frozen.sorted())
        for id in alive {
            #expect(world[id, Health.self] == model.health[id])
            #expect(world[id, Position.self] == model.position[id])
            #expect(world[id, Large.self] == model.large[id])
        }
        let both = Set(model.health.keys).intersection(model.position.keys)
        #expect(world.query(Health.self, Position.self).objects == both.sorted())
        let either = Set(model.large.keys).union(model.frozen)
        #expect(
            world.query(GameObjectID.self).withAny(Large.self, Frozen.self).objects
                == either.sorted())
        #expect(
            world.query(Health.self).changed(Health.self).objects == model.healthChanged.sorted())
        #expect(world.query(Health.self).added(Health.self).objects == model.healthAdded.sorted())
    }
}

extension RandomWorldTests.Model {
    mutating func set(_ value: Health, _ id: GameObjectID) {
        if health.updateValue(value, forKey: id) == nil { healthAdded.insert(id) }
        healthChanged.insert(id)
    }

    mutating func drop(_ id: GameObjectID) {
        health[id] = nil
        healthAdded.remove(id)
        healthChanged.remove(id)
    }

    mutating func remove(_ id: GameObjectID) {
        alive.removeAll { $0 == id }
        drop(id)
        position[id] = nil
        frozen.remove(id)
        large[id] = nil
    }
}
