// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// From a batch request through the history and a merge to a controller's delegate.
@Suite struct BatchToResultsTests {
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private let controller: ObjectController

    init() throws {
        let stack = try Stack(ItemModel.make())
        try stack.reopen([NSPersistentHistoryTrackingKey])
        for (name, number) in [("b", 2), ("d", 4), ("f", 6)] {
            stack.context.make("Item", ["name": name, "number": number])
        }
        try stack.context.save()
        self.stack = stack
        controller = stack.context.controller("Item", by: ["number"], where: "number < 100")
        controller.delegate = recorder
        try controller.performFetch()
    }

    /// Runs a request in the background; returns the story of the history since then.
    private func run(_ request: NSPersistentStoreRequest) throws -> [String] {
        let token = stack.token
        let background = stack.container.newBackgroundContext()
        try background.performAndWait {
            background.transactionAuthor = "batch"
            try background.execute(request)
        }
        #expect(recorder.take() == [])
        let transactions = try stack.history(.fetchHistory(after: token))
        for transaction in transactions {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: transaction.objectIDNotification().userInfo ?? [:],
                into: [stack.context])
        }
        return transactions.map(\.story)
    }

    private func update(_ format: String, _ values: [AnyHashable: Any]) -> NSBatchUpdateRequest {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        request.propertiesToUpdate = values
        return request
    }

    @Test func the_delegate_sees_exactly_what_batches_did() throws {
        #expect(controller.lines == [": b d f"])
        // One object that the controller shows, one that it does not.
        let insertion = NSBatchInsertRequest(
            entityName: "Item",
            objects: [["name": "c", "number": 3], ["name": "hidden", "number": 300]])
        #expect(try run(insertion) == ["2 batch: +Item/p4 +Item/p5"])
        #expect(recorder.take() == ["will", "insert c - 0.1", "did"])

        #expect(try run(update("number BETWEEN {4, 6}", ["name": "x"])).count == 1)
        #expect(recorder.take() == ["will", "update x 0.2 -", "update x 0.3 -", "did"])
        #expect(controller.lines == [": b c x x"])

        let expression = NSExpression(
            forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "number"), 50])
        #expect(
            try run(update("number == 2", ["number": expression]))
                == ["4 batch: *Item/p1.number"])
        #expect(recorder.take() == ["will", "delete b 0.0 -", "did"])

        #expect(
            try run(update("name == 'hidden'", ["number": 5, "name": "e"]))
                == ["5 batch: *Item/p5.name.number"])
        #expect(recorder.take() == ["will", "insert e - 0.2", "did"])
        #expect(controller.lines == [": c x e x"])

        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.predicate = NSPredicate(format: "name IN {'c', 'b'}")
        #expect(
            try run(NSBatchDeleteRequest(fetchRequest: fetch))
                == ["6 batch: -Item/p1 -Item/p4"])
        #expect(recorder.take() == ["will", "delete c 0.0 -", "did"])
        #expect(controller.lines == [": x e x"])
    }

    @Test func a_batch_without_matches_tells_nothing() throws {
        #expect(try run(update("number > 1000", ["name": "x"])) == [])
        #expect(recorder.take() == [])
        #expect(controller.lines == [": b d f"])
    }

    @Test func unsaved_changes_of_the_context_stay() throws {
        let d = try #require(try stack.context.named("d", "Item"))
        d.setValue("mine", forKey: "name")
        stack.context.processPendingChanges()
        #expect(recorder.take() == ["will", "update mine 0.1 -", "did"])
        #expect(try run(update("number == 4", ["number": 1])).count == 1)
        // The number comes from the batch, the name stays as the context has it.
        #expect(recorder.take() == ["will", "move mine 0.1 0.0", "did"])
        #expect(controller.lines == [": mine b f"])
        try stack.context.save()
        #expect(try stack.context.names("Item", "number == 1") == ["mine"])
    }
}
