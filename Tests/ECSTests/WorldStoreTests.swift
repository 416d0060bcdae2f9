// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import RecordFormat
import Testing
import Worlds
import _TestSupport

/// What becomes of value components when their file moves, and when several write to it.
@MainActor
@Suite struct WorldStoreTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private var coordinator: NSPersistentStoreCoordinator {
        fixture.container.persistentStoreCoordinator
    }

    private func verify() throws { try WorldPages(fixture.url).verify() }

    /// Saves a game object with a place some times.
    private func fill(times: Int32 = 1) throws -> GameObjectID {
        let world = try Worlds.World(context: fixture.moc)
        let object = world.spawn(Place(x: 1, y: 2))
        for number in 1...times {
            world[object, Place.self]?.x = number
            try fixture.moc.save()
        }
        return object
    }

    // MARK: Files

    @Test func a_file_moves_with_its_components() throws {
        let object = try fill(times: 20)
        let url = fixture.directory.appendingPathComponent("moved.lode")
        let before = try WorldPages(fixture.url).chunks()
        let store = try #require(coordinator.persistentStores.first)
        try coordinator.migratePersistentStore(
            store, to: url, options: [LodeDurabilityOption: "none" as NSString], type: .sqlite)
        let context = fixture.context()
        let world = try Worlds.World(context: context)
        #expect(world[object, Place.self] == Place(x: 20, y: 2))
        let pages = try WorldPages(url)
        #expect(try pages.chunks() == before)
        world[object, Place.self]?.x = 21
        try context.save()
        // The copy counts its transactions anew, and no version comes twice.
        let after = try pages.chunks()
        let versions = [before, after].map { chunks in
            chunks.last?.value.withUnsafeBytes { ChunkHeader.version(of: $0) } ?? 0
        }
        #expect(versions[1] == versions[0] + 1)
        let other = try Worlds.World(context: fixture.context())
        #expect(other[object, Place.self] == Place(x: 21, y: 2))
        try pages.verify()
    }

    /// Migrates to memory, which is to be refused with a text; returns the store.
    private func refuseAnotherKind(_ text: String) throws -> NSPersistentStore {
        let store = try #require(coordinator.persistentStores.first)
        #expect {
            try coordinator.migratePersistentStore(store, to: fixture.url, type: .inMemory)
        } throws: { error in
            let error = error as? CocoaError
            return error?.code == .persistentStoreOperation
                && error?.localizedDescription.contains(text) == true
        }
        return store
    }

    @Test func another_kind_of_store_is_refused() throws {
        _ = try fill()
        let store = try refuseAnotherKind("has value components such as Place")
        #expect(coordinator.persistentStores == [store])
    }

    @Test func another_kind_of_store_is_refused_for_managed_components() throws {
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        // Any managed object can be data: here a game object.
        let data = GameObject.create(name: "Data", moc: fixture.moc)
        try hero.addComponent(with: data, moc: fixture.moc)
        try fixture.moc.save()
        let store = try refuseAnotherKind("has objects of Component")
        #expect(coordinator.persistentStores == [store])
        #expect(try hero.getData() == [data])
        try hero.removeComponent(with: data)
        try fixture.moc.save()
        try coordinator.migratePersistentStore(store, to: fixture.url, type: .inMemory)
        #expect {
            try GameObject.fetch(name: "Hero", moc: fixture.moc)
        } throws: { error in
            (error as? CocoaError)?.localizedDescription.contains("has no main store") == true
        }
    }

    @Test func a_destroyed_store_has_no_components() throws {
        let object = try fill()
        try coordinator.destroyPersistentStore(at: fixture.url, type: .sqlite)
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.count == 0)
        #expect(!world.isAlive(object))
        let store = try #require(coordinator.persistentStores.first)
        #expect(try store.componentStatistics() == [])
    }

    @Test func a_replaced_store_has_the_components_of_the_other() throws {
        let object = try fill()
        let url = fixture.directory.appendingPathComponent("backup.lode")
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: fixture.url, type: .sqlite)
        do {
            let world = try Worlds.World(context: fixture.context())
            world.despawn(object)
            try world.context?.save()
        }
        try coordinator.replacePersistentStore(
            at: fixture.url, withPersistentStoreFrom: url, type: .sqlite)
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world[object, Place.self] == Place(x: 1, y: 2))
        try verify()
    }

    @Test func statistics_count_components() throws {
        _ = try fill()
        let store = try #require(coordinator.persistentStores.first)
        let table = try store.statistics().tables.first { $0.kind == .columns }
        #expect(table?.entries == 2)
        let found = try store.componentStatistics()
        #expect(found.map(\.name) == ["GameObject", "Place"])
        #expect(found.map(\.fields) == ["", "x:Int32@0 y:Int32@4"])
        #expect(found.map(\.values) == [1, 1])
        #expect(found.map(\.chunks) == [1, 1])
        #expect(found.map(\.bytes) == [2_096, 33_328])
    }

    // MARK: Several writers

    @Test func no_component_outlives_a_game_object_that_left_elsewhere() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1)])
        try one.save()
        let second = try Worlds.World(context: two)
        // Seen before it is saved: the change of a game object that is gone is a conflict.
        second[ids[0], Speed.self] = Speed(x: 1, y: 1)
        first.despawn(ids[0])
        try one.save()
        second.advance()
        #expect(throws: CocoaError.self) { try two.save() }
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        try verify()
        let third = try Worlds.World(context: fixture.moc)
        #expect(third[ids[0], Speed.self] == nil)
        #expect(third.query(Place.self).objects == [ids[1]])
    }

    @Test func others_components_of_a_game_object_that_leaves_here_go() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1)])
        try one.save()
        let second = try Worlds.World(context: two)
        second.despawn(ids[0])
        first[ids[0], Speed.self] = Speed(x: 1, y: 1)
        first[ids[1], Speed.self] = Speed(x: 2, y: 2)
        try one.save()
        #expect(throws: CocoaError.self) { try two.save() }
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        try verify()
        #expect(second[ids[1], Speed.self] == Speed(x: 2, y: 2))
        let third = try Worlds.World(context: fixture.moc)
        #expect(third[ids[0], Speed.self] == nil)
        #expect(third[ids[1], Speed.self] == Speed(x: 2, y: 2))
        #expect(!third.isAlive(ids[0]))
    }

    @Test func an_unchanged_neighbour_that_left_is_no_conflict() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1)])
        try one.save()
        let second = try Worlds.World(context: two)
        second[ids[1], Place.self]?.x = 5
        first.despawn(ids[0])
        try one.save()
        try two.save()
        #expect(second[ids[1], Place.self] == Place(x: 5, y: 1))
        try verify()
    }

    @Test func a_merge_that_leaves_nothing_leaves_no_chunk() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1)])
        try one.save()
        let second = try Worlds.World(context: two)
        first.despawn(ids[0])
        second.despawn(ids[1])
        try one.save()
        try two.save()
        #expect(try WorldPages(fixture.url).chunks() == [])
        try verify()
    }
}
