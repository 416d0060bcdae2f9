// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Permanent IDs before the save come from blocks in memory, and stay unique.
@Suite struct PermanentIDBlockTests {
    private func rows(_ objects: [NSManagedObject]) -> [String] {
        objects.map { $0.objectID.uriRepresentation().lastPathComponent }
    }

    private func lastCommit(_ context: NSManagedObjectContext) throws -> UInt64 {
        try context.mainStore().lastTransactionID
    }

    @Test func asking_one_by_one_commits_once() throws {
        let stack = try Stack(ItemModel.make())
        let before = try lastCommit(stack.context)
        var items: [NSManagedObject] = []
        for number in 0..<60 {
            items.append(stack.context.make("Item", ["number": number]))
            try stack.context.obtainPermanentIDs(for: [items[number]])
        }
        #expect(try lastCommit(stack.context) == before + 1)
        #expect(rows(items) == (1...60).map { "p\($0)" })
        try stack.context.save()
        try stack.reopen()
        let numbers = try stack.context.all("Item").map { $0.number("number") }
        #expect(numbers == Array(0..<60))
    }

    @Test func contexts_of_a_coordinator_share_a_block() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        let before = try lastCommit(stack.context)
        var items: [NSManagedObject] = []
        for context in [stack.context, other, stack.context, other] {
            items.append(context.make("Item"))
            try context.obtainPermanentIDs(for: [items[items.count - 1]])
        }
        #expect(rows(items) == ["p1", "p2", "p3", "p4"])
        #expect(try lastCommit(stack.context) == before + 1)
        try other.save()
        try stack.context.save()
        #expect(Set(items.map(\.objectID)).count == 4)
        #expect(try stack.container.newBackgroundContext().count("Item") == 4)
    }

    @Test func ids_given_in_another_order_than_objects_were_made_in() throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<200).map { stack.context.make("Item", ["number": $0]) }
        for item in items[100...].reversed() {
            try stack.context.obtainPermanentIDs(for: [item])
        }
        let early = items[100...].map(\.objectID)
        try stack.context.save()
        #expect(items[100...].map(\.objectID) == early)
        #expect(rows(Array(items[100...])) == (1...100).reversed().map { "p\($0)" })
        // Those that were not asked for follow, in the order in which they were made.
        #expect(rows(Array(items[..<100])) == (101...200).map { "p\($0)" })
        try stack.reopen()
        let numbers = try stack.context.all("Item").map { $0.number("number") }
        #expect(numbers == Array((100..<200).reversed()) + Array(0..<100))
    }

    @Test func a_rollback_and_a_reset_give_no_id_back() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        var found: [String] = []
        for step in 0..<3 {
            let item = context.make("Item")
            try context.obtainPermanentIDs(for: [item])
            found += rows([item])
            if step == 0 { context.rollback() } else { context.reset() }
        }
        context.make("Item")
        try context.save()
        found += rows(try context.all("Item"))
        #expect(found == ["p1", "p2", "p3", "p4"])
    }

    @Test func undo_and_redo_keep_the_id() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        context.undoManager = UndoManager()
        let item = context.make("Item", ["name": "a"])
        try context.obtainPermanentIDs(for: [item])
        let id = item.objectID
        context.processPendingChanges()
        context.undo()
        #expect(try context.count("Item") == 0)
        let other = context.make("Item", ["name": "b"])
        try context.obtainPermanentIDs(for: [other])
        context.processPendingChanges()
        context.undo()
        context.redo()
        try context.save()
        #expect(rows([other]) == ["p2"])
        #expect(id.uriRepresentation().lastPathComponent == "p1")
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.all("Item").map { $0.text("name") } == ["b"])
    }

    @Test func a_history_has_no_entry_for_a_block() throws {
        let stack = try Stack(ItemModel.make())
        try stack.reopen {
            $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        let context = stack.context
        let item = context.make("Item")
        try context.obtainPermanentIDs(for: [item])
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.count == 1)
        #expect(transactions.first?.changes?.first?.changedObjectID == item.objectID)
    }

    @Test func objects_of_a_further_file_get_their_ids_from_its_block() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let second = try folder.store("b.lode")
        var books: [NSManagedObject] = []
        for number in 0..<10 {
            let book = context.make("Book", ["title": "\(number)"])
            context.assign(book, to: second)
            try context.obtainPermanentIDs(for: [book])
            books.append(book)
        }
        #expect(rows(books) == (1...10).map { "p\($0)" })
        #expect(books.allSatisfy { $0.objectID.persistentStore === second })
        try context.save()
        #expect(try folder.makeContext().count("Book") == 10)
    }

    @Test func two_coordinators_of_a_file_never_give_the_same_id() throws {
        let stack = try Stack(ItemModel.make())
        let second = NSPersistentContainer(name: "Test", managedObjectModel: stack.model)
        let description = NSPersistentStoreDescription(url: stack.url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        second.persistentStoreDescriptions = [description]
        if let error = load(second) { throw error }
        // Threads add what their contexts got.
        let found = Mutex<[String]>([])
        let containers = [stack.container, second]
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let context = containers[thread % 2].newBackgroundContext()
            context.performAndWait {
                var items: [NSManagedObject] = []
                for number in 0..<300 {
                    let item = context.make("Item", ["number": number])
                    if number % 3 > 0 {
                        #expect(throws: Never.self) {
                            try context.obtainPermanentIDs(for: [item])
                        }
                    }
                    items.append(item)
                    if number % 50 == 49 { #expect(throws: Never.self) { try context.save() } }
                }
                let names = self.rows(items)
                found.withLock { $0 += names }
            }
        }
        let names = found.withLock { $0 }
        #expect(names.count == 1_200 && Set(names).count == 1_200)
        #expect(try stack.container.newBackgroundContext().count("Item") == 1_200)
    }
}
