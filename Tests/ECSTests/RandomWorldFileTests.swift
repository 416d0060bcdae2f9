// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Two worlds of one file that change it at random, and a dictionary that says what it must hold.
@MainActor
@Suite struct RandomWorldFileTests {
    /// A game object itself, or one of its components.
    struct Cell: Hashable {
        var id: GameObjectID
        var kind: Int
    }

    /// What one of the worlds has.
    final class Side {
        let moc: NSManagedObjectContext
        let world: Worlds.World
        /// The file as the world knows it.
        var base: [Cell: Int32] = [:]
        /// The world.
        var local: [Cell: Int32] = [:]

        init(_ fixture: WorldFixture) throws {
            moc = fixture.context()
            world = try Worlds.World(context: moc)
        }

        var alive: [GameObjectID] {
            local.keys.filter { $0.kind == 0 }.map(\.id).sorted()
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func two_worlds_agree_with_a_dictionary(_ seed: UInt64) throws {
        let fixture = try WorldFixture()
        var random = SeededGenerator(seed: seed)
        let sides = [try Side(fixture), try Side(fixture)]
        var file: [Cell: Int32] = [:]
        for round in 0..<60 {
            let side = sides[Int.random(in: 0..<2, using: &random)]
            if side.local == side.base {
                side.world.advance()
                (side.base, side.local) = (file, file)
            }
            for _ in 0..<Int.random(in: 1..<8, using: &random) { change(side, &random) }
            if round % 3 != 0 { continue }
            try save(side, &file, &random)
            compare(side)
        }
        let last = try Worlds.World(context: fixture.moc)
        #expect(last.count == file.keys.count { $0.kind == 0 })
    }

    private func change(_ side: Side, _ random: inout SeededGenerator) {
        let number = Int32.random(in: 0..<1_000, using: &random)
        guard let id = side.alive.randomElement(using: &random) else {
            return spawn(side, number)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: spawn(side, number)
        case 1 where side.alive.count > 4:
            side.world.despawn(id)
            for kind in 0..<4 { side.local[Cell(id: id, kind: kind)] = nil }
        case 2:
            side.world[id, Speed.self] = Speed(x: number, y: 0)
            side.local[Cell(id: id, kind: 2)] = number
        case 3:
            side.world.remove(Speed.self, from: id)
            side.local[Cell(id: id, kind: 2)] = nil
        case 4:
            side.world[id, Asleep.self] = Asleep()
            side.local[Cell(id: id, kind: 3)] = 0
        default:
            side.world[id, Place.self] = Place(x: number, y: 0)
            side.local[Cell(id: id, kind: 1)] = number
        }
    }

    private func spawn(_ side: Side, _ number: Int32) {
        let id = side.world.spawn(Place(x: number, y: 0))
        side.local[Cell(id: id, kind: 0)] = 0
        side.local[Cell(id: id, kind: 1)] = number
    }

    private func save(
        _ side: Side, _ file: inout [Cell: Int32], _ random: inout SeededGenerator
    ) throws {
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
        ]
        let policy = Int.random(in: 0..<3, using: &random)
        side.moc.mergePolicy = policies[policy]
        var merged = file
        var hasConflict = false
        for cell in Set(side.base.keys).union(side.local.keys)
        where side.local[cell] != side.base[cell] {
            let isConflict = file[cell] != side.base[cell] && file[cell] != side.local[cell]
            hasConflict = hasConflict || isConflict
            if !isConflict || policy == 1 { merged[cell] = side.local[cell] }
        }
        let orphans = merged.keys.filter { merged[Cell(id: $0.id, kind: 0)] == nil }
        for cell in orphans { merged[cell] = nil }
        if policy == 0, hasConflict || !orphans.isEmpty {
            #expect(throws: CocoaError.self) { try side.moc.save() }
            side.moc.rollback()
        } else {
            try side.moc.save()
            file = merged
        }
        side.world.advance()
        (side.base, side.local) = (file, file)
        #expect(!side.moc.hasChanges)
    }

    private func compare(_ side: Side) {
        let world = side.world
        #expect(world.query(GameObjectID.self).objects == side.alive)
        var found: [Cell: Int32] = [:]
        world.query(GameObjectID.self, Place?.self, Speed?.self, Has<Asleep>.self).forEach {
            id, place, speed, isAsleep in
            found[Cell(id: id, kind: 0)] = 0
            found[Cell(id: id, kind: 1)] = place?.x
            found[Cell(id: id, kind: 2)] = speed?.x
            if isAsleep { found[Cell(id: id, kind: 3)] = 0 }
        }
        #expect(found == side.local)
        #expect(world.query(Place.self).count == side.local.keys.count { $0.kind == 1 })
        #expect(world.query(Speed.self).count == side.local.keys.count { $0.kind == 2 })
        #expect(world.query(Asleep.self).count == side.local.keys.count { $0.kind == 3 })
    }
}
