// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Worlds beside managed objects, rollbacks and other programs.
@MainActor
@Suite struct WorldObjectTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    @Test func values_and_managed_data_are_in_one_query() throws {
        let world = try Worlds.World(context: fixture.moc)
        let heroes = ["One", "Two", "Three"].map { GameObject.create(name: $0, moc: fixture.moc) }
        let ids = try heroes.map { try $0.id(in: world) }
        world[ids[0], Place.self] = Place(x: 1, y: 0)
        world[ids[2], Place.self] = Place(x: 3, y: 0)
        // Any managed object can be data: here game objects.
        for hero in heroes {
            let data = GameObject.create(name: "Data of \(hero.name ?? "")", moc: fixture.moc)
            try hero.addComponent(with: data, moc: fixture.moc)
        }
        func visit() throws -> [String] {
            var seen: [String] = []
            try world.query(Mut<Place>.self).forEach(with: GameObject.self) { data, place in
                place.y += 1
                seen.append("\(data.name ?? "") \(place.x) \(place.y)")
            }
            return seen
        }
        #expect(try visit() == ["Data of One 1 1", "Data of Three 3 1"])
        try fixture.moc.save()
        #expect(try visit() == ["Data of One 1 2", "Data of Three 3 2"])
        #expect(throws: CocoaError.self) {
            try Worlds.World().query(Place.self).forEach(with: GameObject.self) { _, _ in }
        }
    }

    @Test func a_despawned_game_object_does_not_come_back_by_its_id() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world.add(Place(x: 1, y: 0), to: id)
        try fixture.moc.save()
        world.despawn(id)
        let code = #expect(throws: CocoaError.self) { try hero.id(in: world) }?.code
        #expect(code?.rawValue == 134060)
        #expect(!world.isAlive(id))
        try fixture.moc.save()
        #expect(!world.isAlive(id))
        // One that is deleted is in the world until the save.
        let other = GameObject.create(name: "Other", moc: fixture.moc)
        let otherID = try other.id(in: world)
        try fixture.moc.save()
        fixture.moc.delete(other)
        #expect(try other.id(in: world) == otherID)
        try fixture.moc.save()
        #expect(!world.isAlive(otherID))
    }

    @Test func what_others_have_despawned_does_not_come_back_by_its_id() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        try fixture.moc.save()
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        let late = GameObject.create(name: "Late", moc: moc)
        #expect(other.despawn(id))
        try moc.save()
        world.advance()
        #expect(!world.isAlive(id))
        #expect(throws: CocoaError.self) { try hero.id(in: world) }
        #expect(!world.isAlive(id))
        // One that others have made since is in the file, and comes into the world.
        let same = try #require(try GameObject.fetch(name: "Late", moc: fixture.moc))
        #expect(try same.id(in: world) == late.id(in: other))
        #expect(world.count == 1)
    }

    @Test func a_loop_may_ask_for_the_ids_of_game_objects_of_the_world() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world.add(Place(x: 1, y: 0), to: id)
        var seen: [GameObjectID] = []
        try world.query(Place.self).forEach { _ in seen.append(try hero.id(in: world)) }
        #expect(seen == [id])
    }

    @Test func who_deletes_a_game_object_without_a_world_deletes_its_components() throws {
        let moc = fixture.context()
        let world = try Worlds.World(context: moc)
        let names = (0..<40).map { "Object \($0)" }
        let ids = try names.map { name in
            let id = try GameObject.create(name: name, moc: moc).id(in: world)
            world.add(Place(x: 1, y: 1), Asleep(), to: id)
            return id
        }
        let plain = world.spawn(Place(x: 2, y: 2))
        try moc.save()
        let other = fixture.context()
        other.delete(try #require(try GameObject.fetch(name: "Object 3", moc: other)))
        try other.save()
        world.advance()
        #expect(!world.isAlive(ids[3]))
        #expect(world[ids[3], Place.self] == nil)
        #expect(world.count == 40)
        // All at once, and by a request.
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "GameObject")
        request.predicate = NSPredicate(format: "name != 'Object 7'")
        try other.execute(NSBatchDeleteRequest(fetchRequest: request))
        world.advance()
        #expect(world.query(Place.self).objects == [ids[7], plain])
        #expect(world.query(Asleep.self).objects == [ids[7]])
        let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "GameObject")
        try other.execute(NSBatchDeleteRequest(fetchRequest: all))
        let last = try Worlds.World(context: fixture.moc)
        #expect(last.query(GameObjectID.self).objects == [plain])
        #expect(last.query(Asleep.self).isEmpty)
    }

    @Test func a_context_holds_a_world_with_changes() throws {
        weak var weakWorld: Worlds.World?
        var ids: [GameObjectID] = []
        func change() throws {
            let world = try Worlds.World(context: fixture.moc)
            ids.append(world.spawn(Place(x: 1, y: 1)))
            weakWorld = world
        }
        try change()
        #expect(weakWorld != nil)
        try fixture.moc.save()
        #expect(weakWorld == nil)
        try change()
        fixture.moc.rollback()
        #expect(weakWorld == nil)
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.query(Place.self).objects == [ids[0]])
    }

    @Test func a_migration_survives_a_rollback_and_the_saves_of_others() throws {
        enum Old {
            struct Size: ValueComponent, Equatable { var width: Int32 }
        }
        enum New {
            struct Size: ValueComponent, Equatable { var width, height: Int64 }
        }
        let other = fixture.context()
        let old = try Worlds.World(context: other)
        let ids = old.spawnAll((0..<5_000).map { Old.Size(width: $0) })
        try other.save()
        let world = try Worlds.World(
            context: fixture.moc, components: [],
            migrations: [
                ColumnMigration(from: Old.Size.self, to: New.Size.self) {
                    New.Size(width: Int64($0.width), height: 1)
                }
            ])
        fixture.moc.rollback()
        #expect(world[ids[4_999], New.Size.self] == New.Size(width: 4_999, height: 1))
        old.spawn(Place(x: 1, y: 1))
        try other.save()
        world.advance()
        #expect(world[ids[7], New.Size.self] == New.Size(width: 7, height: 1))
        try fixture.moc.save()
        let last = try Worlds.World(context: fixture.context(), components: [New.Size.self])
        #expect(last.query(New.Size.self).count == 5_000)
        #expect(last[ids[4_999], New.Size.self] == New.Size(width: 4_999, height: 1))
        // The other program has the former type still.
        old[ids[0], Old.Size.self]?.width = 9
        #expect(throws: CocoaError.self) { try other.save() }
        #expect(last.query(New.Size.self).count == 5_000)
    }

    @Test func a_deletion_that_is_taken_back_keeps_the_components() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world[id, Place.self] = Place(x: 1, y: 1)
        try fixture.moc.save()
        let other = fixture.context()
        try #require(try GameObject.fetch(name: "Hero", moc: other)).name = "Renamed"
        try other.save()
        fixture.moc.delete(hero)
        fixture.moc.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try fixture.moc.save()
        #expect(try GameObject.fetch(name: "Renamed", moc: fixture.context()) != nil)
        world.advance()
        #expect(world[id, Place.self] == Place(x: 1, y: 1))
    }

    @Test func a_new_object_that_is_deleted_before_the_save_leaves_nothing() throws {
        let world = try Worlds.World(context: fixture.moc)
        let plain = world.spawn(Place(x: 0, y: 0))
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world[id, Place.self] = Place(x: 1, y: 1)
        fixture.moc.delete(hero)
        try fixture.moc.save()
        #expect(!world.isAlive(id))
        let last = try Worlds.World(context: fixture.context())
        #expect(last.query(Place.self).objects == [plain])
    }

    @Test func a_conflict_is_over_after_a_rollback() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let object = first.spawn(Place(x: 0, y: 0))
        try one.save()
        let second = try Worlds.World(context: two)
        first[object, Place.self]?.x = 1
        second[object, Place.self]?.x = 2
        try one.save()
        second.advance()
        #expect(second[object, Place.self] == Place(x: 2, y: 0))
        #expect(throws: CocoaError.self) { try two.save() }
        two.rollback()
        second.advance()
        #expect(second[object, Place.self] == Place(x: 1, y: 0))
        #expect(!two.hasChanges)
    }

    @Test func an_object_of_an_entity_below_is_refused() throws {
        final class Monster: GameObject {}
        let entities = GameObject.makeEntities()
        let monster = NSEntityDescription(name: "Monster", managedObjectClass: Monster.self)
        entities[0].subentities = [monster]
        let container = try NSPersistentContainer(
            name: "World", managedObjectModel: NSManagedObjectModel(entities: entities + [monster])
        ).reopened(at: fixture.directory.appendingPathComponent("monsters.lode"))
        let world = try Worlds.World(context: container.viewContext)
        let object = Monster(context: container.viewContext)
        #expect {
            try object.id(in: world)
        } throws: { error in
            let error = error as? CocoaError
            return error?.code == .coreData
                && error?.localizedDescription.contains("Monster inherits from GameObject") == true
        }
        #expect(world.count == 0)
    }
}
