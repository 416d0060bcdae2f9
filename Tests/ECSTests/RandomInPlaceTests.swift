// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Two worlds of one file that read it in place, while commits of all kinds use its pages again.
@MainActor
@Suite struct RandomInPlaceTests {
    private static let rows = 12_000

    /// A world, with what it has to show: the values of one look at the file, and own changes.
    private final class Side {
        let moc: NSManagedObjectContext
        let world: Worlds.World
        let parity: Int
        var shown: [Int32] = []
        var changes: [Int: Int32] = [:]

        init(_ fixture: WorldFixture, parity: Int) throws {
            moc = fixture.context()
            world = try Worlds.World(context: moc)
            self.parity = parity
        }

        /// How many rows have another value than they should.
        func wrong(_ ids: GameObjectIDs) -> Int {
            ids.enumerated().count { row, id in
                world[id, Place.self]?.x != changes[row] ?? shown[row]
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func worlds_show_what_they_should(_ seed: UInt64) throws {
        let fixture = try WorldFixture()
        var random = SeededGenerator(seed: seed)
        let first = try Side(fixture, parity: 0)
        let ids = first.world.spawnAll((0..<Self.rows).map { Place(x: Int32($0), y: 0) })
        try first.moc.save()
        let sides = [first, try Side(fixture, parity: 1)]
        var file = (0..<Self.rows).map { Int32($0) }
        for side in sides { side.shown = file }
        for round in 0..<160 {
            let side = sides[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3: change(side, ids, &random)
            case 3:
                // A whole loop, of which half of the rows keep their values.
                let parity = side.parity
                side.world.query(Mut<Place>.self, GameObjectID.self).forEach { place, id in
                    if id.row & 1 == parity { place.x &+= 1 }
                }
                for row in ids.indices where ids[row].row & 1 == parity {
                    side.changes[row] = (side.changes[row] ?? side.shown[row]) &+ 1
                }
            case 4, 5:
                try side.moc.save()
                // A save without changes of the world does not look at the file.
                guard !side.changes.isEmpty else { break }
                for (row, value) in side.changes { file[row] = value }
                (side.shown, side.changes) = (file, [:])
            case 6:
                side.moc.rollback()
                side.changes = [:]
            case 7, 8:
                side.world.advance()
                side.shown = file
            default:
                for number in 0..<50 {
                    _ = GameObject.create(name: "object \(round) \(number)", moc: side.moc)
                }
                let isChanged = !side.changes.isEmpty
                try side.moc.save()
                for (row, value) in side.changes { file[row] = value }
                if isChanged { (side.shown, side.changes) = (file, [:]) }
            }
            if round % 4 == 3 {
                #expect(sides.map { $0.wrong(ids) } == [0, 0], "round \(round)")
            }
        }
        let last = try Worlds.World(context: fixture.moc)
        #expect(ids.enumerated().allSatisfy { last[$1, Place.self]?.x == file[$0] })
    }

    private func change(_ side: Side, _ ids: GameObjectIDs, _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1..<30, using: &random) {
            let row = Int.random(in: 0..<Self.rows, using: &random)
            guard ids[row].row & 1 == side.parity else { continue }
            let value = Int32.random(in: 0..<1_000_000, using: &random)
            side.world[ids[row], Place.self]?.x = value
            side.changes[row] = value
        }
    }
}
