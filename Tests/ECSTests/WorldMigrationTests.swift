// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Columns that become those of another type, beside programs that do not know of it.
@MainActor
@Suite struct WorldMigrationTests {
    struct Weight: ValueComponent, Equatable { var grams: Int32 }
    struct Tally: ValueComponent, Equatable { var digits: Int }
    struct Mass: ValueComponent, Equatable { var kilograms: Double }

    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private let migration = ColumnMigration(from: Weight.self, to: Mass.self) {
        Mass(kilograms: Double($0.grams) / 1_000)
    }

    @Test func values_of_the_new_type_win_over_migrated_ones() throws {
        let other = fixture.context()
        let old = try Worlds.World(context: other)
        let both = old.spawn(Weight(grams: 1_000), Mass(kilograms: 7))
        let one = old.spawn(Weight(grams: 2_000))
        try other.save()
        let world = try Worlds.World(context: fixture.moc, migrations: [migration])
        for _ in 0..<2 {
            #expect(world[both, Mass.self] == Mass(kilograms: 7))
            #expect(world[one, Mass.self] == Mass(kilograms: 2))
            fixture.moc.rollback()
        }
        try fixture.moc.save()
        let last = try Worlds.World(context: fixture.context())
        #expect(last[both, Mass.self] == Mass(kilograms: 7))
        #expect(last[one, Mass.self] == Mass(kilograms: 2))
        #expect(last.componentTypes.map(\.name) == ["Mass"])
    }

    @Test func what_the_former_program_saves_meanwhile_is_not_lost() throws {
        let other = fixture.context()
        let old = try Worlds.World(context: other)
        let object = old.spawn(Weight(grams: 1_000))
        try other.save()
        let world = try Worlds.World(context: fixture.moc, migrations: [migration])
        old[object, Weight.self] = Weight(grams: 9_000)
        let new = old.spawn(Weight(grams: 4_000))
        try other.save()
        #expect(throws: CocoaError.self) { try fixture.moc.save() }
        fixture.moc.rollback()
        #expect(world[object, Mass.self] == Mass(kilograms: 9))
        #expect(world[new, Mass.self] == Mass(kilograms: 4))
        try fixture.moc.save()
        let last = try Worlds.World(context: fixture.context())
        #expect(last[object, Mass.self] == Mass(kilograms: 9))
        #expect(last[new, Mass.self] == Mass(kilograms: 4))
        // The former program learns that its type is gone.
        old[object, Weight.self] = Weight(grams: 1)
        #expect(throws: CocoaError.self) { try other.save() }
    }

    private let successor =
        "another program has made the component Weight Mass by a migration; use a version of the "
        + "program that has Mass, or give the world a ColumnMigration with Weight"

    /// Makes a file in which weights have become masses.
    private func migrate() throws -> GameObjectID {
        let other = fixture.context()
        let old = try Worlds.World(context: other)
        let object = old.spawn(Weight(grams: 2_000))
        old[resource: Weight.self] = Weight(grams: 3_000)
        try other.save()
        let context = fixture.context()
        let world = try Worlds.World(context: context, migrations: [migration])
        #expect(world[object, Mass.self] == Mass(kilograms: 2))
        try context.save()
        // The former program is told at its next look, before it has anything of the new file.
        let error = #expect(throws: CocoaError.self) { try old.refresh() }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(error?.localizedDescription == successor)
        try WorldPages(fixture.url).verify()
        return object
    }

    @Test func a_former_program_that_opens_the_file_again_is_refused() async throws {
        _ = try migrate()
        let error = #expect(throws: CocoaError.self) {
            try Worlds.World(context: fixture.context(), components: [Weight.self])
        }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(error?.localizedDescription == successor)
        // Types that are not named at open are compared when they are used.
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [path = fixture.url.path as String] in
            try await MainActor.run {
                let world = try WorldElsewhere(path).world
                world.spawn(WorldMigrationTests.Weight(grams: 1))
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(successor), "\(text)")
    }

    struct Load: ValueComponent, Equatable { var tons: Double }

    /// Weights became masses, and these become loads, while the program of the masses runs.
    @Test(arguments: [true, false])
    func a_program_in_the_middle_of_a_chain_is_refused(isRunning: Bool) throws {
        let first = fixture.context()
        let old = try Worlds.World(context: first)
        let object = old.spawn(Weight(grams: 2_000))
        try first.save()
        let middle = fixture.context()
        var world: Worlds.World?
        if isRunning {
            world = try Worlds.World(
                context: middle, components: [Mass.self], migrations: [migration])
            try middle.save()
        }
        let last = fixture.context()
        let next = ColumnMigration(from: Mass.self, to: Load.self) {
            Load(tons: $0.kilograms / 1_000)
        }
        let loads = try Worlds.World(context: last, migrations: [migration, next])
        #expect(loads[object, Load.self] == Load(tons: 0.002))
        try last.save()
        if let world {
            let error = #expect(throws: CocoaError.self) { try world.refresh() }
            #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        }
        for components in [[Mass.self], []] as [[any WorldComponent.Type]] {
            let error = #expect(throws: CocoaError.self) {
                try Worlds.World(
                    context: fixture.context(), components: components, migrations: [migration])
            }
            #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        }
        let again = try Worlds.World(
            context: fixture.context(), components: [Load.self], migrations: [migration, next])
        #expect(again[object, Load.self] == Load(tons: 0.002))
    }

    @Test func the_program_that_migrates_may_use_the_former_name_anew() throws {
        let object = try migrate()
        let context = fixture.context()
        let world = try Worlds.World(
            context: context, components: [Mass.self], migrations: [migration])
        #expect(world.componentTypes.map(\.name) == ["Mass"])
        world[object, Weight.self] = Weight(grams: 5)
        try context.save()
        #expect(world[object, Weight.self] == Weight(grams: 5))
        world[object, Weight.self] = Weight(grams: 6)
        try context.save()
        let last = try Worlds.World(context: fixture.context(), components: [Weight.self])
        #expect(last[object, Weight.self] == Weight(grams: 6))
        #expect(last[object, Mass.self] == Mass(kilograms: 2))
        try WorldPages(fixture.url).verify()
    }

    @Test func worlds_that_know_either_name_can_be_merged_and_copied() throws {
        let object = try migrate()
        let world = try Worlds.World(context: fixture.context())
        let other = Worlds.World()
        other.spawn(Mass(kilograms: 5))
        world.merge(other)
        #expect(world.query(Mass.self).count == 2)
        let copies = other.merge(world.copy())
        #expect(other.query(Mass.self).count == 3)
        #expect(copies[object].map { other[$0, Mass.self] } == Mass(kilograms: 2))
        let former = Worlds.World()
        former.spawn(Weight(grams: 1))
        former.merge(world)
        try former.apply(world.diff(from: Worlds.World()))
        #expect(former.query(Weight.self).count == 1)
    }

    @Test func values_can_be_migrated_back() throws {
        let object = try migrate()
        let back = ColumnMigration(from: Mass.self, to: Weight.self) {
            Weight(grams: Int32($0.kilograms * 1_000))
        }
        for _ in 0..<2 {
            let context = fixture.context()
            let world = try Worlds.World(context: context, migrations: [back])
            #expect(world[object, Weight.self] == Weight(grams: 2_000))
            #expect(world[resource: Weight.self] == Weight(grams: 3_000))
            #expect(world[resource: Mass.self] == nil)
            try context.save()
        }
        let error = #expect(throws: CocoaError.self) {
            try Worlds.World(context: fixture.context(), components: [Mass.self])
        }
        #expect(
            error?.localizedDescription
                == "another program has made the component Mass Weight by a migration; use a "
                + "version of the program that has Weight, or give the world a ColumnMigration "
                + "with Mass")
        let context = fixture.context()
        let world = try Worlds.World(context: context, migrations: [migration])
        #expect(world[object, Mass.self] == Mass(kilograms: 2))
        try context.save()
        try WorldPages(fixture.url).verify()
    }

    @Test func a_store_that_was_removed_is_an_error() throws {
        let world = try Worlds.World(context: fixture.moc)
        world.spawn(Weight(grams: 1))
        try fixture.moc.save()
        let coordinator = try #require(fixture.moc.persistentStoreCoordinator)
        let store = try #require(coordinator.persistentStores.first)
        try coordinator.migratePersistentStore(
            store, to: fixture.directory.appendingPathComponent("moved.lode"), options: nil,
            withType: store.type)
        world.spawn(Weight(grams: 2))
        #expect(throws: CocoaError.self) { try fixture.moc.save() }
    }

    @Test func a_system_that_runs_first_sees_what_the_file_brought() throws {
        do {
            let world = try Worlds.World(context: fixture.moc)
            world.spawnAll([Weight(grams: 1), Weight(grams: 2)])
            try fixture.moc.save()
        }
        let world = try Worlds.World(context: fixture.moc)
        let tally = world.spawn(Tally(digits: 0))
        let schedule = Schedule()
        schedule.add(
            System("count", reading: Weight.self, writing: Tally.self) { context in
                let count = context.query(Weight.self).added(Weight.self).count
                context.query(Mut<Tally>.self).forEach { $0.digits = $0.digits * 10 + count }
            })
        try schedule.run(world, delta: 1)
        try schedule.run(world, delta: 1)
        #expect(world[tally, Tally.self] == Tally(digits: 20))
    }

    struct Bulk: ValueComponent, Equatable { var grams: Double }

    private let next = ColumnMigration(from: Mass.self, to: Bulk.self) {
        Bulk(grams: $0.kilograms * 1_000)
    }

    @Test(arguments: [false, true])
    func migrations_follow_each_other(isReversed: Bool) throws {
        let other = fixture.context()
        let old = try Worlds.World(context: other)
        let both = old.spawn(Weight(grams: 1_000), Mass(kilograms: 7))
        let one = old.spawn(Weight(grams: 2_000))
        old[resource: Weight.self] = Weight(grams: 3_000)
        try other.save()
        let steps = isReversed ? [next, migration] : [migration, next]
        let world = try Worlds.World(
            context: fixture.moc, components: [Bulk.self], migrations: steps)
        for _ in 0..<2 {
            #expect(world[both, Bulk.self] == Bulk(grams: 7_000))
            #expect(world[one, Bulk.self] == Bulk(grams: 2_000))
            #expect(world[resource: Bulk.self] == Bulk(grams: 3_000))
            fixture.moc.rollback()
        }
        try fixture.moc.save()
        let last = try Worlds.World(context: fixture.context(), migrations: steps)
        #expect(last[both, Bulk.self] == Bulk(grams: 7_000))
        #expect(last[one, Bulk.self] == Bulk(grams: 2_000))
        #expect(last.componentTypes.map(\.name) == ["Bulk"])
        #expect(last[resource: Bulk.self] == Bulk(grams: 3_000))
    }

    private enum Later {
        struct Mass: ValueComponent { var tons: Float }
    }

    @Test func a_migration_to_another_type_than_the_programs_is_an_error() throws {
        let other = fixture.context()
        try Worlds.World(context: other).spawn(Weight(grams: 1_000))
        try other.save()
        #expect {
            try Worlds.World(
                context: fixture.moc, components: [Later.Mass.self], migrations: [migration])
        } throws: { error in
            let error = error as? CocoaError
            let message = error?.localizedDescription ?? ""
            return error?.code == .persistentStoreIncompatibleVersionHash
                && message.contains("kilograms:Double") && message.contains("tons:Float")
        }
    }
}
