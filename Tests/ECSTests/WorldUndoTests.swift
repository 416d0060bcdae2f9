// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Changes of worlds that an undo manager takes back.
@MainActor
@Suite struct WorldUndoTests {
    let fixture: WorldFixture
    let world: Worlds.World
    let manager = UndoManager()

    init() throws {
        fixture = try WorldFixture()
        world = try Worlds.World(context: fixture.moc)
        manager.groupsByEvent = false
        fixture.moc.undoManager = manager
    }

    private func act(_ name: String, _ body: () -> Void) {
        manager.beginUndoGrouping()
        world.undoable(name) { body() }
        fixture.moc.processPendingChanges()
        manager.endUndoGrouping()
    }

    @Test func changes_go_back_and_forth() throws {
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try fixture.moc.save()
        act("Move") {
            world[ids[0], Place.self]?.x = 10
            world.despawn(ids[1])
        }
        #expect(manager.undoActionName == "Move")
        act("Relate") {
            world.relate(ids[0], Likes.self, to: world.spawn(Place(x: 3, y: 3)))
        }
        #expect(world.query(Place.self).count == 2)
        manager.undo()
        #expect(world.targets(of: ids[0], Likes.self) == [])
        #expect(world.query(Place.self).objects == [ids[0]])
        manager.undo()
        #expect(world[ids[0], Place.self] == Place(x: 1, y: 1))
        #expect(world[ids[1], Place.self] == Place(x: 2, y: 2))
        try fixture.moc.save()
        manager.redo()
        manager.redo()
        #expect(world[ids[0], Place.self] == Place(x: 10, y: 1))
        #expect(!world.isAlive(ids[1]))
        #expect(world.targets(of: ids[0], Likes.self).count == 1)
        try fixture.moc.save()
        let other = try Worlds.World(context: fixture.context())
        #expect(other.targets(of: ids[0], Likes.self).count == 1)
        try WorldPages(fixture.url).verify()
    }

    @Test(arguments: [true, false])
    func an_action_within_another_one_is_a_part_of_it(_ groupsByEvent: Bool) throws {
        let id = world.spawn(Place(x: 0, y: 0))
        try fixture.moc.save()
        manager.groupsByEvent = groupsByEvent
        if !groupsByEvent { manager.beginUndoGrouping() }
        world.undoable {
            world[id, Place.self]?.x = 1
            world.undoable("Inner") { world[id, Place.self]?.x = 2 }
            world.undoable("Nothing") {}
        }
        if !groupsByEvent { manager.endUndoGrouping() }
        #expect(manager.undoActionName == "Inner")
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 0)
        fixture.moc.redo()
        #expect(world[id, Place.self]?.x == 2)
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 0)
    }

    @Test func what_changes_nothing_names_nothing() throws {
        let id = world.spawn(Place(x: 0, y: 0))
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        try fixture.moc.save()
        manager.removeAllActions()
        manager.groupsByEvent = true
        world.undoable("Move") { world[id, Place.self]?.x = 1 }
        fixture.moc.processPendingChanges()
        world.undoable("Nothing") { world[id, Place.self]?.x = 1 }
        #expect(manager.undoActionName == "Move")
        world.undoable("Rename") { hero.name = "Heroine" }
        #expect(manager.undoActionName == "Rename")
        fixture.moc.undo()
        #expect(hero.name == "Hero")
        #expect(manager.undoActionName == "Move")
    }

    @Test func what_was_changed_in_front_of_an_action_is_not_named_by_it() throws {
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        try fixture.moc.save()
        manager.removeAllActions()
        manager.groupsByEvent = true
        hero.name = "Heroine"
        world.undoable("Nothing") {}
        fixture.moc.processPendingChanges()
        #expect(manager.canUndo)
        #expect(manager.undoActionName == "")
        // The same object once more, one that is deleted, and one that is inserted.
        hero.name = "Heron"
        world.undoable("Rename") { hero.name = "Hera" }
        fixture.moc.processPendingChanges()
        #expect(manager.undoActionName == "Rename")
        let other = GameObject.create(name: "Other", moc: fixture.moc)
        world.undoable("Same") { _ = hero.name }
        #expect(manager.undoActionName != "Same")
        world.undoable("Delete") { fixture.moc.delete(other) }
        world.undoable("Nothing") {}
        #expect(manager.undoActionName == "Delete")
        world.undoable("Insert") { _ = GameObject.create(name: "New", moc: fixture.moc) }
        #expect(manager.undoActionName == "Insert")
    }

    @Test(arguments: [true, false])
    func taking_all_changes_back_drops_the_actions_of_both(_ resets: Bool) throws {
        let id = world.spawn(Place(x: 0, y: 0))
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        try fixture.moc.save()
        manager.removeAllActions()
        act("Both") {
            world[id, Place.self]?.x = 1
            hero.name = "Heroine"
        }
        try fixture.moc.save()
        if resets { fixture.moc.reset() } else { fixture.moc.rollback() }
        #expect(!manager.canUndo)
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 1)
        #expect(try GameObject.fetch(name: "Heroine", moc: fixture.moc) != nil)
    }

    @Test func managed_objects_come_back_with_their_values() throws {
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world.add(Place(x: 4, y: 5), to: id)
        try fixture.moc.save()
        manager.removeAllActions()
        act("Kill") { world.despawn(id) }
        #expect(try GameObject.fetch(name: "Hero", moc: fixture.moc) == nil)
        manager.undo()
        #expect(try GameObject.fetch(name: "Hero", moc: fixture.moc) != nil)
        #expect(world[id, Place.self] == Place(x: 4, y: 5))
        try fixture.moc.save()
        let other = try Worlds.World(context: fixture.context())
        #expect(other[id, Place.self] == Place(x: 4, y: 5))
        manager.redo()
        try fixture.moc.save()
        #expect(!world.isAlive(id))
        #expect(try GameObject.fetch(name: "Hero", moc: fixture.context()) == nil)
        try WorldPages(fixture.url).verify()
    }

    @Test func what_others_have_despawned_stays_gone() throws {
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try fixture.moc.save()
        act("Move") {
            world[ids[0], Place.self]?.x = 10
            world[ids[1], Place.self]?.x = 20
        }
        try fixture.moc.save()
        let moc = fixture.context()
        try Worlds.World(context: moc).despawn(ids[1])
        try moc.save()
        world.advance()
        manager.undo()
        #expect(world[ids[0], Place.self] == Place(x: 1, y: 1))
        #expect(world.query(Place.self).objects == [ids[0]])
        try fixture.moc.save()
        try WorldPages(fixture.url).verify()
    }

    @Test func what_changes_nothing_is_no_action_and_without_a_manager_all_stays() throws {
        let id = world.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        manager.removeAllActions()
        manager.beginUndoGrouping()
        world.undoable { world[id, Place.self]?.x += 0 }
        manager.endUndoGrouping()
        world.query(Place.self).forEach { _ in }
        fixture.moc.undoManager = nil
        #expect(
            world.undoable {
                world[id, Place.self]?.x += 1; return 7
            } == 7)
        #expect(world[id, Place.self] == Place(x: 2, y: 1))
        let alone = Worlds.World()
        let object = alone.spawn()
        manager.beginUndoGrouping()
        alone.undoable(with: manager) { alone[object, Place.self] = Place(x: 1, y: 1) }
        manager.endUndoGrouping()
        manager.undo()
        #expect(alone[object, Place.self] == nil)
        #expect(alone.isAlive(object))
    }

    /// Nothing but the world has changed, so the context has no event of its own.
    @Test func processing_and_saving_end_an_event_of_the_world_alone() throws {
        manager.groupsByEvent = true
        let id = world.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        world.undoable("First") { world[id, Place.self]?.x = 2 }
        fixture.moc.processPendingChanges()
        world.undoable("Second") { world[id, Place.self]?.x = 3 }
        try fixture.moc.save()
        world.undoable("Third") { world[id, Place.self]?.x = 4 }
        #expect(manager.undoActionName == "Third")
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 3)
        #expect(manager.undoActionName == "Second")
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 2)
        fixture.moc.undo()
        #expect(world[id, Place.self]?.x == 1)
        #expect(!manager.canUndo)
        fixture.moc.redo()
        #expect(world[id, Place.self]?.x == 2)
    }

    /// Everything that matters of a world, as text.
    private func text(_ world: Worlds.World) -> String {
        let objects = world.query(GameObjectID.self).objects.map { id in
            "\(id) \(String(describing: world[id, Place.self])) \(world.has(Asleep.self, id)) "
                + "\(world.targets(of: id, Likes.self)) \(world.sources(of: id, Likes.self)) "
                + "\(world.sources(of: id, ChildOf.self))"
        }
        return (objects + ["\(String(describing: world[resource: Speed.self]))"])
            .joined(separator: "\n")
    }

    private func change(_ world: Worlds.World, _ random: inout SeededGenerator) {
        let ids = world.query(GameObjectID.self).objects
        guard let one = ids.randomElement(using: &random),
            let other = ids.randomElement(using: &random)
        else {
            world.spawnAll((0..<5).map { Place(x: $0, y: 0) })
            return
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: world.spawn(Place(x: 9, y: 9), Asleep())
        case 1: world.despawn(one)
        case 2: world.relate(one, Likes.self, to: other)
        case 3 where one != other: world.relate(one, ChildOf.self, to: other)
        case 4: world.unrelate(one, Likes.self)
        case 5: world[resource: Speed.self] = Speed(x: Int32(ids.count), y: 0)
        case 6: world.remove(Place.self, from: one)
        default: world[one, Place.self] = Place(x: Int32.random(in: 0..<9, using: &random), y: 1)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func everything_goes_back_and_forth(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = Worlds.World()
        var states = [text(world)]
        for _ in 0..<40 {
            manager.beginUndoGrouping()
            world.undoable(with: manager) {
                for _ in 0..<Int.random(in: 1..<6, using: &random) { change(world, &random) }
            }
            manager.endUndoGrouping()
            // What changes nothing is no action.
            if text(world) != states.last { states.append(text(world)) }
        }
        for _ in 0..<3 {
            for state in states.dropLast().reversed() {
                manager.undo()
                #expect(text(world) == state)
            }
            for state in states.dropFirst() {
                manager.redo()
                #expect(text(world) == state)
            }
        }
    }
}
