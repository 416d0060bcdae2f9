// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Despawning game objects whose managed objects cannot be read: no save leaves one of them behind.
@MainActor
@Suite struct DespawnErrorTests {
    let fixture: WorldFixture
    let ids: [GameObjectID]
    let pages: WorldPages
    private static let wrong = [UInt8](repeating: 0, count: 5)

    init() throws {
        fixture = try WorldFixture()
        let moc = fixture.moc
        let world = try Worlds.World(context: moc)
        ids = try ["First", "Second", "Third"].map { name in
            let id = try GameObject.create(name: name, moc: moc).id(in: world)
            world[id, Place.self] = Place(x: 1, y: 2)
            return id
        }
        try moc.save()
        pages = try WorldPages(fixture.url)
    }

    /// What a program without a world finds.
    private func names() throws -> [String] {
        let context = fixture.context()
        return try withExtendedLifetime(context) {
            try context.fetch(GameObject.fetchRequest()).compactMap(\.name).sorted()
        }
    }

    @Test func each_save_tries_again_and_throws_until_it_can() throws {
        let context = fixture.context()
        let world = try Worlds.World(context: context)
        let former = try pages.setGameObject(ids[1], Self.wrong)
        world.despawn(ids[1])
        #expect(world.count == 2 && context.hasChanges)
        for _ in 0..<3 {
            let error = #expect(throws: CocoaError.self) { try context.save() }
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("of GameObject has 5 bytes"), "\(text)")
            #expect(context.hasChanges && !world.isAlive(ids[1]))
        }
        try pages.setGameObject(ids[1], former)
        // The failed saves have written nothing.
        #expect(try names() == ["First", "Second", "Third"])
        #expect(try Worlds.World(context: fixture.context()).count == 3)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try names() == ["First", "Third"])
        let last = try Worlds.World(context: fixture.context())
        #expect(last.query(Place.self).objects == [ids[0], ids[2]])
    }

    @Test func several_at_once() throws {
        let context = fixture.context()
        let world = try Worlds.World(context: context)
        let former = try [0, 2].map { try pages.setGameObject(ids[$0], Self.wrong) }
        world.despawn(ids)
        #expect(throws: CocoaError.self) { try context.save() }
        try pages.setGameObject(ids[2], former[1])
        #expect(throws: CocoaError.self) { try context.save() }
        try pages.setGameObject(ids[0], former[0])
        #expect(try names() == ["First", "Second", "Third"])
        try context.save()
        #expect(try names() == [])
        #expect(try Worlds.World(context: fixture.context()).count == 0)
    }

    @Test func a_rollback_forgets_it() throws {
        let context = fixture.context()
        let world = try Worlds.World(context: context)
        let former = try pages.setGameObject(ids[0], Self.wrong)
        world.despawn(ids[0])
        #expect(throws: CocoaError.self) { try context.save() }
        context.rollback()
        #expect(!context.hasChanges && world.isAlive(ids[0]))
        try context.save()
        try pages.setGameObject(ids[0], former)
        world[ids[2], Place.self] = Place(x: 3, y: 4)
        try context.save()
        #expect(try names() == ["First", "Second", "Third"])
    }

    @Test func a_game_object_that_comes_back_keeps_its_managed_object() throws {
        let context = fixture.context()
        context.undoManager = UndoManager()
        let world = try Worlds.World(context: context)
        let former = try pages.setGameObject(ids[0], Self.wrong)
        world.undoable { _ = world.despawn(ids[0]) }
        #expect(throws: CocoaError.self) { try context.save() }
        try pages.setGameObject(ids[0], former)
        context.undo()
        #expect(world.isAlive(ids[0]))
        try context.save()
        #expect(try names() == ["First", "Second", "Third"])
        let last = try Worlds.World(context: fixture.context())
        #expect(last[ids[0], Place.self] == Place(x: 1, y: 2))
    }

    @Test func what_others_take_along_is_deleted_or_thrown() throws {
        let context = fixture.context()
        let world = try Worlds.World(context: context)
        world.relate(ids[0], ChildOf.self, to: ids[1])
        try context.save()
        // The target goes elsewhere, and the source goes along when this context saves.
        let other = fixture.context()
        other.delete(try #require(try GameObject.fetch(name: "Second", moc: other)))
        try other.save()
        context.reset()
        world[ids[2], Place.self] = Place(x: 5, y: 6)
        let former = try pages.setGameObject(ids[0], Self.wrong)
        for _ in 0..<2 { #expect(throws: CocoaError.self) { try context.save() } }
        try pages.setGameObject(ids[0], former)
        #expect(try names() == ["First", "Third"])
        try context.save()
        #expect(try names() == ["Third"])
        let last = try Worlds.World(context: fixture.context())
        #expect(last.query(Place.self).objects == [ids[2]])
    }
}
