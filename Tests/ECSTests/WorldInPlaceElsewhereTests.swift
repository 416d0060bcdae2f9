// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Worlds that read a file in place while other contexts, threads and users come to it.
@MainActor
@Suite struct WorldInPlaceElsewhereTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    /// Two worlds with a conflict over a component that the file had not had before.
    private func conflict() throws -> (
        mine: Worlds.World, theirs: Worlds.World, moc: NSManagedObjectContext, ids: GameObjectIDs
    ) {
        let mine = try Worlds.World(context: fixture.moc)
        let ids = mine.spawnAll((0..<3).map { Place(x: $0, y: 0) })
        try fixture.moc.save()
        let moc = fixture.context()
        let theirs = try Worlds.World(context: moc)
        mine[ids[0], Speed.self] = Speed(x: 1, y: 1)
        theirs[ids[0], Speed.self] = Speed(x: 2, y: 2)
        theirs[ids[1], Speed.self] = Speed(x: 3, y: 3)
        try moc.save()
        mine.advance()
        #expect(mine[ids[0], Speed.self] == Speed(x: 1, y: 1))
        #expect(mine[ids[1], Speed.self] == Speed(x: 3, y: 3))
        theirs.remove(Speed.self, from: ids[0])
        theirs.remove(Speed.self, from: ids[1])
        try moc.save()
        return (mine, theirs, moc, ids)
    }

    @Test func what_others_remove_again_is_gone_after_a_rollback() throws {
        let (mine, theirs, _, ids) = try conflict()
        fixture.moc.rollback()
        #expect(mine[ids[0], Speed.self] == nil)
        #expect(mine[ids[1], Speed.self] == nil)
        mine[ids[2], Speed.self] = Speed(x: 4, y: 4)
        try fixture.moc.save()
        theirs.advance()
        #expect(theirs[ids[1], Speed.self] == nil)
        #expect(theirs[ids[2], Speed.self] == Speed(x: 4, y: 4))
    }

    @Test(arguments: [false, true])
    func what_others_remove_again_is_not_saved_back(advances: Bool) throws {
        let (mine, theirs, _, ids) = try conflict()
        if advances { mine.advance() }
        try fixture.moc.save()
        #expect(mine[ids[1], Speed.self] == nil)
        theirs.advance()
        #expect(theirs[ids[0], Speed.self] == Speed(x: 1, y: 1))
        #expect(theirs[ids[1], Speed.self] == nil)
    }

    /// The store takes the components of such an object away by itself.
    @Test func objects_of_another_class_take_their_components_along() throws {
        let hero = GameObject.create(name: "hero", moc: fixture.moc)
        let id: GameObjectID
        do {
            let world = try Worlds.World(context: fixture.moc)
            id = try hero.id(in: world)
            world[id, Place.self] = Place(x: 7, y: 7)
            world.spawnAll((0..<5_000).map { Place(x: $0, y: 0) })
            try fixture.moc.save()
        }
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities()
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let container = try NSPersistentContainer(name: "World", managedObjectModel: model)
            .reopened(at: fixture.url)
        let moc = container.viewContext
        let world = try Worlds.World(context: moc)
        #expect(world[id, Place.self] == Place(x: 7, y: 7))
        let found = try moc.fetch(NSFetchRequest<NSManagedObject>(entityName: "GameObject"))
        #expect(found.count == 1)
        for object in found { moc.delete(object) }
        try moc.save()
        #expect(!world.isAlive(id))
        #expect(world[id, Place.self] == nil)
        #expect(world.query(Place.self).objects.count == 5_000)
    }

    @Test func contexts_of_other_threads_commit_meanwhile() async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll((0..<9_000).map { Place(x: $0, y: 0) })
        try fixture.moc.save()
        let coordinator = fixture.container.persistentStoreCoordinator
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                let moc = NSManagedObjectContext(.privateQueue)
                moc.persistentStoreCoordinator = coordinator
                group.addTask {
                    for round in 0..<40 {
                        try await moc.perform {
                            for number in 0..<20 {
                                _ = GameObject.create(
                                    name: "\(thread) \(round) \(number)", moc: moc)
                            }
                            try moc.save()
                        }
                    }
                }
            }
            for round in 0..<60 as Range<Int32> {
                world[ids[Int(round) * 100], Place.self]?.y = 1
                var sum = 0
                world.query(Place.self).forEach { sum += Int($0.x) }
                #expect(sum == 40_495_500)
                if round % 3 == 0 { world.advance() }
                if round % 5 == 0 { try fixture.moc.save() }
                await Task.yield()
            }
            try await group.waitForAll()
        }
        try fixture.moc.save()
        let other = try Worlds.World(context: fixture.context())
        var changed = 0
        other.query(Place.self).forEach { changed += Int($0.y) }
        #expect(changed == 60)
        #expect(try fixture.moc.count(for: GameObject.fetchRequest()) == 2_400)
    }

    /// No writer would wait for the world to be done with pages that are not in use any more.
    @Test func without_the_lock_file_values_are_copied() async throws {
        guard geteuid() == 0 else { return print("skipped: needs two users") }
        do {
            let world = try Worlds.World(context: fixture.moc)
            world.spawnAll((0..<9_000).map { Place(x: $0, y: 0) })
            try fixture.moc.save()
        }
        for store in fixture.container.persistentStoreCoordinator.persistentStores {
            try fixture.container.persistentStoreCoordinator.remove(store)
        }
        let (path, folder) = (fixture.url.path, fixture.directory.path)
        for file in [path, path + "-lock"] { #expect(chmod(file, 0o444) == 0) }
        #expect(chmod(folder, 0o555) == 0)
        defer { chmod(folder, 0o755) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await MainActor.run {
                #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
                let model = NSManagedObjectModel()
                model.entities = GameObject.makeEntities()
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil,
                    at: URL(fileURLWithPath: path),
                    options: [NSReadOnlyPersistentStoreOption: true])
                let moc = NSManagedObjectContext(.mainQueue)
                moc.persistentStoreCoordinator = coordinator
                let world = try Worlds.World(context: moc)
                #expect(world.columns.allSatisfy { $0.mappedCount == 0 })
                var sum = 0
                world.query(Place.self).forEach { sum += Int($0.x) }
                #expect(sum == 40_495_500)
            }
        }
    }
}
