// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Worlds read clean chunks where the file has them.
@MainActor
@Suite struct WorldInPlaceTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    /// The chunks of a component that are read in the file.
    private func mapped(_ world: Worlds.World, _ name: String = "Place") -> Int {
        world.columns.first { $0.type.name == name }?.mappedCount ?? -1
    }

    /// A saved world of 20,000 places, whose chunks have 4,096 rows each.
    private func places() throws -> (Worlds.World, GameObjectIDs) {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll((0..<20_000).map { Place(x: $0, y: 0) })
        try fixture.moc.save()
        return (world, ids)
    }

    @Test func clean_chunks_are_read_in_the_file() throws {
        let ids: GameObjectIDs
        do {
            let world = try Worlds.World(context: fixture.moc)
            ids = world.spawnAll((0..<20_000).map { Place(x: $0, y: 0) })
            #expect(mapped(world) == 0)
            try fixture.moc.save()
            #expect(mapped(world) == 5)
            #expect(mapped(world, "GameObject") == 2)
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(mapped(world) == 5)
        #expect(world[ids[19_999], Place.self] == Place(x: 19_999, y: 0))
        var sum = 0
        world.query(Place.self).forEach { sum += Int($0.x) }
        #expect(sum == 199_990_000)
        #expect(mapped(world) == 5)
        #expect(!fixture.moc.hasChanges)
    }

    @Test func a_change_copies_its_chunk_and_a_save_lets_it_go() throws {
        let (world, ids) = try places()
        world[ids[10_000], Place.self] = Place(x: -1, y: -1)
        #expect(mapped(world) == 4)
        #expect(world[ids[10_000], Place.self] == Place(x: -1, y: -1))
        #expect(world[ids[10_001], Place.self] == Place(x: 10_001, y: 0))
        try fixture.moc.save()
        #expect(mapped(world) == 5)
        #expect(world[ids[10_000], Place.self] == Place(x: -1, y: -1))
        world.query(Mut<Place>.self).forEach { $0.y += 1 }
        #expect(mapped(world) == 0)
        try fixture.moc.save()
        #expect(mapped(world) == 5)
        #expect(world[ids[10_000], Place.self] == Place(x: -1, y: 0))
        let other = try Worlds.World(context: fixture.context())
        #expect(other[ids[10_000], Place.self] == Place(x: -1, y: 0))
        #expect(other[ids[0], Place.self] == Place(x: 0, y: 1))
    }

    @Test func each_way_to_change_leaves_the_file_as_it_is() throws {
        let (world, ids) = try places()
        let other = try Worlds.World(context: fixture.context())
        world.remove(Place.self, from: ids[0])
        world.despawn(ids[5_000])
        world.add(Place(x: 7, y: 7), Speed(x: 1, y: 1), to: ids[9_000])
        world.query(Mut<Place>.self).parallelForEach(threads: 2) { $0.x += 1 }
        #expect(other[ids[0], Place.self] == Place(x: 0, y: 0))
        #expect(other[ids[5_000], Place.self] == Place(x: 5_000, y: 0))
        #expect(other[ids[9_000], Place.self] == Place(x: 9_000, y: 0))
        #expect(other[ids[19_999], Place.self] == Place(x: 19_999, y: 0))
        #expect(world[ids[9_000], Place.self] == Place(x: 8, y: 7))
        #expect(world[ids[19_999], Place.self] == Place(x: 20_000, y: 0))
        fixture.moc.rollback()
        #expect(mapped(world) == 5)
        #expect(world[ids[0], Place.self] == Place(x: 0, y: 0))
        #expect(world[ids[5_000], Place.self] == Place(x: 5_000, y: 0))
        #expect(world[ids[9_000], Place.self] == Place(x: 9_000, y: 0))
        #expect(world[ids[9_000], Speed.self] == nil)
    }

    /// Pages that a world still reads are not used again, however many commits follow.
    @Test func values_stay_while_others_commit() throws {
        let (world, ids) = try places()
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        for round in 1...30 as ClosedRange<Int32> {
            other.query(Mut<Place>.self).forEach { $0.y = round }
            try moc.save()
            #expect(world[ids[0], Place.self] == Place(x: 0, y: 0))
            #expect(world[ids[19_999], Place.self] == Place(x: 19_999, y: 0))
        }
        world.advance()
        #expect(mapped(world) == 5)
        var wrong = 0
        world.query(Place.self).forEach { if $0.y != 30 { wrong += 1 } }
        #expect(wrong == 0)
    }

    @Test func a_conflict_is_found_however_long_ago_it_arose() throws {
        let (world, ids) = try places()
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        world[ids[1], Place.self] = Place(x: 100, y: 100)
        world[ids[2], Place.self] = Place(x: 200, y: 200)
        for round in 1...20 as ClosedRange<Int32> {
            other[ids[1], Place.self] = Place(x: round, y: -round)
            other[ids[3], Place.self] = Place(x: round, y: -round)
            try moc.save()
            world.advance()
            #expect(world[ids[1], Place.self] == Place(x: 100, y: 100))
            #expect(world[ids[3], Place.self] == Place(x: round, y: -round))
        }
        #expect(throws: CocoaError.self) { try fixture.moc.save() }
        #expect(world[ids[2], Place.self] == Place(x: 200, y: 200))
        fixture.moc.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try fixture.moc.save()
        other.advance()
        #expect(other[ids[1], Place.self] == Place(x: 100, y: 100))
        #expect(other[ids[2], Place.self] == Place(x: 200, y: 200))
        #expect(other[ids[3], Place.self] == Place(x: 20, y: -20))
        #expect(other[ids[4], Place.self] == Place(x: 4, y: 0))
    }

    @Test func a_rollback_after_commits_of_others_shows_theirs() throws {
        let (world, ids) = try places()
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        world[ids[1], Place.self] = Place(x: 100, y: 100)
        for round in 1...20 as ClosedRange<Int32> {
            other[ids[1], Place.self] = Place(x: round, y: -round)
            other[ids[8_000], Place.self] = Place(x: round, y: -round)
            try moc.save()
            world.advance()
        }
        fixture.moc.rollback()
        #expect(world[ids[1], Place.self] == Place(x: 20, y: -20))
        #expect(world[ids[8_000], Place.self] == Place(x: 20, y: -20))
        #expect(world[ids[2], Place.self] == Place(x: 2, y: 0))
        #expect(mapped(world) == 5)
    }

    /// A world that is not advanced keeps no pages from being used again that commits of objects
    /// alone replace.
    @Test func saves_of_objects_do_not_let_the_file_grow() throws {
        func byteCount(withWorld: Bool) throws -> Int {
            let fixture = try WorldFixture()
            let world = withWorld ? try Worlds.World(context: fixture.moc) : nil
            let objects = (0..<2_000).map {
                GameObject.create(name: "first name of object \($0)", moc: fixture.moc)
            }
            try fixture.moc.save()
            let ids = try world.map { world in
                let ids = world.spawnAll((0..<20_000).map { Place(x: $0, y: 0) })
                try fixture.moc.save()
                return ids
            }
            let start = try size(fixture.url)
            for round in 0..<40 {
                for object in objects { object.name = "name of round \(round)" }
                try fixture.moc.save()
            }
            if let world, let ids {
                #expect(mapped(world) == 6)
                #expect(world[ids[19_999], Place.self] == Place(x: 19_999, y: 0))
            }
            return try size(fixture.url) - start
        }
        let without = try byteCount(withWorld: false)
        let with = try byteCount(withWorld: true)
        // Forty versions of all names would be 5 MB.
        #expect(without < 1_000_000)
        #expect(with < 1_000_000)
    }

    private func size(_ url: URL) throws -> Int {
        try #require(
            FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        ).intValue
    }

    /// A file at its limit is given room for deletions, and its map moves for that.
    @Test func a_map_that_moves_takes_no_values_along() throws {
        let description = NSPersistentStoreDescription(url: fixture.url)
        description.setOption(2_000_000 as NSNumber, forKey: LodeSizeLimitOption)
        let container = NSPersistentContainer(name: "World", managedObjectModel: fixture.model)
        for store in fixture.container.persistentStoreCoordinator.persistentStores {
            try fixture.container.persistentStoreCoordinator.remove(store)
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        #expect(failure == nil)
        let moc = container.viewContext
        let world = try Worlds.World(context: moc)
        let ids = world.spawnAll((0..<20_000).map { Place(x: $0, y: 0) })
        try moc.save()
        #expect(mapped(world) == 5)
        // Full but for what one more object takes, so that a deletion has no room.
        var objects: [GameObject] = []
        for count in [500, 50, 5, 1] {
            for _ in 0..<100 {
                let more = (0..<count).map {
                    GameObject.create(name: String(repeating: "name \($0) ", count: 20), moc: moc)
                }
                do { try moc.save() } catch {
                    for object in more { moc.delete(object) }
                    break
                }
                objects += more
            }
        }
        #expect(objects.count >= 500 && objects.count < 20_000)
        for object in objects { moc.delete(object) }
        world[ids[7], Place.self] = Place(x: 70, y: 70)
        try moc.save()
        // They were copied when the map moved, and are read in the new one.
        #expect(mapped(world) == 5)
        #expect(world[ids[7], Place.self] == Place(x: 70, y: 70))
        #expect(world[ids[19_999], Place.self] == Place(x: 19_999, y: 0))
        var sum = 0
        world.query(Place.self).forEach { sum += Int($0.x) }
        #expect(sum == 199_990_063)
        let other = try Worlds.World(context: fixture.context(of: container))
        #expect(other[ids[7], Place.self] == Place(x: 70, y: 70))
        #expect(other[ids[12_345], Place.self] == Place(x: 12_345, y: 0))
    }
}

extension WorldFixture {
    func context(of container: NSPersistentContainer) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return context
    }
}
