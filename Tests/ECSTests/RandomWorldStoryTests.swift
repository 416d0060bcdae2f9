// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Two worlds of one file that are changed by turns in all ways that there are, undone, taken back,
/// saved, opened anew, copied as JSON and followed by changes, and a plain model of what they have.
@MainActor
@Suite struct RandomWorldStoryTests {
    fileprivate struct Pair: Hashable {
        var source, target: GameObjectID
    }

    fileprivate struct Model: Equatable {
        var alive: Set<GameObjectID> = []
        var places: [GameObjectID: Int32] = [:]
        var titles: [GameObjectID: Title] = [:]
        var likes: Set<Pair> = []
        var parents: [GameObjectID: GameObjectID] = [:]
        var corner: Int?
    }

    /// One of the worlds, what it has, and what can be undone and redone.
    fileprivate final class Side {
        var context: NSManagedObjectContext
        var world: Worlds.World
        let manager = UndoManager()
        var undone: [Model] = []
        var redone: [Model] = []
        var follower: Worlds.World
        var tick: UInt64

        init(_ fixture: WorldFixture) throws {
            context = fixture.context()
            world = try Worlds.World(context: context)
            world.advance()
            follower = world.copy()
            tick = world.step()
            manager.groupsByEvent = false
            context.undoManager = manager
        }

        func forgetActions() {
            manager.removeAllActions()
            (undone, redone) = ([], [])
        }
    }

    private let json = WorldJSON(
        components: Corner.self, Title.self, relationships: Likes.self, ChildOf.self)

    @Test(arguments: 0..<3 as Range<UInt64>)
    func worlds_have_what_a_model_says(_ seed: UInt64) throws {
        let fixture = try WorldFixture()
        var random = SeededGenerator(seed: seed)
        var sides = [try Side(fixture), try Side(fixture)]
        var (file, last) = (Model(), 0)
        for round in 0..<120 {
            let comment: Comment = "seed \(random.seed), round \(round)"
            let place = Int.random(in: 0..<2, using: &random)
            if place != last { sides[place].forgetActions() }
            last = place
            var model = file
            try turn(sides[place], &model, comment, &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                sides[place].context.rollback()
                sides[place].forgetActions()
            } else {
                try sides[place].context.save()
                file = model
            }
            for side in sides {
                if Bool.random(using: &random) { try side.world.refresh() }
                side.world.advance()
                compare(side.world, file, comment)
                #expect(!side.context.hasChanges, comment)
                try side.follower.apply(
                    try WorldChanges(bytes: side.world.diff(since: side.tick).bytes))
                compare(side.follower, file, comment)
                side.tick = side.world.step()
            }
            if round % 10 == 9 { try compareDocuments(sides, file, comment) }
            guard round % 15 == 14 else { continue }
            sides[1 - place] = try Side(fixture)
            compare(sides[1 - place].world, file, comment)
        }
        sides.removeAll()
        try WorldPages(fixture.url).verify()
    }

    /// Changes a world by actions, and goes back and forth among them.
    private func turn(
        _ side: Side, _ model: inout Model, _ comment: Comment, _ random: inout SeededGenerator
    ) throws {
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !side.undone.isEmpty:
                side.manager.undo()
                side.redone.append(model)
                model = side.undone.removeLast()
            case 1 where !side.redone.isEmpty:
                side.manager.redo()
                side.undone.append(model)
                model = side.redone.removeLast()
            default:
                let before = model
                side.manager.beginUndoGrouping()
                side.world.undoable {
                    for _ in 0..<Int.random(in: 1..<5, using: &random) {
                        change(side.world, &model, &random)
                    }
                }
                side.context.processPendingChanges()
                side.manager.endUndoGrouping()
                // What changes nothing is no action.
                guard model != before else { continue }
                side.undone.append(before)
                side.redone = []
            }
            compare(side.world, model, comment)
        }
    }

    private func change(
        _ world: Worlds.World, _ model: inout Model, _ random: inout SeededGenerator
    ) {
        let number = Int32.random(in: 0..<100, using: &random)
        let alive = model.alive.sorted()
        guard let one = alive.randomElement(using: &random),
            let other = alive.randomElement(using: &random)
        else { return spawn(world, &model, number) }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: spawn(world, &model, number)
        case 2 where alive.count > 4:
            world.despawn(one)
            model.despawn(one)
        case 3:
            world[one, Corner.self] = Corner(number: Int(number))
            model.places[one] = number
        case 4:
            world.remove(Corner.self, from: one)
            model.places[one] = nil
        case 5:
            let title = Title(text: "\(number)", at: other)
            world[one, Title.self] = title
            model.titles[one] = title
        case 6:
            world[one, Title.self] = nil
            model.titles[one] = nil
        case 7:
            world.relate(one, Likes.self, to: other)
            model.likes.insert(Pair(source: one, target: other))
        case 8:
            world.unrelate(one, Likes.self)
            model.likes = model.likes.filter { $0.source != one }
        case 9 where !model.descendants(one).contains(other):
            world.relate(one, ChildOf.self, to: other)
            model.parents[one] = other
        case 10:
            world[resource: Corner.self] = number < 20 ? nil : Corner(number: Int(number))
            model.corner = number < 20 ? nil : Int(number)
        case 11 where alive.count < 40:
            let prefab = Prefab(of: one, with: ChildOf.self, in: world)
            model.copy(model.descendants(one), world.spawn(prefab), prefab.count)
        case 12 where alive.count < 40: merge(world, &model, Int(number))
        default:
            let commands = Commands(world)
            let new = commands.spawn(Corner(number: Int(number)))
            commands.set(Title(text: "new"), of: new)
            commands.apply()
            model.alive.insert(new)
            model.places[new] = number
            model.titles[new] = Title(text: "new")
        }
    }

    private func spawn(_ world: Worlds.World, _ model: inout Model, _ number: Int32) {
        let id = world.spawn(Corner(number: Int(number)))
        model.alive.insert(id)
        model.places[id] = number
    }

    private func merge(_ world: Worlds.World, _ model: inout Model, _ number: Int) {
        let other = Worlds.World()
        let ids = other.spawnAll([Corner(number: number), Corner(number: number + 1)])
        other[ids[0], Title.self] = Title(text: "merged", at: ids[1])
        other.relate(ids[0], Likes.self, to: ids[1])
        other.relate(ids[1], ChildOf.self, to: ids[0])
        let copies = world.merge(other)
        guard let first = copies[ids[0]], let second = copies[ids[1]] else { return }
        model.alive.formUnion([first, second])
        (model.places[first], model.places[second]) = (Int32(number), Int32(number + 1))
        model.titles[first] = Title(text: "merged", at: second)
        model.likes.insert(Pair(source: first, target: second))
        model.parents[second] = first
    }

    private func compareDocuments(_ sides: [Side], _ file: Model, _ comment: Comment) throws {
        let documents = try sides.map { try json.data(of: $0.world) }
        #expect(documents[0] == documents[1], comment)
        // Loading what is there changes nothing.
        try json.load(documents[0], into: sides[1].world)
        #expect(!sides[1].context.hasChanges, comment)
        let fresh = Worlds.World()
        try json.load(documents[0], into: fresh)
        #expect(fresh.count == file.alive.count, comment)
        let again = Worlds.World()
        again.spawn()
        let map = try json.load(documents[0], into: again, ids: .new)
        #expect(map.count == file.alive.count, comment)
        #expect(again.query(Link<Likes>.self).count == file.likes.count, comment)
        #expect(again.query(Link<ChildOf>.self).count == file.parents.count, comment)
    }

    private func compare(_ world: Worlds.World, _ model: Model, _ comment: Comment) {
        var found = Model()
        found.corner = world[resource: Corner.self]?.number
        world.query(GameObjectID.self, Corner?.self).forEach { id, corner in
            found.alive.insert(id)
            found.places[id] = corner.map { Int32($0.number) }
        }
        for id in found.alive { found.titles[id] = world[id, Title.self] }
        world.query(Link<Likes>.self).forEach {
            found.likes.insert(Pair(source: $0.source, target: $0.target))
        }
        world.query(Link<ChildOf>.self).forEach { found.parents[$0.source] = $0.target }
        #expect(found == model, comment)
        #expect(world.count == model.alive.count, comment)
        #expect(world.query(Link<Likes>.self).count == model.likes.count, comment)
        for id in model.alive {
            let sources = model.likes.filter { $0.target == id }.map(\.source).sorted()
            #expect(world.sources(of: id, Likes.self) == sources, comment)
            let children = model.parents.filter { $0.value == id }.map(\.key).sorted()
            #expect(world.sources(of: id, ChildOf.self) == children, comment)
        }
    }
}

extension RandomWorldStoryTests.Model {
    /// A game object and all below it, level by level.
    fileprivate func descendants(_ object: GameObjectID) -> [GameObjectID] {
        var result = [object]
        var next = 0
        while next < result.count {
            result += parents.filter { $0.value == result[next] }.map(\.key).sorted()
            next += 1
        }
        return result
    }

    fileprivate mutating func despawn(_ object: GameObjectID) {
        let gone = Set(descendants(object))
        alive.subtract(gone)
        for id in gone { (places[id], titles[id], parents[id]) = (nil, nil, nil) }
        likes = likes.filter { !gone.contains($0.source) && !gone.contains($0.target) }
    }

    fileprivate mutating func copy(
        _ originals: [GameObjectID], _ copies: [GameObjectID], _ count: Int
    ) {
        #expect(originals.count == copies.count && count == copies.count)
        let map = Dictionary(uniqueKeysWithValues: zip(originals, copies))
        alive.formUnion(copies)
        for (old, new) in map {
            places[new] = places[old]
            titles[new] = titles[old]
            if let at = titles[old]?.at { titles[new]?.at = map[at] ?? at }
            if let parent = parents[old] { parents[new] = map[parent] ?? parent }
            for pair in likes where pair.source == old {
                likes.insert(.init(source: new, target: map[pair.target] ?? pair.target))
            }
        }
    }
}
