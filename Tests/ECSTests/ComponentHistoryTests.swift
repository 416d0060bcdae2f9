// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// What the history says of the components that a world's saves have changed.
@MainActor
@Suite struct ComponentHistoryTests {
    struct Turn: ValueComponent, Equatable { var number: Int32 }

    let stack: HistoryWorld
    let world: Worlds.World

    init() throws {
        stack = try HistoryWorld()
        world = try Worlds.World(context: stack.moc)
    }

    @Test func one_save_and_several() throws {
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2), Place(x: 3, y: 3)])
        world[ids[1], Speed.self] = Speed(x: 1, y: 1)
        try stack.moc.save()
        world[ids[0], Place.self]?.x = 7
        world[ids[2], Speed.self] = Speed(x: 9, y: 9)
        world.remove(Speed.self, from: ids[1])
        try stack.moc.save()
        world.remove(Place.self, from: ids[2])
        world.despawn(ids[1])
        try stack.moc.save()
        #expect(
            try stack.story(ids[0]) == [
                "1: +GameObject/1 +GameObject/2 +GameObject/3 +Place/1 +Place/2 +Place/3 +Speed/2",
                "2: *Place/1 +Speed/3 -Speed/2",
                "3: -GameObject/2 -Place/2 -Place/3",
            ])
        try stack.verify()
    }

    @Test func what_a_save_does_not_change_is_not_in_the_history() throws {
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try stack.moc.save()
        // The same value again, one that goes back, a component that comes and goes.
        world[ids[0], Place.self] = Place(x: 1, y: 1)
        world[ids[1], Place.self]?.x = 9
        world[ids[1], Place.self]?.x = 2
        world[ids[0], Speed.self] = Speed(x: 1, y: 1)
        world.remove(Speed.self, from: ids[0])
        world.despawn(world.spawn(Asleep()))
        try stack.moc.save()
        #expect(try stack.transactions().count == 1)
        world[ids[0], Place.self]?.x = 5
        world.remove(Place.self, from: ids[1])
        stack.moc.rollback()
        try stack.moc.save()
        #expect(try stack.transactions().count == 1)
    }

    @Test func tags_and_codable_components() throws {
        let ids = world.spawnAll([Title(text: "a"), Title(text: "b"), Title(text: "c")])
        world[ids[0], Asleep.self] = Asleep()
        try stack.moc.save()
        world[ids[0], Title.self]?.tags = ["x"]
        world[ids[1], Title.self] = Title(text: "b")
        world.remove(Title.self, from: ids[2])
        world.remove(Asleep.self, from: ids[0])
        world[ids[2], Asleep.self] = Asleep()
        try stack.moc.save()
        let first = try stack.story(ids[0])[0]
        #expect(first.contains("+GameObject/1 +GameObject/2 +GameObject/3"))
        #expect(first.contains("+Title/1 +Title/2 +Title/3"))
        #expect(first.hasSuffix("+Asleep/1"))
        #expect(try stack.story(ids[0])[1] == "2: *Title/1 -Title/3 +Asleep/3 -Asleep/1")
        try stack.verify()
    }

    @Test func resources_have_no_game_object() throws {
        let object = world.spawn(Place(x: 1, y: 1))
        try stack.moc.save()
        world[resource: Turn.self] = Turn(number: 1)
        world[resource: Title.self] = Title(text: "The world")
        try stack.moc.save()
        world[resource: Turn.self]?.number = 2
        try stack.moc.save()
        world[resource: Turn.self] = nil
        try stack.moc.save()
        #expect(
            try stack.story(object).suffix(3) == [
                "2: +resource/Turn +resource/Title", "3: *resource/Turn", "4: -resource/Turn",
            ])
        let change = try #require(try stack.transactions()[2].componentChanges?.first)
        #expect(change.gameObjectID == nil && change.gameObject == nil && change.targetID == nil)
        #expect(change.isOf(Resource<Turn>.self))
        #expect(!change.isOf(Turn.self))
        #expect(change.description.hasSuffix("update of resource/Turn"))
        try stack.verify()
    }

    @Test func links_name_both_ends() throws {
        let ids = world.spawnAll((0..<4).map { Place(x: $0, y: 0) })
        try stack.moc.save()
        world.relate(ids[1], ChildOf.self, to: ids[0])
        world.relate(ids[2], ChildOf.self, to: ids[0])
        world.relate(ids[3], Likes.self, to: ids[0])
        world.relate(ids[0], Likes.self, to: ids[3])
        try stack.moc.save()
        world.unrelate(ids[1], ChildOf.self, from: ids[0])
        world.unrelate(ids[3], Likes.self, from: ids[0])
        world.relate(ids[1], Likes.self, to: ids[2])
        try stack.moc.save()
        #expect(
            try stack.story(ids[0]).suffix(2) == [
                "2: +ChildOf/2>1 +ChildOf/3>1 +Likes/4>1 +Likes/1>4",
                "3: -ChildOf/2>1 +Likes/2>3 -Likes/4>1",
            ])
        let change = try #require(try stack.transactions()[1].componentChanges?.first)
        #expect(change.isOf(Link<ChildOf>.self))
        #expect((change.gameObject, change.target) == (ids[1], ids[0]))
        #expect(change.targetID?.uriRepresentation().path == "/GameObject/p\(ids[0].row)")
        try stack.verify()
    }

    @Test func a_link_that_is_taken_back_and_made_again_is_no_change() throws {
        let ids = world.spawnAll((0..<4).map { Place(x: $0, y: 0) })
        for id in ids[1...] { world.relate(ids[0], Likes.self, to: id) }
        try stack.moc.save()
        let count = try stack.transactions().count
        world.unrelate(ids[0], Likes.self, from: ids[1])
        world.relate(ids[0], Likes.self, to: ids[1])
        try stack.moc.save()
        #expect(try stack.transactions().dropFirst(count).allSatisfy { $0.componentChanges == [] })
        // Others of the same save stay.
        world.unrelate(ids[0], Likes.self, from: ids[2])
        world.unrelate(ids[0], Likes.self, from: ids[3])
        world.relate(ids[3], Likes.self, to: ids[0])
        world.relate(ids[0], Likes.self, to: ids[3])
        try stack.moc.save()
        let words = try #require(try stack.story(ids[0]).last).split(separator: " ").dropFirst()
        #expect(Set(words.map(String.init)) == ["+Likes/4>1", "-Likes/1>3"])
        #expect(words.count == 2)
        try stack.verify()
    }

    @Test func a_bulk_spawn_of_many_chunks_takes_a_few_bytes() throws {
        let places = (0..<100_000).map { Place(x: $0, y: 1) }
        let ids = world.spawnAll(places, Array(repeating: Speed(x: 1, y: 2), count: 100_000))
        try stack.moc.save()
        let transaction = try #require(try stack.transactions().first)
        let changes = try #require(transaction.componentChanges)
        #expect(changes.count == 300_000)
        #expect(changes[0].gameObject == ids[0] && changes[99_999].gameObject == ids[99_999])
        #expect(changes[100_000].isOf(Place.self) && changes[299_999].isOf(Speed.self))
        #expect(changes.allSatisfy { $0.changeType == .insert })
        let pages = try WorldPages(stack.fixture.url)
        #expect(try #require(try pages.history().last).count < 200)
        // Every other one: one byte and a half for each.
        for number in stride(from: 0, to: 100_000, by: 2) { world[ids[number], Place.self]?.y = 3 }
        try stack.moc.save()
        let last = try #require(try stack.transactions().last?.componentChanges)
        #expect(last.count == 50_000)
        #expect(last.map(\.gameObject) == stride(from: 0, to: 100_000, by: 2).map { ids[$0] })
        #expect(try #require(try pages.history().last).count < 50_200)
        try stack.verify()
    }

    @Test func deleted_managed_game_objects_take_their_components_along() throws {
        let heroes = (0..<3).map { GameObject.create(name: "\($0)", moc: stack.moc) }
        let ids = try heroes.map { try $0.id(in: world) }
        for id in ids { world[id, Place.self] = Place(x: 1, y: 1) }
        world.relate(ids[1], ChildOf.self, to: ids[0])
        try stack.moc.save()
        // By a context that has no world.
        let other = stack.fixture.context()
        let same = try #require(try GameObject.fetch(name: "1", moc: other))
        other.delete(same)
        try other.save()
        // By one that has one, which changes what is about to go, and adds to it.
        world.advance()
        world[ids[2], Place.self] = Place(x: 2, y: 2)
        world[ids[2], Speed.self] = Speed(x: 2, y: 2)
        stack.moc.delete(heroes[2])
        try stack.moc.save()
        // As the world despawns it.
        world.despawn(ids[0])
        try stack.moc.save()
        let story = try stack.story(ids[0])
        #expect(
            story.suffix(3) == [
                "2: -GameObject/2 -Place/2 -ChildOf/2>1", "3: -GameObject/3 -Place/3",
                "4: -GameObject/1 -Place/1",
            ])
        let kinds = try stack.transactions().map { $0.changes?.map(\.changeType) }
        #expect(kinds == [[.insert, .insert, .insert], [.delete], [.delete], [.delete]])
        try stack.verify()
    }

    @Test func a_batch_deletion_takes_components_along() throws {
        let hero = try GameObject.create(name: "Hero", moc: stack.moc).id(in: world)
        let plain = world.spawn(Place(x: 2, y: 2))
        world[hero, Place.self] = Place(x: 1, y: 1)
        try stack.moc.save()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "GameObject")
        _ = try stack.fixture.context().execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stack.story(hero).last == "2: -GameObject/1 -Place/1")
        world.advance()
        #expect(world.query(Place.self).objects == [plain])
        try stack.verify()
    }

    @Test func undo_is_a_change_of_its_own_save() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        stack.moc.undoManager = manager
        let object = world.spawn(Place(x: 1, y: 1))
        try stack.moc.save()
        func act() {
            manager.beginUndoGrouping()
            world.undoable { world[object, Speed.self] = Speed(x: 1, y: 1) }
            manager.endUndoGrouping()
        }
        act()
        manager.undo()
        try stack.moc.save()
        #expect(try stack.story(object).count == 1)
        act()
        try stack.moc.save()
        manager.undo()
        try stack.moc.save()
        #expect(try stack.story(object).suffix(2) == ["2: +Speed/1", "3: -Speed/1"])
    }

    @Test func a_save_that_was_refused_has_one_history() throws {
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try stack.moc.save()
        let other = stack.fixture.context()
        let second = try Worlds.World(context: other)
        second[ids[0], Place.self]?.x = 5
        try other.save()
        world[ids[0], Place.self]?.x = 6
        world[ids[1], Place.self]?.x = 7
        #expect(throws: CocoaError.self) { try stack.moc.save() }
        #expect(try stack.story(ids[0]).count == 2)
        stack.moc.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.moc.save()
        second[ids[0], Place.self]?.y = 9
        try other.save()
        world[ids[0], Place.self]?.y = 8
        stack.moc.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.moc.save()
        #expect(
            try stack.story(ids[0]).suffix(4) == [
                "2: *Place/1", "3: *Place/2", "4: *Place/1", "5: *Place/1",
            ])
        try stack.verify()
    }

    @Test func a_migration_under_one_name_is_a_change() throws {
        enum Old { struct Size: ValueComponent { var width: Int32 } }
        enum New { struct Size: ValueComponent, Equatable { var width, height: Int32 } }
        struct Weight: ValueComponent { var grams: Int32 }
        struct Mass: ValueComponent { var grams: Int64 }
        let ids = world.spawnAll([Old.Size(width: 1), Old.Size(width: 2), Old.Size(width: 3)])
        world[ids[1], Weight.self] = Weight(grams: 5)
        world[resource: Old.Size.self] = Old.Size(width: 9)
        try stack.moc.save()
        let context = stack.fixture.context()
        let migrated = try Worlds.World(
            context: context,
            migrations: [
                ColumnMigration(from: Old.Size.self, to: New.Size.self) {
                    New.Size(width: $0.width, height: 1)
                },
                ColumnMigration(from: Weight.self, to: Mass.self) { Mass(grams: Int64($0.grams)) },
            ])
        migrated.remove(New.Size.self, from: ids[2])
        let new = migrated.spawn(New.Size(width: 4, height: 4))
        #expect(new.row == ids[0].row + 4_096 || new.row > ids[2].row)
        try context.save()
        let words = try #require(try stack.story(ids[0]).last).split(separator: " ").dropFirst()
        #expect(
            Set(words.map(String.init)) == [
                "+GameObject/\(new.row - ids[0].row + 1)", "*Size/1", "*Size/2", "-Size/3",
                "+Size/\(new.row - ids[0].row + 1)", "-Weight/2", "+Mass/2", "*resource/Size",
            ])
        #expect(words.count == 8)
        try stack.verify()
    }

    @Test func a_migration_to_a_smaller_layout_is_noted_row_by_row() throws {
        // Chunks of 512 rows become chunks of 4,096.
        enum Old { struct Block: ValueComponent { var a, b, c, d, e, f, g, h: Double } }
        enum New { struct Block: ValueComponent, Equatable { var a: Double } }
        let ids = world.spawnAll(
            (0..<8_200).map {
                Old.Block(a: Double($0), b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0)
            })
        try stack.moc.save()
        let context = stack.fixture.context()
        let migrated = try Worlds.World(
            context: context,
            migrations: [
                ColumnMigration(from: Old.Block.self, to: New.Block.self) { New.Block(a: $0.a) }
            ])
        // The first chunk is not written at all, and the second one has a removal.
        for id in ids where id.row < 4_096 || id.row == 4_100 {
            migrated.remove(New.Block.self, from: id)
        }
        try context.save()
        let first = try #require(ids.first)
        let words = try #require(try stack.story(first).last).split(separator: " ").dropFirst()
        #expect(words.count { $0.hasPrefix("-Block/") } == 4_096)
        #expect(words.count { $0.hasPrefix("*Block/") } == 4_104)
        #expect(words.count == 8_200)
        try stack.verify()
    }

    @Test func without_a_history_nothing_is_written() throws {
        let plain = try WorldFixture()
        let world = try Worlds.World(context: plain.moc)
        world.spawn(Place(x: 1, y: 1))
        try plain.moc.save()
        let pages = try WorldPages(plain.url)
        #expect(try pages.version() == 13)
        #expect(try pages.history() == [])
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let result = try plain.moc.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
        // A history that begins later has what comes from then on.
        let store = try #require(plain.moc.persistentStoreCoordinator?.persistentStores.first)
        try plain.moc.persistentStoreCoordinator?.remove(store)
        try plain.open(tracksHistory: true)
        #expect(try pages.version() == 13)
        let again = try Worlds.World(context: plain.moc)
        again[try #require(again.query(Place.self).objects.first), Place.self]?.x = 2
        try plain.moc.save()
        #expect(try pages.version() == 16)
        #expect(try pages.history().count == 1)
        try pages.verify()
    }
}
