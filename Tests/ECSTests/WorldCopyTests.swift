// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

private enum Aim: BitwiseCopyable { case nothing, at(GameObjectID) }
private struct Archer: ValueComponent {
    var aim: Aim
    var arrows: Int32
}

/// Copies and merges of worlds that are kept in a file.
@MainActor
@Suite struct WorldCopyTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    @Test func a_copy_of_a_world_that_was_just_opened_spawns_above_it() throws {
        let ids: [GameObjectID]
        do {
            let world = try Worlds.World(context: fixture.moc)
            ids = Array(world.spawnAll((1...3).map { Place(x: $0, y: 0) }))
            world.relate(ids[0], Likes.self, to: ids[1])
            try fixture.moc.save()
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        let copy = world.copy()
        let new = copy.spawn(Place(x: 9, y: 9))
        #expect(!world.isAlive(new))
        #expect(copy.count == 4)
        #expect(ids.map { copy[$0, Place.self]?.x } == [1, 2, 3])
        #expect(copy.targets(of: ids[0], Likes.self) == [ids[1]])
        copy.relate(new, Likes.self, to: ids[2])
        #expect(copy.sources(of: ids[1], Likes.self) == [ids[0]])
        #expect(copy.sources(of: ids[2], Likes.self) == [new])
        try world.apply(copy.diff(from: world))
        #expect(world.count == 4)
        #expect(world.spawn() > new)
    }

    @Test func a_copy_spawns_above_what_other_programs_have_made() throws {
        let first = try Worlds.World(context: fixture.moc)
        let own = first.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        let context = fixture.context()
        let second = try Worlds.World(context: context)
        let others = second.spawnAll((0..<5_000).map { Place(x: $0, y: 2) })
        try context.save()
        first.advance()
        #expect(others[0] > own)
        let copy = first.copy()
        for _ in 0..<5_000 { copy.spawn(Place(x: -1, y: -1)) }
        #expect(copy.count == 10_001)
        #expect(others.allSatisfy { copy[$0, Place.self]?.y == 2 })
    }

    /// What a world has needs no new IDs, so a file that cannot be written is no obstacle.
    @Test func a_read_only_world_takes_changes_of_what_it_has() throws {
        do {
            let world = try Worlds.World(context: fixture.moc)
            let ids = world.spawnAll((1...3).map { Place(x: $0, y: 0) })
            world.relate(ids[0], Likes.self, to: ids[1])
            try fixture.moc.save()
        }
        try fixture.open(isReadOnly: true)
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.query(Place.self).objects
        let copy = world.copy()
        copy[ids[0], Place.self]?.x = 7
        copy[ids[1], Speed.self] = Speed(x: 1, y: 1)
        copy.unrelate(ids[0], Likes.self, from: ids[1])
        copy.despawn(ids[2])
        try world.apply(copy.diff(from: world))
        #expect(world.diff(from: copy).isEmpty)
        #expect(world.query(Place.self).objects == [ids[0], ids[1]])
        copy.spawn(Place(x: 9, y: 9))
        #expect(throws: CocoaError.self) { try world.apply(copy.diff(from: world)) }
        #expect(world.count == 2)
        fixture.moc.rollback()
        #expect(world.count == 3)
        #expect(world[ids[0], Place.self]?.x == 1)
    }

    /// Otherwise each start of a follower would leave thousands of IDs unused.
    @Test func changes_of_what_there_is_take_no_ids() throws {
        let leader: Worlds.World
        let last: GameObjectID
        do {
            let world = try Worlds.World(context: fixture.moc)
            last = world.spawn(Place(x: 1, y: 1))
            try fixture.moc.save()
            leader = world.copy()
        }
        for round: Int32 in 0..<3 {
            try fixture.open()
            let world = try Worlds.World(context: fixture.moc)
            leader[last, Place.self]?.x += round
            try world.apply(leader.diff(from: world))
            try fixture.moc.save()
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.spawn().row < last.row + 8_200)
    }

    /// A copy's new game object has an ID that another program has reserved, and uses meanwhile.
    @Test(arguments: 0..<6)
    func game_objects_of_two_programs_are_not_mixed(_ round: Int) throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        first.spawn(Place(x: 1, y: 1))
        try one.save()
        let second = try Worlds.World(context: two)
        let copy = first.copy()
        let theirs = copy.spawn(Speed(x: 2, y: 2))
        try second.apply(copy.diff(from: first))
        try two.save()
        let mine = first.spawn(Place(x: 3, y: 3))
        #expect(mine == theirs)
        // The look of a tick finds it as well as that of the save.
        if round % 2 == 1 { first.advance() }
        one.mergePolicy =
            [
                NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
            ][round / 2]
        for _ in 0..<2 {
            var error: CocoaError?
            do { try one.save() } catch let other as CocoaError { error = other }
            #expect(error?.code == .managedObjectMerge)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("the ID \(mine) is that of a game object"), "\(text)")
        }
        one.rollback()
        first.advance()
        #expect(first[theirs, Speed.self] == Speed(x: 2, y: 2))
        #expect(first[theirs, Place.self] == nil)
        let again = first.spawn(Place(x: 3, y: 3))
        #expect(again != theirs)
        try one.save()
        second.advance()
        #expect(second.count == 3)
        #expect(second[again, Place.self] == Place(x: 3, y: 3))
    }

    @Test func game_objects_that_two_programs_have_of_one_copy_are_the_same() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        first.spawn(Place(x: 1, y: 1))
        try one.save()
        let second = try Worlds.World(context: two)
        let copy = first.copy()
        let new = copy.spawn(Speed(x: 2, y: 2), Asleep())
        let changes = copy.diff(from: first)
        try second.apply(changes)
        try two.save()
        try first.apply(changes)
        try one.save()
        #expect(first.count == 2)
        #expect(first[new, Speed.self] == Speed(x: 2, y: 2))
    }

    @Test func a_world_that_was_just_opened_is_not_merged_with_IDs_that_stay_behind() async throws {
        do {
            let world = try Worlds.World(context: fixture.moc)
            let ids = world.spawnAll(count: 2)
            world[ids[0], Archer.self] = Archer(aim: .at(ids[1]), arrows: 3)
            try fixture.moc.save()
        }
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [path = fixture.url.path as String] in
            try await MainActor.run {
                let other = try WorldElsewhere(path).world
                Worlds.World().merge(other)
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("may have an ID in an enum, a tuple or the like"), "\(text)")
        #expect(text.contains("Archer of "))
    }

    @Test func a_resource_of_another_file_names_what_was_merged() throws {
        let elsewhere = try WorldFixture()
        let other = try Worlds.World(context: elsewhere.moc)
        let ids = other.spawnAll(count: 3)
        other[resource: Leader.self] = Leader(object: ids[2])
        try elsewhere.moc.save()
        let world = try Worlds.World(context: fixture.moc)
        world.spawnAll(count: 10)
        let copies = world.merge(other)
        try fixture.moc.save()
        try fixture.open()
        let again = try Worlds.World(context: fixture.moc)
        #expect(again[resource: Leader.self]?.object == copies[ids[2]])
        #expect(copies[ids[2]] != ids[2])
    }
}

private struct Leader: ValueComponent { var object: GameObjectID }
