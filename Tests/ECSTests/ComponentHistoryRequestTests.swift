// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Synchronization
import Testing
import Worlds
import _TestSupport

/// Changes of components by way of requests, beside those of objects.
@MainActor
@Suite struct ComponentHistoryRequestTests {
    let stack: HistoryWorld
    let world: Worlds.World
    let ids: GameObjectIDs

    /// Three transactions: places by "one", a hero by "two", and both by "three".
    init() throws {
        stack = try HistoryWorld()
        world = try Worlds.World(context: stack.moc)
        stack.moc.transactionAuthor = "one"
        stack.moc.name = "main"
        ids = world.spawnAll([Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try stack.moc.save()
        stack.moc.transactionAuthor = "two"
        let hero = GameObject.create(name: "Hero", moc: stack.moc)
        try stack.moc.save()
        stack.moc.transactionAuthor = "three"
        hero.name = "Heroine"
        world[ids[1], Place.self]?.x = 3
        try stack.moc.save()
    }

    private typealias Request = NSPersistentHistoryChangeRequest
    private typealias Transactions = [NSPersistentHistoryTransaction]
    private typealias ComponentChanges = [NSPersistentHistoryComponentChange]

    private var all: Request { .fetchHistory(after: nil as NSPersistentHistoryToken?) }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>?, _ format: String,
        _ arguments: [Any] = []
    ) throws -> Request {
        let fetch = try #require(request)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return .fetchHistory(withFetch: fetch)
    }

    @Test func programs_that_know_objects_alone_see_what_they_saw() throws {
        let transactions = try stack.transactions()
        #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
        #expect(transactions.map { $0.changes?.map(\.changeID) } == [[], [1], [2]])
        #expect(try stack.result(all, .count, as: Int.self) == 3)
        #expect(try stack.result(all, .objectIDs, as: [NSManagedObjectID].self).count == 1)
        #expect(
            try stack.result(all, .changesOnly, as: [NSPersistentHistoryChange].self)
                .map(\.changeType) == [.insert, .update])
        let note = transactions[0].objectIDNotification()
        #expect(note.userInfo?.isEmpty == true)
        #expect(transactions[2].objectIDNotification().userInfo?.count == 1)
        let changes = NSPersistentHistoryChange.fetchRequest
        #expect(try stack.result(fetch(changes, "changeType >= 0"), .count, as: Int.self) == 2)
    }

    @Test func tokens_dates_and_authors() throws {
        let transactions = try stack.transactions()
        #expect(transactions.map(\.author) == ["one", "two", "three"])
        #expect(transactions.allSatisfy { $0.contextName == "main" })
        #expect(
            try stack.story(ids[0], after: transactions[0].token) == ["2:", "3: *Place/2"])
        let request = NSPersistentHistoryTransaction.fetchRequest
        let byAuthor = try stack.result(
            fetch(request, "author == 'one'"), as: Transactions.self)
        #expect(byAuthor.map { $0.componentChanges?.count } == [4])
        let date = transactions[1].timestamp.addingTimeInterval(-3_600)
        let later = try stack.result(.fetchHistory(after: date), as: Transactions.self)
        #expect(later.map { $0.componentChanges?.count } == [4, 0, 1])
        let plain = try stack.result(all, .transactionsOnly, as: Transactions.self)
        #expect(plain.map { $0.componentChanges == nil } == [true, true, true])
        let newest = stack.moc.persistentStoreCoordinator?
            .currentPersistentHistoryToken(fromStores: nil)
        #expect(newest == transactions[2].token)
        world[ids[0], Place.self]?.x = 8
        try stack.moc.save()
        #expect(try stack.story(ids[0], after: newest) == ["4: *Place/1"])
    }

    @Test func predicates_about_components() throws {
        let request = NSPersistentHistoryTransaction.fetchRequest
        func numbers(_ format: String) throws -> [Int64] {
            try stack.result(fetch(request, format), as: Transactions.self)
                .map(\.transactionNumber)
        }
        #expect(try numbers("ANY componentChanges.componentName == 'Place'") == [1, 3])
        #expect(try numbers("ANY componentChanges.changeType == 1") == [3])
        #expect(try numbers("componentChanges.@count == 0") == [2])
        #expect(throws: CocoaError.self) { try numbers("ANY componentChanges.size == 1") }
    }

    @Test func changes_of_components_are_fetched() throws {
        // A new one each time, as a request keeps its predicate.
        var request: NSFetchRequest<any NSFetchRequestResult>? {
            NSPersistentHistoryComponentChange.fetchRequest
        }
        let places = try fetch(request, "componentName == 'Place'")
        let changes = try stack.result(places, .changesOnly, as: ComponentChanges.self)
        #expect(changes.map(\.changeType) == [.insert, .insert, .update])
        #expect(changes.map(\.gameObject) == [ids[0], ids[1], ids[1]])
        #expect(changes.map(\.transaction.transactionNumber) == [1, 1, 3])
        #expect(changes[1] != changes[2] && changes[0] == changes[0])
        #expect(try stack.result(places, .count, as: Int.self) == 3)
        let known = try stack.result(places, .objectIDs, as: [NSManagedObjectID].self)
        #expect(known == [changes[0].gameObjectID, changes[1].gameObjectID])
        let whole = try stack.result(places, as: Transactions.self)
        #expect(whole.map { $0.componentChanges?.count } == [2, 1])
        #expect(whole.map { $0.changes?.count } == [0, 0])
        let one = try fetch(
            request, "gameObjectID == %@ AND transaction.author == 'three'", [known[1]])
        #expect(try stack.result(one, .count, as: Int.self) == 1)
        let limited = try #require(places.fetchRequest)
        (limited.fetchOffset, limited.fetchLimit) = (1, 1)
        let second = try stack.result(
            .fetchHistory(withFetch: limited), .changesOnly, as: ComponentChanges.self)
        #expect(second.map(\.description) == [changes[1].description])
        #expect(throws: CocoaError.self) {
            try stack.result(fetch(request, "changeID == 1"), .count, as: Int.self)
        }
    }

    @Test func purged_transactions_take_their_components_along() throws {
        let transactions = try stack.transactions()
        let purge = Request.deleteHistory(before: transactions[1])
        _ = try stack.fixture.context().execute(purge)
        #expect(try stack.story(ids[0]) == ["2:", "3: *Place/2"])
        _ = try stack.fixture.context().execute(Request.deleteHistory(before: Date() + 3_600))
        #expect(try stack.story(ids[0]) == [])
        world[ids[0], Place.self]?.x = 8
        try stack.moc.save()
        #expect(try stack.story(ids[0]) == ["4: *Place/1"])
        try stack.verify()
    }

    @Test func a_read_only_store_has_the_history() throws {
        // A copy, as the world has the file itself open.
        let copy = stack.fixture.directory.appendingPathComponent("copy.lode")
        try FileManager.default.copyItem(at: stack.fixture.url, to: copy)
        let coordinator = try #require(stack.moc.persistentStoreCoordinator)
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        let owner = try coordinator.addPersistentStore(
            type: .sqlite, at: copy, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(owner.isReadOnly)
        #expect(
            try stack.story(ids[0]) == [
                "1: +GameObject/1 +GameObject/2 +Place/1 +Place/2", "2:", "3: *Place/2",
            ])
    }

    @Test func a_store_beside_the_main_one_has_its_own() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.fixture.model)
        let options: [AnyHashable: Any] = [
            LodeDurabilityOption: "none" as NSString,
            NSPersistentHistoryTrackingKey: true as NSNumber,
        ]
        let main = stack.fixture.directory.appendingPathComponent("main.lode")
        _ = try coordinator.addPersistentStore(type: .sqlite, at: main, options: options)
        let further = try coordinator.addPersistentStore(
            type: .sqlite, at: stack.fixture.url, options: options)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let result = try context.execute(all) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? Transactions)
        #expect(transactions.map(\.storeID) == Array(repeating: further.identifier, count: 3))
        let change = try #require(transactions[2].componentChanges?.first)
        #expect(change.isOf(Place.self) && change.gameObject == ids[1])
        #expect(change.gameObjectID?.persistentStore === further)
    }

    @Test func the_history_is_read_while_the_world_goes_on() throws {
        let transactions = try stack.transactions()
        // Decoded only now, while others are written.
        for (number, transaction) in transactions.enumerated() {
            world[ids[0], Place.self]?.y = Int32(10 + number)
            try stack.moc.save()
            let changes = transaction.componentChanges ?? []
            for change in changes where change.isOf(Place.self) {
                let object = try #require(change.gameObject)
                #expect(world[object, Place.self] != nil)
            }
        }
        #expect(try stack.story(ids[0]).count == 6)
    }

    @Test func two_contexts_write_one_history() throws {
        let other = stack.fixture.context()
        other.transactionAuthor = "other"
        let second = try Worlds.World(context: other)
        second[ids[0], Speed.self] = Speed(x: 1, y: 1)
        world[ids[1], Speed.self] = Speed(x: 2, y: 2)
        try other.save()
        try stack.moc.save()
        // Each transaction has what it has changed itself, though one chunk has both.
        #expect(try stack.story(ids[0]).suffix(2) == ["4: +Speed/1", "5: +Speed/2"])
        #expect(try stack.transactions().suffix(2).map(\.author) == ["other", "three"])
        try stack.verify()
    }

    @Test func remote_changes_tell_of_components_alone() throws {
        let coordinator = try #require(stack.moc.persistentStoreCoordinator)
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        _ = try coordinator.addPersistentStore(
            type: .sqlite, at: stack.fixture.url,
            options: [
                LodeDurabilityOption: "none" as NSString,
                NSPersistentHistoryTrackingKey: true as NSNumber,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
            ])
        let told = Tokens()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { told.note($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let context = stack.fixture.context()
        let world = try Worlds.World(context: context)
        world[ids[0], Place.self]?.x = 77
        try context.save()
        let newest = try #require(try stack.transactions().last)
        #expect(newest.changes == [] && newest.componentChanges?.count == 1)
        #expect(told.wait(for: newest.token))
    }

    /// The tokens that remote changes have told.
    private final class Tokens: Sendable {
        // Posted on a queue of the coordinator.
        private let tokens = Mutex<[NSPersistentHistoryToken]>([])
        private let arrival = DispatchSemaphore(value: 0)

        func note(_ notification: Notification) {
            let token = notification.userInfo?[NSPersistentHistoryTokenKey]
            guard let token = token as? NSPersistentHistoryToken else { return }
            tokens.withLock { $0.append(token) }
            arrival.signal()
        }

        func wait(for token: NSPersistentHistoryToken) -> Bool {
            while !tokens.withLock({ $0.contains(token) }) {
                // Far more than it takes: a bound for a test that fails.
                guard arrival.wait(timeout: .now() + 20) == .success else { return false }
            }
            return true
        }
    }
}
