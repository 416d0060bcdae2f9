// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Random relationships, and sets of pairs that say what there must be.
@Suite struct RandomRelationshipTests {
    struct Pair: Hashable {
        let source, target: GameObjectID
    }

    struct Model {
        var alive: [GameObjectID] = []
        var likes: Set<Pair> = []
        var parents: [GameObjectID: GameObjectID] = [:]
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func relationships_are_what_pairs_say(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = World()
        var model = Model()
        for _ in 0..<800 {
            step(world, &model, &random)
            if Int.random(in: 0..<80, using: &random) == 0 { compare(world, model) }
        }
        compare(world, model)
    }

    private func step(_ world: World, _ model: inout Model, _ random: inout SeededGenerator) {
        guard let one = model.alive.randomElement(using: &random),
            let other = model.alive.randomElement(using: &random)
        else {
            model.alive += world.spawnAll(count: 10)
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            model.alive.append(world.spawn())
        case 1 where model.alive.count > 10:
            #expect(world.despawn(one))
            model.despawn(one)
        case 2, 3, 4:
            let isNew = model.likes.insert(Pair(source: one, target: other)).inserted
            #expect(world.relate(one, Likes.self, to: other) == isNew)
        case 5:
            let pair = model.likes.randomElement(using: &random) ?? Pair(source: one, target: other)
            let was = model.likes.remove(pair) != nil
            #expect(world.unrelate(pair.source, Likes.self, from: pair.target) == was)
        case 6:
            world.unrelate(one, ChildOf.self)
            model.parents[one] = nil
        default:
            guard !model.line(from: other).contains(one) else { return }
            let isNew = model.parents[one] != other
            #expect(world.relate(one, ChildOf.self, to: other) == isNew)
            model.parents[one] = other
        }
    }

    private func compare(_ world: World, _ model: Model) {
        let all = world.query(GameObjectID.self)
        #expect(all.objects == model.alive.sorted())
        for object in model.alive {
            let liked = model.likes.filter { $0.source == object }.map(\.target).sorted()
            let liking = model.likes.filter { $0.target == object }.map(\.source).sorted()
            #expect(world.targets(of: object, Likes.self) == liked)
            #expect(world.sources(of: object, Likes.self) == liking)
            #expect(all.with(Likes.self, to: object).objects == liking)
            #expect(all.with(Likes.self, from: object).objects == liked)
            #expect(world.target(of: object, ChildOf.self) == model.parents[object])
            let children = model.parents.filter { $0.value == object }.map(\.key).sorted()
            #expect(world.sources(of: object, ChildOf.self) == children)
            let line = [object] + world.ancestors(of: object, ChildOf.self)
            #expect(line == model.line(from: object))
        }
        #expect(
            all.with(Likes.self, to: .any).objects == Set(model.likes.map(\.source)).sorted())
        #expect(
            all.with(ChildOf.self, from: .any).objects == Set(model.parents.values).sorted())
        let order = world.breadthFirst(ChildOf.self)
        #expect(Set(order) == Set(model.parents.keys).union(model.parents.values))
        let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        for (child, parent) in model.parents {
            #expect(places[parent, default: .max] < places[child, default: 0])
        }
    }
}

extension RandomRelationshipTests.Model {
    /// A game object and everything above it.
    func line(from object: GameObjectID) -> [GameObjectID] {
        var result = [object]
        while let last = result.last, let parent = parents[last] { result.append(parent) }
        return result
    }

    mutating func despawn(_ object: GameObjectID) {
        let children = parents.filter { $0.value == object }.map(\.key)
        alive.removeAll { $0 == object }
        parents[object] = nil
        likes = likes.filter { $0.source != object && $0.target != object }
        for child in children { despawn(child) }
    }
}
