// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Deletions of managed game objects by the context of their world, beside the saves of others.
@MainActor
@Suite struct ManagedDeletionConflictTests {
    let stack: HistoryWorld
    let world: Worlds.World
    let hero: GameObject
    let squire: GameObject
    /// The hero, the squire, and one that has no managed object.
    let ids: [GameObjectID]
    let other: NSManagedObjectContext
    let elsewhere: Worlds.World

    init() throws {
        stack = try HistoryWorld()
        world = try Worlds.World(context: stack.moc)
        hero = GameObject.create(name: "Hero", moc: stack.moc)
        squire = GameObject.create(name: "Squire", moc: stack.moc)
        ids = [try hero.id(in: world), try squire.id(in: world), world.spawn()]
        for id in ids { world[id, Place.self] = Place(x: 1, y: 1) }
        try stack.moc.save()
        other = stack.fixture.context()
        elsewhere = try Worlds.World(context: other)
    }

    private var moc: NSManagedObjectContext { stack.moc }

    private func names() throws -> [String] {
        let context = stack.fixture.context()
        return try withExtendedLifetime(context) {
            try context.fetch(GameObject.fetchRequest()).compactMap(\.name).sorted()
        }
    }

    private func expectFile(_ alive: [GameObjectID]) throws {
        let context = stack.fixture.context()
        let fresh = try Worlds.World(context: context)
        #expect(fresh.query(GameObjectID.self).objects == alive)
        #expect(fresh.query(Place.self).objects == alive)
        #expect(alive.flatMap { fresh.links(from: $0) } == [])
        #expect(!context.hasChanges)
        try stack.verify()
    }

    @Test(arguments: [false, true]) func a_component_that_others_change(_ isNew: Bool) throws {
        if isNew {
            elsewhere[ids[0], Speed.self] = Speed(x: 1, y: 1)
        } else {
            elsewhere[ids[0], Place.self] = Place(x: 2, y: 2)
        }
        try other.save()
        moc.delete(hero)
        let error = #expect(throws: CocoaError.self) { try moc.save() }
        #expect(error?.code == .managedObjectMerge)
        #expect(
            error?.localizedDescription
                == "\(isNew ? "Speed" : "Place") of the game object \(ids[0]) was changed here and "
                + "by another context or program; roll back, or set a merge policy")
        #expect(world.isAlive(ids[0]) && world[ids[0], Place.self] == Place(x: 1, y: 1))
        // As with any deleted object: who has seen the change may delete it.
        world.advance()
        #expect(world[ids[0], Place.self] == (isNew ? Place(x: 1, y: 1) : Place(x: 2, y: 2)))
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try names() == ["Squire"])
        try expectFile([ids[1], ids[2]])
    }

    @Test(arguments: 0..<4) func policies(_ number: Int) throws {
        let policies: [NSMergePolicy] = [
            .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
        ]
        moc.mergePolicy = policies[number]
        elsewhere[ids[0], Place.self] = Place(x: 2, y: 2)
        elsewhere[ids[0], Speed.self] = Speed(x: 2, y: 2)
        elsewhere.relate(ids[0], Likes.self, to: ids[2])
        try other.save()
        moc.delete(hero)
        try moc.save()
        // The managed object has no conflict, and components of one that is gone go with it.
        #expect(!moc.hasChanges && !world.isAlive(ids[0]))
        #expect(
            try stack.story(ids[0]).last
                == "3: -GameObject/1 -Place/1 -Speed/1 -Likes/1>3")
        try expectFile([ids[1], ids[2]])
    }

    @Test func what_others_relate_meanwhile_goes_along() throws {
        elsewhere.relate(ids[1], ChildOf.self, to: ids[2])
        elsewhere.relate(ids[2], ChildOf.self, to: ids[0])
        try other.save()
        moc.delete(hero)
        try moc.save()
        #expect(!moc.hasChanges && squire.managedObjectContext == nil)
        #expect(try names() == [])
        try expectFile([])
        elsewhere.advance()
        #expect(elsewhere.count == 0 && !other.hasChanges)
    }

    @Test func what_others_relate_meanwhile_may_deny_it() throws {
        elsewhere.relate(ids[2], Guards.self, to: ids[0])
        try other.save()
        moc.delete(hero)
        let error = #expect(throws: CocoaError.self) { try moc.save() }
        #expect(error?.code == .validationRelationshipDeniedDelete)
        #expect(world.isAlive(ids[0]))
        #expect(try names() == ["Hero", "Squire"])
        elsewhere.unrelate(ids[2], Guards.self)
        try other.save()
        try moc.save()
        try expectFile([ids[1], ids[2]])
    }

    @Test func an_object_that_the_world_has_not_met() throws {
        let page = GameObject.create(name: "Page", moc: other)
        let id = try page.id(in: elsewhere)
        elsewhere[id, Place.self] = Place(x: 3, y: 3)
        elsewhere.relate(ids[2], ChildOf.self, to: id)
        try other.save()
        #expect(!world.isAlive(id))
        moc.delete(try #require(try GameObject.fetch(name: "Page", moc: moc)))
        try moc.save()
        #expect(!moc.hasChanges)
        #expect(try stack.story(ids[0]).last?.hasPrefix("3: -GameObject/3") == true)
        try expectFile([ids[0], ids[1]])
    }

    @Test func a_policy_that_takes_the_deletion_back_keeps_everything() throws {
        world.relate(ids[2], ChildOf.self, to: ids[0])
        world.relate(ids[2], Guards.self, to: ids[2])
        try moc.save()
        try #require(try GameObject.fetch(name: "Hero", moc: other)).name = "Renamed"
        try other.save()
        moc.delete(hero)
        moc.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try moc.save()
        #expect(!moc.hasChanges && !hero.isDeleted)
        #expect(try names() == ["Renamed", "Squire"])
        #expect(world.count == 3 && world.target(of: ids[2], ChildOf.self) == ids[0])
        let fresh = try Worlds.World(context: stack.fixture.context())
        #expect(fresh[ids[0], Place.self] == Place(x: 1, y: 1))
        #expect(fresh.links(to: ids[0]).count == 1)
    }

    @Test func a_commit_of_others_in_the_middle_of_the_save() throws {
        // The squire goes along by a link that the save finds, and its deletion is told.
        elsewhere.relate(ids[1], ChildOf.self, to: ids[0])
        try other.save()
        let told = Told { [elsewhere, other, ids] in
            elsewhere.advance()
            elsewhere.relate(ids[2], ChildOf.self, to: ids[1])
            #expect(throws: Never.self) { try other.save() }
        }
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: moc, queue: nil
        ) { note in
            let count = (note.userInfo?[NSDeletedObjectsKey] as? Set<GameObject>)?.count ?? 0
            MainActor.assumeIsolated { told.hear(of: count) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        moc.delete(hero)
        moc.processPendingChanges()
        told.count = 0
        try moc.save()
        #expect(told.count == 1)
        #expect(try names() == [])
        try expectFile([])
    }

    /// Commits when the first deletion is told after the count was set to 0.
    @MainActor private final class Told {
        var count = -1
        private let commit: () -> Void

        init(_ commit: @escaping () -> Void) { self.commit = commit }

        func hear(of deletions: Int) {
            guard count >= 0, deletions > 0 else { return }
            count += 1
            if count == 1 { commit() }
        }
    }

    @Test func deletions_by_those_without_a_world_are_left_to_the_next_one() throws {
        elsewhere.relate(ids[1], ChildOf.self, to: ids[0])
        elsewhere.relate(ids[2], Likes.self, to: ids[0])
        try other.save()
        let plain = stack.fixture.context()
        plain.delete(try #require(try GameObject.fetch(name: "Hero", moc: plain)))
        try plain.save()
        #expect(try names() == ["Squire"])
        world.advance()
        #expect(moc.hasChanges && !world.isAlive(ids[1]))
        try moc.save()
        #expect(try names() == [])
        try expectFile([ids[2]])
    }

    @Test func a_file_that_cannot_be_written() throws {
        // A file of its own, which nobody has open any more.
        let fixture = try WorldFixture()
        func fill() throws -> [GameObjectID] {
            let world = try Worlds.World(context: fixture.moc)
            let ids = [try GameObject.create(name: "Hero", moc: fixture.moc).id(in: world)]
            let child = world.spawn(Place(x: 1, y: 1))
            world.relate(child, ChildOf.self, to: ids[0])
            try fixture.moc.save()
            let coordinator = fixture.container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            return ids + [child]
        }
        let ids = try fill()
        let container = NSPersistentContainer(name: "World", managedObjectModel: fixture.model)
        let description = NSPersistentStoreDescription(url: fixture.url)
        description.isReadOnly = true
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        try #require(failure == nil)
        let context = container.viewContext
        let reader = try Worlds.World(context: context)
        context.delete(try #require(try GameObject.fetch(name: "Hero", moc: context)))
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(reader.count == 2 && reader.target(of: ids[1], ChildOf.self) == ids[0])
        context.rollback()
        #expect(!context.hasChanges && reader.count == 2)
        #expect(reader.sources(of: ids[0], ChildOf.self) == [ids[1]])
    }

    @Test func on_the_queue_of_a_background_context() throws {
        let context = stack.fixture.container.newBackgroundContext()
        let count = try context.performAndWait {
            let world = try Worlds.World(context: context)
            let hero = try #require(try GameObject.fetch(name: "Hero", moc: context))
            world.relate(ids[2], ChildOf.self, to: ids[0])
            try context.save()
            context.delete(hero)
            try context.save()
            #expect(!context.hasChanges)
            return world.count
        }
        #expect(count == 1)
        try expectFile([ids[1]])
    }
}
