// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import LMDB
import ManagedObjects
import RecordFormat
import Testing
import Worlds
import _TestSupport

/// The history of components in a file that several processes write, or that is damaged.
@MainActor
@Suite struct ComponentHistoryProcessTests {
    let stack: HistoryWorld

    init() throws { stack = try HistoryWorld() }

    private var path: String { stack.path }

    @Test func another_process_tells_what_it_has_changed() async throws {
        let world = try Worlds.World(context: stack.moc)
        let ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try stack.moc.save()
        let token = try #require(try stack.transactions().last?.token)
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await MainActor.run {
                let other = try WorldElsewhere(path, tracksHistory: true)
                other.context.transactionAuthor = "elsewhere"
                let ids = other.ids
                other.world[ids[0], Place.self]?.x = 5
                other.world[ids[1], Title.self] = Title(text: "far")
                other.world.despawn(other.world.spawn(Place(x: 9, y: 9)))
                try other.save()
            }
        }
        #expect(try stack.story(ids[0], after: token) == ["2: *Place/1 +Title/2"])
        let transaction = try #require(try stack.transactions(after: token).first)
        #expect(transaction.author == "elsewhere")
        #expect(transaction.processID != "\(ProcessInfo.processInfo.processIdentifier)")
        world.advance()
        for change in transaction.componentChanges ?? [] {
            let object = try #require(change.gameObject)
            if change.isOf(Place.self) {
                #expect(world[object, Place.self] == Place(x: 5, y: 1))
            } else {
                #expect(world[object, Title.self] == Title(text: "far"))
            }
        }
        try stack.verify()
    }

    /// The first change of a component raises the version of a file that both have open.
    @Test func a_process_follows_the_version_that_another_has_raised() async throws {
        let hero = GameObject.create(name: "Hero", moc: stack.moc)
        try stack.moc.save()
        #expect(try WorldPages(stack.fixture.url).version() < 16)
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await MainActor.run {
                let other = try WorldElsewhere(path, tracksHistory: true)
                other.world.spawn(Place(x: 1, y: 1))
                try other.save()
            }
        }
        #expect(try WorldPages(stack.fixture.url).version() == 16)
        hero.name = "Heroine"
        try stack.moc.save()
        let world = try Worlds.World(context: stack.moc)
        let object = try #require(world.query(Place.self).objects.first)
        world[object, Place.self]?.x = 2
        try stack.moc.save()
        #expect(
            try stack.story(object) == ["1:", "2: +GameObject/1 +Place/1", "3:", "4: *Place/1"])
        try stack.verify()
    }

    /// Replays a history into a second world, and compares both.
    @Test func a_replayed_history_makes_the_same_world() async throws {
        let world = try Worlds.World(context: stack.moc)
        var random = SplitMix64(state: 17)
        var copy: [GameObjectID: [String: Bool]] = [:]
        var token: NSPersistentHistoryToken?
        for _ in 0..<40 {
            for _ in 0..<6 {
                let ids = world.query(GameObjectID.self).objects
                let object = ids.randomElement(using: &random) ?? world.spawn()
                switch Int.random(in: 0..<9, using: &random) {
                case 0: world.despawn(object)
                case 1: world.remove(Place.self, from: object)
                case 2: world.remove(Title.self, from: object)
                case 3: world[object, Title.self] = Title(text: "\(ids.count)")
                case 4: world[object, Asleep.self] = Asleep()
                case 5: world.remove(Asleep.self, from: object)
                case 6: world[object, Place.self] = Place(x: Int32(ids.count), y: 0)
                default: world.spawn(Place(x: 1, y: 1), Asleep())
                }
            }
            try stack.moc.save()
            for transaction in try stack.transactions(after: token) {
                for change in transaction.componentChanges ?? [] {
                    let object = try #require(change.gameObject)
                    let was = copy[object]?[change.componentName] ?? false
                    // A change fits what was there before.
                    #expect(was == (change.changeType != .insert), "\(change)")
                    copy[object, default: [:]][change.componentName] = change.changeType != .delete
                }
                token = transaction.token
            }
            for (object, has) in copy {
                let found = has.filter(\.value).keys.sorted()
                var expected: [String] = []
                if world.isAlive(object) {
                    if world.has(Asleep.self, object) { expected.append("Asleep") }
                    expected.append("GameObject")
                    if world.has(Place.self, object) { expected.append("Place") }
                    if world.has(Title.self, object) { expected.append("Title") }
                }
                #expect(found == expected, "\(object)")
            }
            #expect(copy.values.filter { $0["GameObject"] == true }.count == world.count)
        }
        try stack.verify()
    }

    /// Changes components at random, and saves each few changes.
    private static func work(
        _ world: Worlds.World, _ context: NSManagedObjectContext, _ seed: UInt64
    ) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.transactionAuthor = "\(seed)"
        var random = SplitMix64(state: seed)
        for _ in 0..<50 {
            for _ in 0..<4 {
                let ids = world.query(GameObjectID.self).objects
                guard let object = ids.randomElement(using: &random) else { continue }
                switch Int.random(in: 0..<8, using: &random) {
                case 0: world.remove(Place.self, from: object)
                case 1 where ids.count > 8: world.despawn(object)
                case 2: world.spawn(Place(x: 0, y: 0), Asleep())
                case 3: world[object, Title.self] = Title(text: "\(ids.count % 4)")
                case 4: world.remove(Title.self, from: object)
                default:
                    world[object, Place.self] = Place(x: Int32(ids.count), y: Int32(seed))
                }
            }
            try context.save()
            world.advance()
        }
    }

    @Test func the_history_of_two_processes_adds_up() async throws {
        let world = try Worlds.World(context: stack.moc)
        world.spawnAll((0..<20).map { Place(x: $0, y: 0) })
        try stack.moc.save()
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await MainActor.run {
                    let other = try WorldElsewhere(path, tracksHistory: true)
                    try Data().write(to: URL(fileURLWithPath: path + "-ready"))
                    try Self.work(other.world, other.context, 7)
                }
            }
        }()
        while !FileManager.default.fileExists(atPath: path + "-ready") {
            try await Task.sleep(for: .milliseconds(1))
        }
        try Self.work(world, stack.moc, 8)
        await other
        world.advance()
        let transactions = try stack.transactions()
        #expect(Set(transactions.map(\.author)) == [nil, "7", "8"])
        var components: [GameObjectID: Set<String>] = [:]
        for change in transactions.flatMap({ $0.componentChanges ?? [] }) {
            let object = try #require(change.gameObject)
            let name = change.componentName
            let had = components[object]?.contains(name) ?? false
            #expect(had == (change.changeType != .insert), "\(change)")
            if change.changeType == .delete {
                components[object]?.remove(name)
            } else {
                components[object, default: []].insert(name)
            }
        }
        components = components.filter { !$0.value.isEmpty }
        #expect(Set(components.keys) == Set(world.query(GameObjectID.self).objects))
        for (object, names) in components {
            #expect(names.contains("Place") == world.has(Place.self, object))
            #expect(names.contains("Title") == world.has(Title.self, object))
            #expect(names.contains("Asleep") == world.has(Asleep.self, object))
        }
        try stack.verify()
    }

    @Test func damaged_entries_are_errors() throws {
        let world = try Worlds.World(context: stack.moc)
        let ids = world.spawnAll((0..<20).map { Place(x: $0, y: 0) })
        for number in stride(from: 0, to: 20, by: 3) {
            world[ids[number], Speed.self] = Speed(x: 1, y: 1)
            world.relate(ids[number], ChildOf.self, to: ids[19])
        }
        try stack.moc.save()
        let pages = try WorldPages(stack.fixture.url)
        let healthy = try #require(try pages.history().last)
        var random = SeededGenerator(seed: 77)
        var refused = 0
        for _ in 0..<400 {
            var bytes = healthy
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            }
            try pages.setHistory(1, bytes)
            do {
                for transaction in try stack.transactions() {
                    _ = transaction.componentChanges?.map(\.description)
                    _ = transaction.componentChanges?.map(\.gameObjectID)
                }
            } catch {
                #expect((error as? CocoaError)?.code == .persistentStoreOperation, "\(error)")
                refused += 1
            }
        }
        #expect(refused > 100, "\(refused)")
        // With a wrong seal all are refused.
        try pages.setHistory(1, healthy, isSealed: false)
        #expect(throws: CocoaError.self) { try stack.transactions() }
        #expect(throws: CocoaError.self) { try pages.verify() }
        try pages.setHistory(1, healthy)
        #expect(try stack.transactions().count == 1)
        try pages.verify()
    }
}
