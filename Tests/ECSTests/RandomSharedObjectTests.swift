// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Two worlds of one file that spawn game objects, by commands and by changes of copies too, which
/// use IDs that the other one has reserved: whatever is refused or decided by a policy, no game
/// object ever has something of two.
@MainActor
@Suite struct RandomSharedObjectTests {
    fileprivate struct Side {
        let context: NSManagedObjectContext
        let world: Worlds.World
        var commands: Commands

        init(_ fixture: WorldFixture) throws {
            context = fixture.context()
            world = try Worlds.World(context: context)
            commands = Commands(world)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func no_game_object_has_something_of_two(_ seed: UInt64) throws {
        let fixture = try WorldFixture()
        var random = SeededGenerator(seed: seed)
        var sides = [try Side(fixture), try Side(fixture)]
        let anchors = Array(sides[0].world.spawnAll(count: 3))
        try sides[0].context.save()
        sides[1].world.advance()
        var (refused, saved) = (0, 0)
        for number in 1..<400 as Range<Int32> {
            let comment: Comment = "seed \(random.seed), step \(number)"
            let place = Int.random(in: 0..<2, using: &random)
            let other = sides[1 - place].world
            let isSave = try step(&sides[place], other, anchors, number, &random)
            for side in sides { check(side.world, anchors, comment) }
            guard isSave else { continue }
            let isRefused = try save(&sides[place], &random)
            if isRefused { refused += 1 } else { saved += 1 }
            check(sides[place].world, anchors, comment)
            check(try Worlds.World(context: fixture.context()), anchors, comment)
        }
        for place in [0, 1, 0] { _ = try save(&sides[place], &random) }
        for side in sides { side.world.advance() }
        #expect(sides[0].world.diff(from: sides[1].world).isEmpty, "seed \(random.seed)")
        #expect(refused > 0 && saved > 20, "seed \(random.seed): \(refused) and \(saved)")
        try WorldPages(fixture.url).verify()
    }

    /// Changes a world.
    ///
    /// - Returns: Whether it is to be saved.
    private func step(
        _ side: inout Side, _ other: Worlds.World, _ anchors: [GameObjectID], _ number: Int32,
        _ random: inout SeededGenerator
    ) throws -> Bool {
        let world = side.world
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: spawn(world, anchors, number)
        case 2:
            let new = side.commands.spawn(Place(x: number, y: 0))
            side.commands.set(Speed(x: number, y: 0), of: new)
            side.commands.run { world in
                if world[new, Place.self]?.x == number {
                    world.relate(new, Likes.self, to: anchors[Int(number) % 3])
                }
            }
        case 3: side.commands.apply()
        case 4, 5:
            let copy = world.copy()
            let next = other.rows.next + Int.random(in: 0..<3, using: &random)
            copy.rows.skip(upTo: next - 1)
            spawn(copy, anchors, number)
            try world.apply(copy.diff(from: world))
        case 6:
            let objects = world.query(Place.self).objects
            if let object = objects.randomElement(using: &random) { world.despawn(object) }
        case 7: try world.refresh()
        case 8: world.advance()
        default: return true
        }
        return false
    }

    private func spawn(_ world: Worlds.World, _ anchors: [GameObjectID], _ number: Int32) {
        let new = world.spawn(Place(x: number, y: 0), Speed(x: number, y: 0))
        world.relate(new, Likes.self, to: anchors[Int(number) % 3])
    }

    /// Saves a world, or takes its changes back where that is refused.
    ///
    /// - Returns: Whether it was refused.
    private func save(_ side: inout Side, _ random: inout SeededGenerator) throws -> Bool {
        side.context.mergePolicy =
            [
                NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
            ][Int.random(in: 0..<3, using: &random)]
        do {
            try side.context.save()
            #expect(!side.context.hasChanges)
            return false
        } catch let error as CocoaError where error.code == .managedObjectMerge {
            side.context.rollback()
            side.commands = Commands(side.world)
            return true
        }
    }

    /// Each game object has components of one number, and is related as that says.
    private func check(_ world: Worlds.World, _ anchors: [GameObjectID], _ comment: Comment) {
        var count = 0
        world.query(GameObjectID.self, Place?.self, Speed?.self).forEach { id, place, speed in
            count += 1
            #expect(place?.x == speed?.x, comment)
            guard let number = place?.x else { return }
            #expect(world.targets(of: id, Likes.self) == [anchors[Int(number) % 3]], comment)
        }
        #expect(count == world.count, comment)
        #expect(world.query(Link<Likes>.self).count == count - 3, comment)
        #expect(world.query(Place.self).count == count - 3, comment)
    }
}
