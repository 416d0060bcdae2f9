// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Worlds that are saved every so many ticks.
@MainActor
@Suite struct AutosaveTests {
    let fixture: WorldFixture
    let world: Worlds.World

    init() throws {
        fixture = try WorldFixture()
        world = try Worlds.World(context: fixture.moc)
    }

    private func saved() throws -> [Int32] {
        let other = try Worlds.World(context: fixture.context())
        return other.query(Place.self).objects.compactMap { other[$0, Place.self]?.x }
    }

    @Test func every_third_tick_is_saved() throws {
        var failures = 0
        world.autosave(every: 3) { _ in failures += 1 }
        let object = world.spawn(Place(x: 0, y: 0))
        GameObject.create(name: "Hero", moc: fixture.moc)
        var seen: [[Int32]] = []
        for tick in 1...7 {
            world[object, Place.self]?.x = Int32(tick)
            world.advance()
            seen.append(try saved())
        }
        #expect(seen == [[], [], [3], [3], [3], [6], [6]])
        #expect(failures == 0)
        #expect(try GameObject.fetch(name: "Hero", moc: fixture.context()) != nil)
        world.autosave(every: nil) { _ in failures += 1 }
        for _ in 0..<5 { world.advance() }
        #expect(try saved() == [6])
        #expect(fixture.moc.hasChanges)
    }

    @Test func a_failure_is_told_and_tried_again() throws {
        let object = world.spawn(Place(x: 0, y: 0))
        try fixture.moc.save()
        let moc = fixture.context()
        let other = try Worlds.World(context: moc)
        var failures: [CocoaError.Code] = []
        world.autosave(every: 2) { error in
            failures.append((error as? CocoaError)?.code ?? .coreData)
        }
        world[object, Place.self]?.x = 1
        other[object, Place.self]?.x = 2
        try moc.save()
        for _ in 0..<3 { world.advance() }
        #expect(failures == [.managedObjectMerge, .managedObjectMerge])
        #expect(world[object, Place.self] == Place(x: 1, y: 0))
        fixture.moc.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        world.advance()
        #expect(failures.count == 2)
        #expect(try saved() == [1])
    }

    @Test func ticks_without_changes_commit_nothing() throws {
        world.autosave(every: 1) { _ in Issue.record("nothing was to be saved") }
        world.spawn(Place(x: 5, y: 0))
        world.advance()
        let chunks = try WorldPages(fixture.url).chunks()
        for _ in 0..<10 { world.advance() }
        #expect(try WorldPages(fixture.url).chunks() == chunks)
        #expect(!fixture.moc.hasChanges)
    }

    @Test func an_interval_of_nothing_traps() async {
        await #expect(processExitsWith: .failure) {
            Worlds.World().autosave(every: 0) { _ in }
        }
    }
}
