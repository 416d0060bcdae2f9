// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

enum Owns: Worlds.Relationship {
    static let whenTargetDespawns = RelationshipDeleteRule.deny
}

/// Worlds after deletions, rollbacks and saves that others have their hands in.
@MainActor
@Suite struct WorldRepairTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    @Test func a_rollback_does_not_bring_loose_links_back() throws {
        let world = try Worlds.World(context: fixture.moc)
        let parent = try GameObject.create(name: "Parent", moc: fixture.moc).id(in: world)
        let child = try GameObject.create(name: "Child", moc: fixture.moc).id(in: world)
        let plain = world.spawn()
        world.relate(child, ChildOf.self, to: parent)
        world.relate(plain, Likes.self, to: parent)
        try fixture.moc.save()
        let other = fixture.context()
        other.delete(try #require(try GameObject.fetch(name: "Parent", moc: other)))
        try other.save()
        world.advance()
        #expect(world.query(GameObjectID.self).objects == [plain])
        fixture.moc.rollback()
        #expect(world.query(GameObjectID.self).objects == [plain])
        #expect(world.links(from: plain).isEmpty)
        #expect(world.query(Link<ChildOf>.self).isEmpty)
        try fixture.moc.save()
        #expect(try GameObject.fetch(name: "Child", moc: fixture.context()) == nil)
        let last = try Worlds.World(context: fixture.context())
        #expect(last.query(GameObjectID.self).objects == [plain])
        try WorldPages(fixture.url).verify()
    }

    @Test func what_a_save_takes_along_is_deleted_by_that_save() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let parent = first.spawn()
        let child = try GameObject.create(name: "Child", moc: one).id(in: first)
        try one.save()
        let second = try Worlds.World(context: two)
        second.relate(child, ChildOf.self, to: parent)
        first.despawn(parent)
        try one.save()
        try two.save()
        #expect(!two.hasChanges)
        #expect(!second.isAlive(child))
        #expect(try GameObject.fetch(name: "Child", moc: two) == nil)
        #expect(try GameObject.fetch(name: "Child", moc: fixture.context()) == nil)
        let last = try Worlds.World(context: fixture.context())
        #expect(last.count == 0)
        #expect(last.query(Link<ChildOf>.self).isEmpty)
        try WorldPages(fixture.url).verify()
    }

    @Test func no_rule_keeps_an_unsaved_object_that_is_deleted() throws {
        let world = try Worlds.World(context: fixture.moc)
        let managed = GameObject.create(name: "A", moc: fixture.moc)
        let id = try managed.id(in: world)
        world[id, Place.self] = Place(x: 1, y: 1)
        let owner = world.spawn()
        world.relate(owner, Owns.self, to: id)
        fixture.moc.delete(managed)
        try fixture.moc.save()
        #expect(!world.isAlive(id))
        #expect(world.links(from: owner).isEmpty)
        try WorldPages(fixture.url).verify()
    }

    @Test func a_save_of_a_deletion_is_no_tick() throws {
        let world = try Worlds.World(context: fixture.moc)
        let managed = GameObject.create(name: "A", moc: fixture.moc)
        let child = world.spawn()
        world.relate(child, ChildOf.self, to: try managed.id(in: world))
        try fixture.moc.save()
        world.autosave(every: 1) { _ in Issue.record("nothing was to be saved") }
        var saves = 0
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: fixture.moc, queue: nil
        ) { _ in MainActor.assumeIsolated { saves += 1 } }
        defer { NotificationCenter.default.removeObserver(token) }
        fixture.moc.delete(managed)
        try fixture.moc.save()
        #expect(saves == 1)
        #expect(!world.isAlive(child))
    }

    @Test func a_resource_of_another_layout_is_migrated() throws {
        enum Old {
            struct Wind: ValueComponent { var speed: Int32 }
        }
        enum New {
            struct Wind: ValueComponent, Equatable { var speed, angle: Int32 }
        }
        do {
            let world = try Worlds.World(context: fixture.moc)
            world[resource: Old.Wind.self] = Old.Wind(speed: 7)
            try fixture.moc.save()
        }
        let all: [any ValueComponent.Type] = [Resource<New.Wind>.self]
        #expect(throws: CocoaError.self) {
            try Worlds.World(context: fixture.context(), components: all)
        }
        let moc = fixture.context()
        let migrations = [
            ColumnMigration(from: Old.Wind.self, to: New.Wind.self) {
                New.Wind(speed: $0.speed, angle: 1)
            }
        ]
        let world = try Worlds.World(context: moc, components: [], migrations: migrations)
        #expect(world[resource: New.Wind.self] == New.Wind(speed: 7, angle: 1))
        try moc.save()
        let last = try Worlds.World(context: fixture.context(), components: all)
        #expect(last[resource: New.Wind.self] == New.Wind(speed: 7, angle: 1))
        try WorldPages(fixture.url).verify()
    }

    @Test func two_writers_of_a_resource_conflict() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        first[resource: Place.self] = Place(x: 0, y: 0)
        try one.save()
        let second = try Worlds.World(context: two)
        first[resource: Place.self]?.x = 1
        second[resource: Place.self]?.x = 2
        try one.save()
        #expect {
            try two.save()
        } throws: { error in
            (error as? CocoaError)?.localizedDescription.contains("resource/Place of the world")
                == true
        }
        two.rollback()
        second.advance()
        #expect(second[resource: Place.self] == Place(x: 1, y: 0))
    }

    @Test(arguments: [
        // The source of an exclusive link is not its row; the second game object; and the target
        // far away, of another entity, or row 0.
        [(0, UInt64(2))], [(8, UInt64(1) << 40)], [(14, 77)], [(8, UInt64(0))],
    ])
    func links_that_cannot_be_are_found(_ changes: [(Int, UInt64)]) throws {
        do {
            let world = try Worlds.World(context: fixture.moc)
            let ids = world.spawnAll(count: 2)
            world.relate(ids[0], ChildOf.self, to: ids[1])
            try fixture.moc.save()
        }
        try fixture.open()
        let pages = try WorldPages(fixture.url)
        var chunks = try pages.chunks()
        let place = try #require(chunks.firstIndex { $0.value.count > 10_000 })
        let layout = ChunkLayout(stride: 16)
        let start = layout.valuesOffset + 16
        for (offset, number) in changes {
            let bytes =
                offset == 14
                ? [UInt8(number), 0]
                : withUnsafeBytes(of: number) {
                    Array($0.prefix(6))
                }
            chunks[place].value.replaceSubrange(
                start + offset..<start + offset + bytes.count, with: bytes)
        }
        WorldPages.repair(&chunks[place].value)
        try pages.setChunks(chunks)
        #expect(throws: CocoaError.self) { try pages.verify() }
        #expect {
            _ = try Worlds.World(context: fixture.context())
        } throws: { error in
            (error as? CocoaError)?.localizedDescription.contains("which cannot be") == true
        }
    }
}
