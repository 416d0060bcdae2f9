// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Migrations that a rollback takes back and that cannot be made again: no save goes on without
/// them.
@MainActor
@Suite struct MigrationErrorTests {
    struct Weight: ValueComponent, Equatable { var grams: Int32 }
    struct Mass: ValueComponent, Equatable { var kilograms: Double }
    enum Former {
        struct Size: ValueComponent, Equatable { var width: Int32 }
    }
    enum Present {
        struct Size: ValueComponent, Equatable { var width, height: Int32 }
    }

    let fixture: WorldFixture
    let pages: WorldPages
    let old: Worlds.World
    let other: NSManagedObjectContext
    /// Of more than one chunk.
    let ids: [GameObjectID]

    init() throws {
        fixture = try WorldFixture()
        other = fixture.context()
        old = try Worlds.World(context: other)
        ids = Array(old.spawnAll((0..<9_000).map { Weight(grams: $0 * 1_000) }))
        try other.save()
        pages = try WorldPages(fixture.url)
    }

    private var moc: NSManagedObjectContext { fixture.moc }

    private func migrated() throws -> Worlds.World {
        try Worlds.World(
            context: moc,
            migrations: [
                ColumnMigration(from: Weight.self, to: Mass.self) {
                    Mass(kilograms: Double($0.grams) / 1_000)
                },
                ColumnMigration(from: Former.Size.self, to: Present.Size.self) {
                    Present.Size(width: $0.width, height: 1)
                },
            ])
    }

    /// Changes a byte of a chunk's values, or changes it back; its checksum stays.
    private func flip(_ chunk: Int) throws {
        var chunks = try pages.chunks()
        let last = chunks[chunk].value.count - 1
        chunks[chunk].value[last] ^= 1
        try pages.setChunks(chunks)
    }

    /// The place of the last chunk of weights: those of the game objects come first.
    private var lastChunk: Int { get throws { try pages.chunks().count - 1 } }

    @Test func each_save_tries_again_and_throws_until_it_can() throws {
        let world = try migrated()
        #expect(world.query(Mass.self).count == 9_000)
        let chunk = try lastChunk
        try flip(chunk)
        let types = try pages.types()
        moc.rollback()
        // All or nothing, as others may change what could be read.
        #expect(world.query(Mass.self).count == 0)
        #expect(moc.hasChanges)
        world[ids[0], Place.self] = Place(x: 1, y: 1)
        for _ in 0..<3 {
            let error = #expect(throws: CocoaError.self) { try moc.save() }
            #expect(error?.code == .persistentStoreOperation)
            #expect(error?.localizedDescription.contains("chunk") == true)
            #expect(moc.hasChanges && world.query(Mass.self).count == 0)
            #expect(world[ids[0], Place.self] == Place(x: 1, y: 1))
        }
        #expect(try pages.types() == types)
        old[ids[0], Weight.self] = Weight(grams: 7_000)
        try other.save()
        try flip(chunk)
        try moc.save()
        #expect(!moc.hasChanges)
        let last = try Worlds.World(context: fixture.context())
        #expect(last.componentTypes.map(\.name).sorted() == ["Mass", "Place"])
        #expect(last.query(Mass.self).count == 9_000)
        #expect(last[ids[0], Mass.self] == Mass(kilograms: 7))
        #expect(last[ids[1], Mass.self] == Mass(kilograms: 1))
        #expect(last[ids[8_999], Mass.self] == Mass(kilograms: 8_999))
        try pages.verify()
    }

    @Test func a_tick_tries_again() throws {
        let world = try migrated()
        let chunk = try lastChunk
        try flip(chunk)
        moc.rollback()
        #expect(throws: CocoaError.self) { try world.refresh() }
        #expect(world[ids[1], Mass.self] == nil)
        try flip(chunk)
        world.advance()
        #expect(world[ids[8_999], Mass.self] == Mass(kilograms: 8_999))
        #expect(moc.hasChanges)
        try moc.save()
        let last = try Worlds.World(context: fixture.context())
        #expect(last.componentTypes.map(\.name) == ["Mass"])
    }

    @Test func another_rollback_tries_again() throws {
        let world = try migrated()
        let chunk = try lastChunk
        try flip(chunk)
        for _ in 0..<2 {
            moc.rollback()
            #expect(moc.hasChanges && world[ids[1], Mass.self] == nil)
        }
        try flip(chunk)
        moc.rollback()
        #expect(world[ids[1], Mass.self] == Mass(kilograms: 1))
        #expect(world.query(Mass.self).count == 9_000)
        try moc.save()
        #expect(!moc.hasChanges)
    }

    @Test func a_value_that_was_set_meanwhile_wins() throws {
        let world = try migrated()
        let chunk = try lastChunk
        try flip(chunk)
        moc.rollback()
        world[ids[2], Mass.self] = Mass(kilograms: 0.5)
        #expect(throws: CocoaError.self) { try moc.save() }
        #expect(world.query(Mass.self).objects == [ids[2]])
        try flip(chunk)
        try moc.save()
        let last = try Worlds.World(context: fixture.context())
        #expect(last[ids[2], Mass.self] == Mass(kilograms: 0.5))
        #expect(last[ids[3], Mass.self] == Mass(kilograms: 3))
    }

    @Test func a_value_of_the_world_of_another_layout_is_found_at_open() throws {
        old[resource: Former.Size.self] = Former.Size(width: 5)
        try other.save()
        let error = #expect(throws: CocoaError.self) {
            try Worlds.World(context: moc, components: [Present.Size.self])
        }
        #expect(error?.code.rawValue == 134_100)
        #expect(error.map { "\($0)" }?.contains("resource/Size") == true)
        let same = try Worlds.World(context: fixture.context(), components: [Former.Size.self])
        #expect(same[resource: Former.Size.self] == Former.Size(width: 5))
    }

    @Test func under_one_name_and_with_a_resource() throws {
        old[ids[0], Former.Size.self] = Former.Size(width: 4)
        old[resource: Former.Size.self] = Former.Size(width: 5)
        try other.save()
        let world = try migrated()
        // The chunk of the resource is the last one: the other two types are made again.
        let chunk = try lastChunk
        try flip(chunk)
        moc.rollback()
        #expect(throws: CocoaError.self) { try moc.save() }
        #expect(world[ids[1], Mass.self] == Mass(kilograms: 1))
        #expect(world[ids[0], Present.Size.self] == Present.Size(width: 4, height: 1))
        #expect(world[resource: Present.Size.self] == nil)
        try flip(chunk)
        try moc.save()
        #expect(world[resource: Present.Size.self] == Present.Size(width: 5, height: 1))
        let last = try Worlds.World(context: fixture.context(), components: [Present.Size.self])
        #expect(last[ids[0], Present.Size.self] == Present.Size(width: 4, height: 1))
        #expect(last[resource: Present.Size.self] == Present.Size(width: 5, height: 1))
        #expect(last[ids[1], Mass.self] == Mass(kilograms: 1))
        try pages.verify()
    }

    @Test func a_context_holds_a_world_whose_migration_is_due() throws {
        weak var held: Worlds.World?
        let chunk = try lastChunk
        func fail() throws {
            let world = try migrated()
            held = world
            try flip(chunk)
            moc.rollback()
        }
        try fail()
        #expect(held != nil && moc.hasChanges)
        try flip(chunk)
        try moc.save()
        #expect(held == nil)
    }
}
