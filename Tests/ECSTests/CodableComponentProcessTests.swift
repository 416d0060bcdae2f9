// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Codable components of one file in two processes.
@MainActor
@Suite struct CodableComponentProcessTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private var path: String { fixture.url.path }

    private func verify() throws { try WorldPages(fixture.url).verify() }

    private func contents() throws -> Int { try WorldPages(fixture.url).contentCount() }

    /// Gives a game object a title, or takes it away, in another process that saves.
    private func elsewhere(_ object: Int, _ text: String?) async {
        await #expect(processExitsWith: .success) {
            [path = path as String, object = object as Int, text = text as String?] in
            try await MainActor.run {
                let other = try WorldElsewhere(path)
                other.world[other.ids[object], Title.self] = text.map { Title(text: $0) }
                try other.save()
            }
        }
    }

    @Test func a_commit_of_another_process_is_seen_at_the_next_tick() async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll([Title(text: "a"), Title(text: "b")])
        world[ids[0], Place.self] = Place(x: 1, y: 1)
        try fixture.moc.save()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await MainActor.run {
                let other = try WorldElsewhere(path)
                let ids = other.ids
                other.world[ids[0], Title.self]?.tags = ["far"]
                other.world[ids[0], Place.self] = Place(x: 2, y: 2)
                other.world.despawn(ids[1])
                other.world.spawn(Title(text: "new"))
                try other.save()
            }
        }
        #expect(world[ids[0], Title.self] == Title(text: "a"))
        #expect(world.isAlive(ids[1]))
        world.advance()
        #expect(world[ids[0], Title.self] == Title(text: "a", tags: ["far"]))
        #expect(world[ids[0], Place.self] == Place(x: 2, y: 2))
        #expect(!world.isAlive(ids[1]))
        #expect(world.query(Title.self).count == 2)
        #expect(world.query(Place.self).changed(Place.self).objects == [ids[0]])
        #expect(world.removals(of: Title.self).map(\.value.text) == ["b"])
        #expect(!fixture.moc.hasChanges)
        #expect(try contents() == 2)
        try verify()
    }

    @Test func the_last_user_goes_here_while_another_comes_there() async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll([Title(text: "shared"), Title(text: "other")])
        try fixture.moc.save()
        world.remove(Title.self, from: ids[0])
        await elsewhere(1, "shared")
        #expect(try contents() == 1)
        try fixture.moc.save()
        #expect(try contents() == 1)
        #expect(world[ids[0], Title.self] == nil)
        #expect(world[ids[1], Title.self]?.text == "shared")
        try verify()
    }

    @Test func the_last_user_goes_there_while_another_comes_here() async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll([Title(text: "shared"), Title(text: "other")])
        try fixture.moc.save()
        world[ids[1], Title.self] = Title(text: "shared")
        await elsewhere(0, nil)
        try fixture.moc.save()
        #expect(try contents() == 1)
        #expect(world[ids[0], Title.self] == nil)
        #expect(world[ids[1], Title.self]?.text == "shared")
        try verify()
        // Both give the same value to the same game object: no conflict, and one row more.
        world[ids[0], Title.self] = Title(text: "both")
        await elsewhere(0, "both")
        try fixture.moc.save()
        #expect(try contents() == 2)
        try verify()
    }

    @Test(arguments: [true, false])
    func a_conflict_is_that_of_one_component(prefersMine: Bool) async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll([Title(text: "a"), Title(text: "b")])
        try fixture.moc.save()
        world[ids[0], Title.self]?.text = "mine"
        world[ids[1], Title.self]?.text = "b2"
        await elsewhere(0, "theirs")
        fixture.moc.mergePolicy = NSMergePolicy.error
        do {
            try fixture.moc.save()
            Issue.record("no conflict")
        } catch let error as CocoaError {
            #expect(error.code == .managedObjectMerge)
            #expect("\(error)".contains("Title of the game object \(ids[0])"))
        }
        #expect(try contents() == 2)
        fixture.moc.mergePolicy =
            prefersMine
            ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
        try fixture.moc.save()
        #expect(world[ids[0], Title.self]?.text == (prefersMine ? "mine" : "theirs"))
        #expect(world[ids[1], Title.self]?.text == "b2")
        #expect(try contents() == 2)
        try verify()
    }

    /// Changes titles at random, and saves each few changes.
    private static func work(
        _ world: Worlds.World, _ context: NSManagedObjectContext, _ seed: UInt64
    ) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        var random = SplitMix64(state: seed)
        for _ in 0..<60 {
            for _ in 0..<4 {
                let ids = world.query(GameObjectID.self).objects
                let object = ids[Int.random(in: 0..<ids.count, using: &random)]
                switch Int.random(in: 0..<8, using: &random) {
                case 0: world.remove(Title.self, from: object)
                case 1 where ids.count > 8: world.despawn(object)
                case 2: world.spawn(Title(text: "\(Int.random(in: 0..<5, using: &random))"))
                default:
                    world[object, Title.self] = Title(
                        text: "\(Int.random(in: 0..<5, using: &random))")
                }
            }
            try context.save()
            world.advance()
        }
    }

    @Test func counts_are_right_when_two_processes_change_the_same() async throws {
        let world = try Worlds.World(context: fixture.moc)
        world.spawnAll((0..<20).map { Title(text: "\($0 % 5)") })
        try fixture.moc.save()
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await MainActor.run {
                    let other = try WorldElsewhere(path)
                    try Data().write(to: URL(fileURLWithPath: path + "-ready"))
                    try Self.work(other.world, other.context, 7)
                }
            }
        }()
        while !FileManager.default.fileExists(atPath: path + "-ready") {
            try await Task.sleep(for: .milliseconds(1))
        }
        try Self.work(world, fixture.moc, 8)
        await other
        world.advance()
        var texts: Set<String> = []
        world.query(Title.self).forEach { texts.insert($0.text) }
        #expect(try contents() == texts.count)
        try verify()
    }

    @Test func a_value_that_is_refused_leaves_what_was_saved() async throws {
        let world = try Worlds.World(context: fixture.moc)
        let ship = world.spawn(Title(text: "Argo"))
        try fixture.moc.save()
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [path = path as String] in
            try await MainActor.run {
                let other = try WorldElsewhere(path)
                other.world[other.ids[0], Title.self]?.tags = ["saved"]
                try other.save()
                other.world[other.ids[0], Title.self]?.text = String(
                    repeating: "x", count: 16 << 20)
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the component Title cannot be coded: it takes 167772"))
        world.advance()
        #expect(world[ship, Title.self] == Title(text: "Argo", tags: ["saved"]))
        #expect(try contents() == 1)
        try verify()
    }

    @Test func the_largest_value_is_saved() throws {
        var id = GameObjectID(rawValue: 0)
        // What is left beside the tags and sizes of two values with keys.
        let longest = String(repeating: "x", count: (16 << 20) - 19)
        do {
            let world = try Worlds.World(context: fixture.moc)
            id = world.spawn(Title(text: longest))
            try fixture.moc.save()
        }
        try verify()
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world[id, Title.self]?.text == longest)
    }
}
