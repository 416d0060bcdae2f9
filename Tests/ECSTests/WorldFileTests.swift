// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

struct Place: ValueComponent, Codable, Equatable { var x, y: Int32 }
struct Speed: ValueComponent, Equatable { var x, y: Int32 }
struct Asleep: ValueComponent {}

/// A store file with worlds of several contexts.
final class WorldFixture {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("WorldTests-\(UUID().uuidString)")
    let model = NSManagedObjectModel()
    private(set) var container: NSPersistentContainer

    init() throws {
        model.entities = GameObject.makeEntities()
        container = NSPersistentContainer(name: "World", managedObjectModel: model)
        try open()
    }

    deinit {
        // A context and a world with unsaved changes hold each other, and so the file.
        for made in contexts { made.context?.rollback() }
        removeAtExit(directory.path)
    }

    private struct Made { weak var context: NSManagedObjectContext? }

    private var contexts: [Made] = []

    var moc: NSManagedObjectContext { container.viewContext }

    var url: URL { directory.appendingPathComponent("world.lode") }

    func open(tracksHistory: Bool = false, isReadOnly: Bool = false) throws {
        container = try container.reopened(
            at: url, tracksHistory: tracksHistory, isReadOnly: isReadOnly)
        contexts.append(Made(context: container.viewContext))
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        contexts.append(Made(context: context))
        return context
    }
}

@MainActor
@Suite struct WorldFileTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    @Test func a_world_is_saved_with_its_context() throws {
        var ids: [GameObjectID] = []
        do {
            let world = try Worlds.World(context: fixture.moc)
            #expect(!fixture.moc.hasChanges)
            ids.append(world.spawn(Place(x: 1, y: 2), Speed(x: 3, y: 4)))
            ids.append(world.spawn(Place(x: 5, y: 6)))
            ids.append(world.spawn(Asleep()))
            #expect(fixture.moc.hasChanges)
            try fixture.moc.save()
            #expect(!fixture.moc.hasChanges)
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.count == 3)
        #expect(world[ids[0], Place.self] == Place(x: 1, y: 2))
        #expect(world[ids[0], Speed.self] == Speed(x: 3, y: 4))
        #expect(world[ids[1], Place.self] == Place(x: 5, y: 6))
        #expect(world[ids[1], Speed.self] == nil)
        #expect(world.has(Asleep.self, ids[2]))
        #expect(world.query(Place.self).objects == [ids[0], ids[1]])
        #expect(!fixture.moc.hasChanges)
    }

    @Test func changes_and_removals_reach_the_file() throws {
        let world = try Worlds.World(context: fixture.moc)
        let kept = world.spawn(Place(x: 1, y: 1), Asleep())
        let gone = world.spawn(Place(x: 2, y: 2))
        try fixture.moc.save()
        world[kept, Place.self]?.x = 10
        world.remove(Asleep.self, from: kept)
        world.despawn(gone)
        try fixture.moc.save()
        let other = try Worlds.World(context: fixture.context())
        #expect(other.count == 1)
        #expect(other[kept, Place.self] == Place(x: 10, y: 1))
        #expect(!other.has(Asleep.self, kept))
        #expect(!other.isAlive(gone))
        #expect(other[gone, Place.self] == nil)
    }

    @Test func new_ids_are_never_those_of_others() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let second = try Worlds.World(context: two)
        let here = first.spawnAll((0..<5_000).map { Place(x: $0, y: 0) })
        let there = second.spawnAll((0..<5_000).map { Place(x: $0, y: 1) })
        #expect(Set(here).isDisjoint(with: there))
        try one.save()
        try two.save()
        let all = try Worlds.World(context: fixture.moc)
        #expect(all.count == 10_000)
        #expect(all[here[4_999], Place.self] == Place(x: 4_999, y: 0))
        #expect(all[there[4_999], Place.self] == Place(x: 4_999, y: 1))
        let managed = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try managed.id(in: all)
        #expect(!here.contains(id) && !there.contains(id))
    }

    @Test func rollback_takes_the_world_back() throws {
        let world = try Worlds.World(context: fixture.moc)
        let object = world.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        world[object, Place.self]?.x = 2
        world[object, Speed.self] = Speed(x: 9, y: 9)
        let other = world.spawn(Place(x: 3, y: 3))
        fixture.moc.rollback()
        #expect(world[object, Place.self] == Place(x: 1, y: 1))
        #expect(world[object, Speed.self] == nil)
        #expect(!world.isAlive(other))
        #expect(world.count == 1)
        #expect(!fixture.moc.hasChanges)
    }

    @Test func others_changes_are_seen_at_the_next_tick() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let object = first.spawn(Place(x: 1, y: 1))
        let untouched = first.spawn(Place(x: 7, y: 7))
        try one.save()
        let second = try Worlds.World(context: two)
        second.advance()
        first[object, Place.self] = Place(x: 2, y: 2)
        let new = first.spawn(Place(x: 3, y: 3))
        try one.save()
        #expect(second[object, Place.self] == Place(x: 1, y: 1))
        second.advance()
        #expect(second[object, Place.self] == Place(x: 2, y: 2))
        #expect(second[new, Place.self] == Place(x: 3, y: 3))
        #expect(second.query(Place.self).changed(Place.self).objects == [object, new])
        #expect(second.query(Place.self).added(Place.self).objects == [new])
        #expect(second[untouched, Place.self] == Place(x: 7, y: 7))
        #expect(!two.hasChanges)
    }

    @Test func different_components_of_one_chunk_do_not_conflict() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try one.save()
        let second = try Worlds.World(context: two)
        first[ids[0], Place.self]?.x = 10
        second[ids[1], Place.self]?.x = 11
        second.despawn(ids[2])
        try one.save()
        try two.save()
        #expect(second[ids[0], Place.self] == Place(x: 10, y: 0))
        let third = try Worlds.World(context: fixture.moc)
        #expect(third[ids[0], Place.self] == Place(x: 10, y: 0))
        #expect(third[ids[1], Place.self] == Place(x: 11, y: 1))
        #expect(!third.isAlive(ids[2]))
    }

    @Test func the_same_component_of_one_object_conflicts() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let object = first.spawn(Place(x: 0, y: 0))
        try one.save()
        let second = try Worlds.World(context: two)
        first[object, Place.self]?.x = 1
        second[object, Place.self]?.x = 2
        try one.save()
        #expect {
            try two.save()
        } throws: { error in
            let error = error as? CocoaError
            let message = error?.localizedDescription ?? ""
            return error?.code == .managedObjectMerge
                && message.contains("Place of the game object \(object)")
        }
        #expect(second[object, Place.self] == Place(x: 2, y: 0))
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        first.advance()
        #expect(first[object, Place.self] == Place(x: 2, y: 0))
        first[object, Place.self]?.x = 3
        try one.save()
        second[object, Place.self]?.x = 4
        two.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try two.save()
        #expect(second[object, Place.self] == Place(x: 3, y: 0))
        #expect(!two.hasChanges)
    }

    @Test func a_component_of_a_despawned_object_conflicts() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let object = first.spawn(Place(x: 0, y: 0))
        try one.save()
        let second = try Worlds.World(context: two)
        first.despawn(object)
        try one.save()
        second[object, Speed.self] = Speed(x: 1, y: 1)
        #expect(throws: CocoaError.self) { try two.save() }
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        second.advance()
        #expect(!second.isAlive(object))
        #expect(second[object, Speed.self] == nil)
        let third = try Worlds.World(context: fixture.moc)
        #expect(third[object, Speed.self] == nil)
        #expect(third.count == 0)
    }

    @Test func managed_and_plain_game_objects_share_ids() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        world[id, Place.self] = Place(x: 4, y: 5)
        let plain = world.spawn(Place(x: 0, y: 0))
        try fixture.moc.save()
        #expect(try world.gameObject(id) === hero)
        #expect(try world.gameObject(plain) == nil)
        fixture.moc.delete(hero)
        try fixture.moc.save()
        #expect(!world.isAlive(id))
        let other = try Worlds.World(context: fixture.context())
        #expect(other.query(Place.self).objects == [plain])
    }

    @Test func despawning_deletes_the_managed_object() throws {
        let world = try Worlds.World(context: fixture.moc)
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        try fixture.moc.save()
        world.despawn(id)
        try fixture.moc.save()
        #expect(try GameObject.fetch(name: "Hero", moc: fixture.context()) == nil)
    }

    @Test func another_layout_is_refused_or_migrated() throws {
        enum Old {
            struct Size: ValueComponent { var width: Int32 }
        }
        enum New {
            struct Size: ValueComponent, Equatable { var width, height: Int32 }
        }
        var id: GameObjectID?
        do {
            let world = try Worlds.World(context: fixture.moc)
            id = world.spawn(Old.Size(width: 3))
            try fixture.moc.save()
        }
        let object = try #require(id)
        #expect {
            _ = try Worlds.World(context: fixture.context(), components: [New.Size.self])
        } throws: { error in
            let message = (error as? CocoaError)?.localizedDescription ?? ""
            return message.contains("Size (4 bytes: width:Int32@0)")
                && message.contains("Size (8 bytes: width:Int32@0 height:Int32@4)")
        }
        do {
            let migrated = try Worlds.World(
                context: fixture.moc, components: [],
                migrations: [
                    ColumnMigration(from: Old.Size.self, to: New.Size.self) {
                        New.Size(width: $0.width, height: 1)
                    }
                ])
            #expect(migrated[object, New.Size.self] == New.Size(width: 3, height: 1))
            try fixture.moc.save()
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc, components: [New.Size.self])
        #expect(world[object, New.Size.self] == New.Size(width: 3, height: 1))
    }

    @Test func a_component_with_the_name_of_a_resource_is_refused() throws {
        struct Tide: ValueComponent {
            static let componentName = "resource/Place"
            var level: Int32
        }
        let error = #expect(throws: CocoaError.self) {
            _ = try Worlds.World(context: fixture.context(), components: [Tide.self])
        }
        #expect(error?.code == .coreData)
        #expect(
            error?.localizedDescription
                == "the component resource/Place has the name of the resource Place; give the type "
                + "another componentName")
    }

    @Test func a_loop_that_changes_nothing_writes_nothing() throws {
        let world = try Worlds.World(context: fixture.moc)
        world.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        let before = try #require(fileSize())
        for _ in 0..<20 {
            world.query(Mut<Place>.self).forEach { $0.x += 0 }
            #expect(fixture.moc.hasChanges)
            try fixture.moc.save()
            #expect(!fixture.moc.hasChanges)
        }
        #expect(fileSize() == before)
    }

    @Test func reset_takes_the_world_back() throws {
        let world = try Worlds.World(context: fixture.moc)
        let object = world.spawn(Place(x: 1, y: 1))
        try fixture.moc.save()
        world[object, Place.self]?.x = 5
        fixture.moc.reset()
        #expect(world[object, Place.self] == Place(x: 1, y: 1))
        world[object, Place.self]?.x = 6
        try fixture.moc.save()
        #expect(
            try Worlds.World(context: fixture.context())[object, Place.self] == Place(x: 6, y: 1))
    }

    @Test func a_large_world_grows_the_file_while_it_is_written() throws {
        let world = try Worlds.World(context: fixture.moc)
        let places = (0..<300_000).map { Place(x: $0, y: -$0) }
        let ids = world.spawnAll(places, Array(repeating: Speed(x: 1, y: 2), count: 300_000))
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let id = try hero.id(in: world)
        try fixture.moc.save()
        for object in ids.prefix(150_000) { world.despawn(object) }
        try fixture.moc.save()
        try fixture.open()
        let again = try Worlds.World(context: fixture.moc)
        #expect(again.count == 150_001)
        #expect(again[ids[150_000], Place.self] == Place(x: 150_000, y: -150_000))
        #expect(again[ids[149_999], Place.self] == nil)
        #expect(again.query(Speed.self).count == 150_000)
        #expect(try again.gameObject(id)?.name == "Hero")
    }

    @Test func a_save_that_fails_keeps_the_worlds_changes() throws {
        let world = try Worlds.World(context: fixture.moc)
        let object = world.spawn(Place(x: 1, y: 1))
        let hero = GameObject.create(name: "Hero", moc: fixture.moc)
        let component = Component(context: fixture.moc)
        component.gameObject = hero
        world[object, Place.self]?.x = 2
        fixture.moc.mergePolicy = NSMergePolicy.error
        try fixture.moc.save()
        let other = fixture.context()
        let same = try #require(try GameObject.fetch(name: "Hero", moc: other))
        same.name = "Other"
        try other.save()
        hero.name = "Mine"
        world[object, Place.self]?.x = 3
        #expect(throws: CocoaError.self) { try fixture.moc.save() }
        #expect(fixture.moc.hasChanges)
        #expect(world[object, Place.self] == Place(x: 3, y: 1))
        fixture.moc.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try fixture.moc.save()
        #expect(!fixture.moc.hasChanges)
        let last = try Worlds.World(context: fixture.context())
        #expect(last[object, Place.self] == Place(x: 3, y: 1))
    }

    @Test func a_context_has_one_world_and_no_child_has_one() throws {
        let world = try Worlds.World(context: fixture.moc)
        #expect(throws: CocoaError.self) { try Worlds.World(context: fixture.moc) }
        #expect(fixture.moc.world === world)
        #expect(fixture.context().world == nil)
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = fixture.moc
        #expect(throws: CocoaError.self) { try Worlds.World(context: child) }
        // Its save goes into the parent, and leaves the world alone.
        world.spawn(Place(x: 1, y: 1))
        GameObject.create(name: "Child's", moc: child)
        try child.save()
        try fixture.moc.save()
        #expect(try Worlds.World(context: fixture.context()).count == 1)
    }

    private func fileSize() -> Int? {
        let path = fixture.directory.appendingPathComponent("world.lode").path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}

/// What a world of a file keeps in memory, and what it takes from the file.
@MainActor
@Suite struct WorldKeepingTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    @Test func links_leave_reserved_ids_alone() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll(count: 3)
        try world.reserve(count: 5_000)
        for id in ids { world.relate(id, Likes.self, to: ids[0]) }
        #expect(world.rows.left >= 5_000)
        world.spawnAll(count: 1_000)
        let many = world.spawnAll(count: 200)
        for id in many { world.relate(id, Likes.self, to: ids[0]) }
        #expect(world.rows.left >= 3_800)
        // Changes that name a higher number take others.
        let copy = world.copy()
        copy.rows.skip(upTo: world.rows.next + 10_000)
        let far = copy.spawn(Place(x: 1, y: 1))
        try world.apply(copy.diff(from: world))
        #expect(world[far, Place.self] == Place(x: 1, y: 1))
        #expect(world.rows.left >= 3_800)
        #expect(world.sources(of: ids[0], Likes.self) == Array(ids) + Array(many))
    }

    @Test(arguments: [true, false])
    func a_world_that_nobody_advances_forgets_removals(_ looks: Bool) throws {
        let world = try Worlds.World(context: fixture.moc)
        let other = try Worlds.World(context: fixture.context())
        var counts: [Int] = []
        for round in 1...5 as ClosedRange<Int32> {
            let changed = looks ? other : world
            for _ in 0..<10 { changed.spawn(Place(x: round, y: 0)) }
            for id in changed.query(Place.self).objects.dropLast(10) { changed.despawn(id) }
            try changed.context?.save()
            if looks { try world.refresh() }
            counts.append(world.removals(of: Place.self).count)
        }
        // What a look brings is forgotten by the second one after it, as what came before a save.
        #expect(counts == (looks ? [0, 10, 20, 20, 20] : [0, 10, 10, 10, 10]))
        #expect(world.query(Place.self).count == 10)
    }

    @Test func an_observer_is_told_what_went_before_looks() throws {
        let world = try Worlds.World(context: fixture.moc)
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        let ids = other.spawnAll((0..<5).map { Place(x: $0, y: 0) })
        try moc.save()
        try world.refresh()
        var heard: [Int32] = []
        world.observe(Place.self) { _, event in
            if case .removed(_, let place) = event { heard.append(place.x) }
        }
        for id in ids {
            other.despawn(id)
            try moc.save()
            try world.refresh()
        }
        world.deliverEvents()
        #expect(heard == [0, 1, 2, 3, 4])
        try world.refresh()
        try world.refresh()
        #expect(world.removals(of: Place.self).isEmpty)
    }

    @Test func a_viewer_does_not_keep_what_others_wrote() throws {
        let world = try Worlds.World(context: fixture.moc)
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        let ids = other.spawnAll((0..<200).map { Title(text: "\($0)") })
        for round in 0..<20 {
            for id in ids { other[id, Title.self] = Title(text: "\(id) \(round)") }
            try moc.save()
            try world.refresh()
        }
        #expect(world[ids[7], Title.self]?.text == "\(ids[7]) 19")
        #expect(world.columns.first { $0.type.name == "Title" }?.contents?.isFull == false)
    }
}
