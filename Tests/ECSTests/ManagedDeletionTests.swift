// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

enum Guards: Worlds.Relationship {
    static let whenTargetDespawns = RelationshipDeleteRule.deny
}

/// Managed game objects that are deleted as objects by the context of their world: one save.
@MainActor
@Suite struct ManagedDeletionTests {
    let stack: HistoryWorld
    let world: Worlds.World
    let heroes: [GameObject]
    /// Three of managed game objects and one that the world alone knows.
    let ids: [GameObjectID]

    init() throws {
        stack = try HistoryWorld()
        let world = try Worlds.World(context: stack.moc)
        heroes = ["Hero", "Squire", "Foe"].map { [moc = stack.moc] in
            GameObject.create(name: $0, moc: moc)
        }
        ids = try heroes.map { try $0.id(in: world) } + [world.spawn()]
        for id in ids { world.add(Place(x: 1, y: 1), Title(text: "t"), to: id) }
        self.world = world
    }

    private var moc: NSManagedObjectContext { stack.moc }

    /// The names of the managed game objects in the file.
    private func names() throws -> [String] {
        let context = stack.fixture.context()
        return try withExtendedLifetime(context) {
            try context.fetch(GameObject.fetchRequest()).compactMap(\.name).sorted()
        }
    }

    /// What the last save did, in the order of the words.
    private func lastStory() throws -> [String] {
        try #require(try stack.story(ids[0]).last).split(separator: " ").dropFirst()
            .map(String.init).sorted()
    }

    /// The file as a new world finds it: what is alive, and how many links there are.
    private func expectFile(_ alive: [GameObjectID], links: Int) throws {
        let context = stack.fixture.context()
        let fresh = try Worlds.World(context: context)
        #expect(fresh.query(GameObjectID.self).objects == alive)
        // Nothing was left for it to do.
        #expect(!context.hasChanges)
        #expect(fresh.query(Place.self).objects == alive)
        #expect(fresh.query(Title.self).objects == alive)
        #expect(alive.reduce(0) { $0 + fresh.links(from: $1).count } == links)
        try stack.verify()
    }

    @Test func one_save_takes_components_tags_and_links_along() throws {
        world[ids[0], Asleep.self] = Asleep()
        world.relate(ids[0], Likes.self, to: ids[1])
        world.relate(ids[1], Likes.self, to: ids[0])
        world.relate(ids[0], Likes.self, to: ids[0])
        world.relate(ids[2], Likes.self, to: ids[3])
        world.relate(ids[0], ChildOf.self, to: ids[3])
        try moc.save()
        moc.delete(heroes[0])
        // It may be taken back, so the world has it up to the save.
        #expect(world.isAlive(ids[0]))
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(world.query(GameObjectID.self).objects == Array(ids[1...]))
        #expect(world.links(from: ids[1]) == [] && world.links(to: ids[3]).count == 1)
        #expect(world[ids[0], Place.self] == nil && world[ids[0], Title.self] == nil)
        #expect(!world.has(Asleep.self, ids[0]))
        #expect(
            try lastStory() == [
                "-Asleep/1", "-ChildOf/1>4", "-GameObject/1", "-Likes/1>1", "-Likes/1>2",
                "-Likes/2>1", "-Place/1", "-Title/1",
            ])
        #expect(try stack.transactions().count == 2)
        try expectFile(Array(ids[1...]), links: 1)
        // The next save finds nothing to do.
        try moc.save()
        #expect(try stack.transactions().count == 2)
    }

    @Test func a_cascade_goes_with_the_same_save() throws {
        // The squire follows by way of one that has no managed object.
        world.relate(ids[3], ChildOf.self, to: ids[0])
        world.relate(ids[1], ChildOf.self, to: ids[3])
        world.relate(ids[2], Likes.self, to: ids[1])
        try moc.save()
        moc.delete(heroes[0])
        moc.processPendingChanges()
        #expect(heroes[1].isDeleted && !heroes[2].isDeleted)
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try names() == ["Foe"])
        #expect(
            try lastStory() == [
                "-ChildOf/2>4", "-ChildOf/4>1", "-GameObject/1", "-GameObject/2", "-GameObject/4",
                "-Likes/3>2", "-Place/1", "-Place/2", "-Place/4", "-Title/1", "-Title/2",
                "-Title/4",
            ])
        #expect(try stack.transactions().last?.changes?.count == 2)
        try expectFile([ids[2]], links: 0)
    }

    @Test func delete_rules_that_wait_for_the_save() throws {
        moc.propagatesDeletesAtEndOfEvent = false
        world.relate(ids[1], ChildOf.self, to: ids[0])
        try moc.save()
        moc.delete(heroes[0])
        moc.processPendingChanges()
        #expect(!heroes[1].isDeleted)
        try moc.save()
        #expect(try names() == ["Foe"])
        try expectFile([ids[2], ids[3]], links: 0)
    }

    @Test func a_deny_rule_refuses_the_save_until_its_links_go() throws {
        world.relate(ids[3], Guards.self, to: ids[1])
        world.relate(ids[1], ChildOf.self, to: ids[0])
        try moc.save()
        moc.delete(heroes[0])
        for _ in 0..<2 {
            let error = #expect(throws: CocoaError.self) { try moc.save() }
            #expect(error?.code == .validationRelationshipDeniedDelete)
            #expect(
                error?.localizedDescription
                    == "the game object \(ids[1]) cannot be deleted: Guards of \(ids[3]) leads to "
                    + "it and denies that; end the relationship, or delete both")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? GameObject === heroes[1])
            #expect(world.count == 4 && world.target(of: ids[1], ChildOf.self) == ids[0])
            #expect(world[ids[0], Place.self] == Place(x: 1, y: 1))
        }
        #expect(try names() == ["Foe", "Hero", "Squire"])
        world.unrelate(ids[3], Guards.self, from: ids[1])
        try moc.save()
        #expect(
            try lastStory() == [
                "-ChildOf/2>1", "-GameObject/1", "-GameObject/2", "-Guards/4>2", "-Place/1",
                "-Place/2", "-Title/1", "-Title/2",
            ])
        try expectFile([ids[2], ids[3]], links: 0)
    }

    @Test func who_goes_along_denies_nothing() throws {
        world.relate(ids[1], Guards.self, to: ids[0])
        world.relate(ids[0], Guards.self, to: ids[0])
        try moc.save()
        moc.delete(heroes[1])
        moc.delete(heroes[0])
        try moc.save()
        #expect(try names() == ["Foe"])
        try expectFile([ids[2], ids[3]], links: 0)
    }

    @Test func a_deletion_that_is_undone_before_the_save_has_done_nothing() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        moc.undoManager = manager
        manager.beginUndoGrouping()
        world.relate(ids[1], ChildOf.self, to: ids[0])
        world.relate(ids[3], Guards.self, to: ids[2])
        try moc.save()
        manager.endUndoGrouping()
        manager.removeAllActions()
        manager.beginUndoGrouping()
        moc.delete(heroes[0])
        moc.delete(heroes[2])
        moc.processPendingChanges()
        manager.endUndoGrouping()
        #expect(throws: CocoaError.self) { try moc.save() }
        moc.undo()
        #expect(heroes.allSatisfy { !$0.isDeleted })
        #expect(world.count == 4 && world.target(of: ids[1], ChildOf.self) == ids[0])
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try names() == ["Foe", "Hero", "Squire"])
        #expect(try stack.transactions().count == 1)
        moc.redo()
        world.unrelate(ids[3], Guards.self)
        try moc.save()
        #expect(try names() == [])
        try expectFile([ids[3]], links: 0)
    }

    @Test func a_rollback_after_a_refused_save() throws {
        world.relate(ids[1], ChildOf.self, to: ids[0])
        world.relate(ids[3], Guards.self, to: ids[0])
        try moc.save()
        moc.delete(heroes[0])
        #expect(throws: CocoaError.self) { try moc.save() }
        moc.rollback()
        #expect(!moc.hasChanges)
        #expect(world.count == 4 && world.sources(of: ids[0], ChildOf.self) == [ids[1]])
        try moc.save()
        #expect(try names() == ["Foe", "Hero", "Squire"])
        #expect(try stack.transactions().count == 1)
        try expectFile(ids, links: 2)
    }

    @Test func an_object_that_was_never_saved() throws {
        moc.undoManager = UndoManager()
        let page = GameObject.create(name: "Page", moc: moc)
        let id = try page.id(in: world)
        world[id, Place.self] = Place(x: 7, y: 7)
        world.relate(ids[3], ChildOf.self, to: id)
        world.relate(ids[0], Guards.self, to: id)
        world.relate(ids[0], Guards.self, to: ids[1])
        moc.processPendingChanges()
        try stack.fixture.context().save()
        // The squire's deletion is refused, and the page is taken back.
        moc.delete(page)
        moc.delete(heroes[1])
        moc.processPendingChanges()
        moc.undo()
        #expect(world[id, Place.self] == Place(x: 7, y: 7))
        try moc.save()
        #expect(try names() == ["Foe", "Hero", "Page", "Squire"])
        let other = GameObject.create(name: "Other", moc: moc)
        let last = try other.id(in: world)
        world[last, Place.self] = Place(x: 8, y: 8)
        world.relate(ids[2], ChildOf.self, to: last)
        world.relate(ids[0], Guards.self, to: last)
        moc.delete(other)
        try moc.save()
        // No rule keeps what was never in the file; a cascade does its work.
        #expect(!world.isAlive(last) && !world.isAlive(ids[2]))
        #expect(try names() == ["Hero", "Page", "Squire"])
        #expect(world.links(from: ids[0]).map(\.target) == [ids[1], id])
    }

    @Test func a_child_context_deletes() throws {
        world.relate(ids[1], ChildOf.self, to: ids[0])
        world.relate(ids[2], Likes.self, to: ids[0])
        try moc.save()
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = moc
        child.delete(try #require(try GameObject.fetch(name: "Hero", moc: child)))
        try child.save()
        #expect(heroes[0].isDeleted && heroes[1].isDeleted && world.count == 4)
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try GameObject.fetch(name: "Squire", moc: child) == nil)
        #expect(try names() == ["Foe"])
        try expectFile([ids[2], ids[3]], links: 0)
    }

    @Test func observers_hear_of_it_once() throws {
        world.relate(ids[2], Likes.self, to: ids[0])
        world.relate(ids[3], Guards.self, to: ids[0])
        try moc.save()
        world.advance()
        var heard: [String] = []
        world.observe(Place.self) { _, event in
            if case .removed(let object, let place) = event { heard.append("\(object) \(place)") }
        }
        world.observe(Link<Likes>.self) { _, event in
            if case .removed(_, let link) = event { heard.append("\(link.source)>\(link.target)") }
        }
        moc.delete(heroes[0])
        #expect(throws: CocoaError.self) { try moc.save() }
        world.advance()
        #expect(heard == [])
        world.unrelate(ids[3], Guards.self)
        try moc.save()
        world.advance()
        world.advance()
        #expect(heard == ["\(ids[0]) \(Place(x: 1, y: 1))", "\(ids[2])>\(ids[0])"])
    }

    @Test func a_world_that_nobody_holds_takes_no_part() throws {
        let context = stack.fixture.context()
        world.relate(ids[1], ChildOf.self, to: ids[0])
        try moc.save()
        func delete() throws {
            let other = try Worlds.World(context: context)
            context.delete(try #require(try GameObject.fetch(name: "Hero", moc: context)))
            context.processPendingChanges()
            #expect(other.count == 4)
        }
        try delete()
        #expect(context.world == nil)
        try context.save()
        // The squire went by the rule that the world knew while it was there.
        #expect(try names() == ["Foe"])
        world.advance()
        #expect(world.query(GameObjectID.self).objects == [ids[2], ids[3]])
    }

    @Test func a_store_in_memory() throws {
        let container = NSPersistentContainer(
            name: "World", managedObjectModel: stack.fixture.model)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        try #require(failure == nil)
        let context = container.viewContext
        let world = try Worlds.World(context: context)
        let hero = GameObject.create(name: "Hero", moc: context)
        let id = try hero.id(in: world)
        let (child, guardian) = (world.spawn(Place(x: 1, y: 1)), world.spawn())
        world.relate(child, ChildOf.self, to: id)
        world.relate(guardian, Guards.self, to: id)
        try context.save()
        context.delete(hero)
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(world.count == 3)
        world.unrelate(guardian, Guards.self)
        try context.save()
        #expect(!context.hasChanges)
        #expect(world.query(GameObjectID.self).objects == [guardian])
        #expect(try context.count(for: GameObject.fetchRequest()) == 0)
    }

    @Test func many_objects_at_once() throws {
        let names = (0..<3_000).map { "\($0)" }
        let many = names.map { GameObject.create(name: $0, moc: moc) }
        let rows = try many.map { try $0.id(in: world) }
        for (index, id) in rows.enumerated() {
            world.add(Place(x: Int32(index), y: 0), Asleep(), Title(text: "\(index % 7)"), to: id)
            if index > 0 { world.relate(id, Likes.self, to: rows[index - 1]) }
        }
        try moc.save()
        for (index, object) in many.enumerated() where index % 3 != 0 { moc.delete(object) }
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try lastStory().count == 2_000 * 4 + 2_999)
        let kept = rows.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(world.query(Asleep.self).objects == kept)
        try expectFile(ids + kept, links: 0)
    }
}
