// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Copies of requests are requests of their own with the same settings.
@Suite struct RequestCopyTests {
    private func copy<Request: NSPersistentStoreRequest>(_ request: Request) throws -> Request {
        let copy = try #require(request.copy() as? Request)
        #expect(copy !== request)
        #expect(copy.requestType == request.requestType)
        #expect(copy.affectedStores == request.affectedStores)
        return copy
    }

    @Test func a_fetch() throws {
        let stack = try Stack(ItemModel.make())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.affectedStores = stack.coordinator.persistentStores
        request.fetchLimit = 3
        request.propertiesToFetch = ["name"]
        let copy = try copy(request)
        #expect(copy.fetchLimit == 3 && copy.entityName == "Item")
        #expect(copy.propertiesToFetch as? [String] == ["name"])
        copy.fetchLimit = 4
        #expect(request.fetchLimit == 3)
    }

    /// Foundation's own copy of a compound is always false.
    @Test func a_compound_survives() throws {
        let stack = try Stack(ItemModel.make())
        for number in 1...4 {
            stack.context.make("Item", ["name": "\(number)", "number": number])
        }
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "number > 1"), NSPredicate(format: "number < 4"),
        ])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = compound
        let model = try #require(ItemModel.make().copy() as? NSManagedObjectModel)
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        template.predicate = compound
        model.setFetchRequestTemplate(template, forName: "some")
        let copied = try #require(model.copy() as? NSManagedObjectModel)
        let found = try #require(copied.fetchRequestTemplate(forName: "some")?.predicate)
        #expect(
            try stack.context.fetch(try copy(request)).map { $0.text("name") }.sorted()
                == ["2", "3"])
        #expect(
            try stack.context.all("Item", found).map { $0.text("name") }.sorted() == ["2", "3"])
        let deletion = NSBatchDeleteRequest(
            fetchRequest: try #require(
                copied.fetchRequestFromTemplate(withName: "some", substitutionVariables: [:])))
        try stack.context.save()
        try stack.context.execute(try copy(deletion))
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["1", "4"])
    }

    @Test func an_asynchronous_fetch() throws {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        let done = DispatchSemaphore(value: 0)
        let request = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Item")
        ) { _ in done.signal() }
        request.estimatedResultCount = 7
        let copy = try copy(request)
        #expect(copy.estimatedResultCount == 7)
        #expect(copy.fetchRequest !== request.fetchRequest)
        request.fetchRequest.predicate = NSPredicate(value: false)
        let result = try context.performAndWait {
            try context.execute(copy) as? NSAsynchronousFetchResult<NSManagedObject>
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        context.performAndWait { #expect(result?.finalResult?.count == 1) }
    }

    @Test func batch_insertions() throws {
        let stack = try Stack(ItemModel.make())
        let entity = try #require(stack.model.entitiesByName["Item"])
        let dictionaries = NSBatchInsertRequest(entityName: "Item", objects: [["name": "a"]])
        dictionaries.resultType = .count
        let first = try copy(dictionaries)
        dictionaries.objectsToInsert = []
        #expect(first.entityName == "Item" && first.entity == nil && first.resultType == .count)
        #expect((try stack.context.execute(first) as? NSBatchInsertResult)?.result as? Int == 1)
        var row = 0
        let objects = NSBatchInsertRequest(entity: entity) { (item: NSManagedObject) in
            row += 1
            item.setValue("o", forKey: "name")
            return row > 2
        }
        let second = try copy(objects)
        #expect(second.entity === entity && second.dictionaryHandler == nil)
        try stack.context.execute(second)
        let filled = NSBatchInsertRequest(entity: entity) { (item: NSMutableDictionary) in
            item["name"] = "d"
            row += 1
            return row > 4
        }
        try stack.context.execute(try copy(filled))
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "d", "o", "o"])
    }

    @Test func batch_updates() throws {
        let stack = try Stack(ItemModel.make())
        let entity = try #require(stack.model.entitiesByName["Item"])
        stack.context.make("Item", ["name": "a", "number": 1])
        stack.context.make("Item", ["name": "b", "number": 2])
        try stack.context.save()
        for request in [
            NSBatchUpdateRequest(entityName: "Item"), NSBatchUpdateRequest(entity: entity),
        ] {
            request.predicate = NSPredicate(format: "number == 2")
            request.propertiesToUpdate = ["name": "c"]
            request.includesSubentities = false
            request.resultType = .updatedObjectsCountResultType
            let copy = try copy(request)
            request.predicate = nil
            request.propertiesToUpdate = ["name": "x"]
            #expect(copy.entityName == "Item" && !copy.includesSubentities)
            let result = try stack.context.execute(copy) as? NSBatchUpdateResult
            #expect(result?.result as? Int == 1)
        }
        stack.context.refreshAllObjects()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "c"])
    }

    @Test func batch_deletions() throws {
        let stack = try Stack(ItemModel.make())
        let items = (1...3).map { stack.context.make("Item", ["number": $0]) }
        try stack.context.save()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.predicate = NSPredicate(format: "number == 1")
        let matches = NSBatchDeleteRequest(fetchRequest: fetch)
        matches.resultType = .resultTypeCount
        let first = try copy(matches)
        fetch.predicate = nil
        #expect(first.fetchRequest !== fetch)
        #expect((try stack.context.execute(first) as? NSBatchDeleteResult)?.result as? Int == 1)
        let listed = try copy(NSBatchDeleteRequest(objectIDs: [items[1].objectID]))
        try stack.context.execute(listed)
        stack.context.reset()
        #expect(try stack.context.all("Item").map { $0.number("number") } == [3])
    }

    @Test func history_requests() throws {
        let stack = try Stack.withHistory()
        try stack.film("a", by: "me")
        let token = try #require(stack.token)
        try stack.film("b", by: "you")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        let copy = try copy(request)
        request.resultType = .count
        #expect(copy.resultType == .transactionsAndChanges && copy.token == token)
        #expect(copy.fetchRequest != nil && copy.fetchRequest !== request.fetchRequest)
        #expect(try stack.history(copy).map(\.author) == ["you"])
        let deletion = try self.copy(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
        try stack.context.execute(deletion)
        let left = try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        #expect(left.map(\.author) == ["me", "you"])
    }

    @Test func what_a_save_hands_to_a_store() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item")
        let request = NSSaveChangesRequest(
            inserted: [item], updated: nil, deleted: [], locked: nil)
        let copy = try copy(request)
        #expect(copy.insertedObjects == [item] && copy.updatedObjects == nil)
        #expect(copy.deletedObjects == [] && copy.lockedObjects == nil)
    }
}
