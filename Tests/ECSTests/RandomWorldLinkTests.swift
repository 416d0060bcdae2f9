// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

private enum Sees: Worlds.Relationship {}
private enum HangsOn: Worlds.Relationship {
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}
private enum Rides: Worlds.Relationship { static let isExclusive = true }

/// Two worlds of one file that relate game objects by turns and at once, themselves and by changes
/// of copies, a copy that follows one of them, and sets of pairs that say what all of them must
/// have.
@MainActor
@Suite struct RandomWorldLinkTests {
    fileprivate struct Pair: Hashable {
        let source, target: GameObjectID
    }

    fileprivate struct Model: Equatable {
        var alive: Set<GameObjectID> = []
        var sees: Set<Pair> = []
        var owns: Set<Pair> = []
        var rides: Set<Pair> = []
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func two_worlds_have_what_pairs_say(_ seed: UInt64) throws {
        let fixture = try WorldFixture()
        var random = SeededGenerator(seed: seed)
        let contexts = [fixture.context(), fixture.context()]
        for context in contexts { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        var worlds = try contexts.map { try Worlds.World(context: $0) }
        var model = Model()
        model.alive.formUnion(worlds[0].spawnAll(count: 6))
        try contexts[0].save()
        worlds[1].advance()
        let follower = worlds[1].copy()
        for round in 0..<150 {
            let comment: Comment = "seed \(random.seed), round \(round)"
            let side = Int.random(in: 0..<2, using: &random)
            for _ in 0..<Int.random(in: 1..<8, using: &random) {
                change(worlds[side], &model, &random)
            }
            if Bool.random(using: &random) {
                try applyChangesOfCopy(worlds[side], &model, &random)
            }
            // The other one relates further pairs before it sees that.
            var pairs: Set<Pair> = []
            let common = model.alive.filter { worlds[1 - side].isAlive($0) }.sorted()
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                guard let source = common.randomElement(using: &random),
                    let target = common.randomElement(using: &random)
                else { continue }
                let pair = Pair(source: source, target: target)
                // A pair that it has, and that the first one ends, has no say.
                let isKnown = worlds[1 - side].isRelated(source, Sees.self, to: target)
                if !isKnown, !model.sees.contains(pair) { pairs.insert(pair) }
            }
            for pair in pairs { worlds[1 - side].relate(pair.source, Sees.self, to: pair.target) }
            model.sees.formUnion(pairs)
            try contexts[side].save()
            try contexts[1 - side].save()
            let tick = worlds[1].lastAdvance
            for world in worlds {
                world.advance()
                compare(world, model, comment)
            }
            try follower.apply(try WorldChanges(bytes: worlds[1].diff(since: tick).bytes))
            compare(follower, model, comment)
            guard round % 30 == 29 else { continue }
            worlds[0] = try Worlds.World(context: fixture.context())
            compare(worlds[0], model, comment)
            worlds.removeAll()
            worlds = try contexts.map { try $0.world ?? Worlds.World(context: $0) }
        }
        worlds.removeAll()
        try WorldPages(fixture.url).verify()
    }

    /// Has a copy change something, whose rows may be those that the other world has reserved.
    private func applyChangesOfCopy(
        _ world: Worlds.World, _ model: inout Model, _ random: inout SeededGenerator
    ) throws {
        let copy = world.copy()
        for _ in 0..<Int.random(in: 1..<4, using: &random) { change(copy, &model, &random) }
        try world.apply(try WorldChanges(bytes: copy.diff(from: world).bytes))
    }

    private func change(
        _ world: Worlds.World, _ model: inout Model, _ random: inout SeededGenerator
    ) {
        let alive = model.alive.sorted()
        guard let source = alive.randomElement(using: &random),
            let target = alive.randomElement(using: &random)
        else { return }
        let pair = Pair(source: source, target: target)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: model.alive.insert(world.spawn(Place(x: 1, y: 2)))
        case 2 where alive.count > 5:
            world.despawn(source)
            model.despawn(source)
        case 3, 4, 5:
            world.relate(source, Sees.self, to: target)
            model.sees.insert(pair)
        case 6:
            let old = model.sees.sorted { $0.order < $1.order }.randomElement(using: &random)
            world.unrelate(old?.source ?? source, Sees.self, from: old?.target ?? target)
            model.sees.remove(old ?? pair)
        case 7, 8:
            world.relate(source, Rides.self, to: target)
            model.rides = model.rides.filter { $0.source != source }
            model.rides.insert(pair)
        case 9:
            world.unrelate(source, Rides.self)
            model.rides = model.rides.filter { $0.source != source }
        case 10:
            world.relate(source, HangsOn.self, to: target)
            model.owns.insert(pair)
        default:
            world.unrelate(source, HangsOn.self)
            model.owns = model.owns.filter { $0.source != source }
        }
    }

    private func compare(_ world: Worlds.World, _ model: Model, _ comment: Comment) {
        var found = Model()
        found.alive = Set(world.query(GameObjectID.self).objects)
        found.sees = pairs(world, Sees.self)
        found.owns = pairs(world, HangsOn.self)
        found.rides = pairs(world, Rides.self)
        #expect(found == model, comment)
        #expect(world.count == model.alive.count, comment)
        #expect(world.query(Link<Sees>.self).count == model.sees.count, comment)
        #expect(world.query(Link<HangsOn>.self).count == model.owns.count, comment)
        for object in model.alive {
            let sources = model.sees.filter { $0.target == object }.map(\.source).sorted()
            #expect(world.sources(of: object, Sees.self) == sources, comment)
            let riders = model.rides.filter { $0.target == object }.map(\.source).sorted()
            #expect(world.sources(of: object, Rides.self) == riders, comment)
        }
    }

    private func pairs<Kind: Worlds.Relationship>(
        _ world: Worlds.World, _ kind: Kind.Type
    ) -> Set<Pair> {
        var pairs: Set<Pair> = []
        world.query(Link<Kind>.self).forEach {
            pairs.insert(Pair(source: $0.source, target: $0.target))
        }
        return pairs
    }
}

extension RandomWorldLinkTests.Pair {
    fileprivate var order: (GameObjectID, GameObjectID) { (source, target) }
}

extension RandomWorldLinkTests.Model {
    fileprivate mutating func despawn(_ object: GameObjectID) {
        var gone: Set = [object]
        var next = [object]
        while let target = next.popLast() {
            for pair in owns where pair.target == target && gone.insert(pair.source).inserted {
                next.append(pair.source)
            }
        }
        alive.subtract(gone)
        let isLeft = { (pair: RandomWorldLinkTests.Pair) in
            !gone.contains(pair.source) && !gone.contains(pair.target)
        }
        (sees, owns, rides) = (sees.filter(isLeft), owns.filter(isLeft), rides.filter(isLeft))
    }
}
