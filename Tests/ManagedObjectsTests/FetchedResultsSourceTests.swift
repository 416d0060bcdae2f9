// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Controllers on child contexts, on hierarchies of entities, and after batch requests.
@Suite struct FetchedResultsSourceTests {
    private let recorder = ResultsRecorder()

    @Test func a_child_follows_itself_and_what_it_merges() throws {
        let stack = try Stack(ItemModel.make())
        let parent = stack.context
        parent.make("Item", ["name": "a"])
        let child = Stack.child(of: parent)
        try child.performAndWait {
            let controller = child.controller("Item", by: ["name"])
            controller.delegate = recorder
            try controller.performFetch()
            #expect(controller.lines == [": a"])
            child.make("Item", ["name": "b"])
            child.processPendingChanges()
            #expect(recorder.take() == ["will", "insert b - 0.1", "did"])
            parent.make("Item", ["name": "c"])
            parent.processPendingChanges()
            #expect(recorder.take() == [])
            let saved = ChangeRecorder(parent, .NSManagedObjectContextDidSave)
            try parent.save()
            #expect(recorder.take() == [])
            child.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: parent, userInfo: saved.last))
            #expect(recorder.take().contains("insert c - 0.2"))
            #expect(controller.lines == [": a b c"])
        }
    }

    @Test func a_parent_sees_what_its_child_saves() throws {
        let stack = try Stack(ItemModel.make())
        let parent = stack.context
        let a = parent.make("Item", ["name": "a"])
        try parent.save()
        let controller = parent.controller("Item", by: ["name"])
        controller.delegate = recorder
        try controller.performFetch()
        let child = Stack.child(of: parent)
        try child.performAndWait {
            child.make("Item", ["name": "b"])
            child.object(with: a.objectID).setValue("z", forKey: "name")
            child.processPendingChanges()
            #expect(recorder.take() == [])
            try child.save()
        }
        parent.processPendingChanges()
        #expect(recorder.take() == ["will", "insert b - 0.0", "update z 0.0 -", "did"])
        #expect(controller.lines == [": b z"])
    }

    /// Animals, of which dogs are some.
    private func animals() throws -> Stack {
        let animal = Build.entity("Animal", [Build.attribute("name")])
        let dog = Build.entity("Dog", [Build.attribute("trick")])
        let model = Build.model(animal, dog)
        animal.subentities = [dog]
        return try Stack(model)
    }

    @Test(arguments: [true, false]) func subentities_count_unless_left_out(
        includes: Bool
    ) throws {
        let stack = try animals()
        let dog = stack.context.make("Dog", ["name": "rex"])
        stack.context.make("Animal", ["name": "tom"])
        try stack.context.save()
        let controller = stack.context.controller("Animal", by: ["name"])
        controller.fetchRequest.includesSubentities = includes
        controller.delegate = recorder
        try controller.performFetch()
        #expect(controller.lines == [includes ? ": rex tom" : ": tom"])
        dog.setValue("sit", forKey: "trick")
        stack.context.make("Dog", ["name": "ace"])
        stack.context.make("Animal", ["name": "zoe"])
        stack.context.processPendingChanges()
        #expect(
            recorder.take()
                == (includes
                    ? ["will", "update rex 0.0 -", "insert ace - 0.0", "insert zoe - 0.3", "did"]
                    : ["will", "insert zoe - 0.1", "did"]))
        let dogs = stack.context.controller("Dog", by: ["trick", "name"], where: "name == 'ace'")
        dogs.delegate = recorder
        try dogs.performFetch()
        dog.setValue("ace", forKey: "name")
        stack.context.processPendingChanges()
        #expect(dogs.lines == [": ace ace"])
    }

    @Test func a_demand_of_a_value_holds_for_subentities() throws {
        let stack = try animals()
        let dog = stack.context.make("Dog", ["name": "rex"])
        let controller = stack.context.controller("Animal", by: ["name"], where: "name == 'ace'")
        controller.delegate = recorder
        try controller.performFetch()
        dog.setValue("ace", forKey: "name")
        stack.context.processPendingChanges()
        #expect(recorder.take() == ["will", "insert ace - 0.0", "did"])
        dog.setValue("rex", forKey: "name")
        stack.context.processPendingChanges()
        #expect(recorder.take() == ["will", "delete rex 0.0 -", "did"])
    }

    @Test func batch_requests_show_once_merged() throws {
        let stack = try Stack(ItemModel.make())
        let moc = stack.context
        for name in ["a", "b"] { moc.make("Item", ["name": name, "number": 1]) }
        try moc.save()
        let controller = moc.controller("Item", by: ["name"], where: "number < 5")
        controller.delegate = recorder
        try controller.performFetch()
        let insert = NSBatchInsertRequest(
            entityName: "Item", objects: [["name": "c"], ["name": "d", "number": 9]])
        insert.resultType = .objectIDs
        try merge(moc.execute(insert), NSInsertedObjectIDsKey, moc)
        #expect(recorder.take() == ["will", "insert c - 0.2", "did"])
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.predicate = NSPredicate(format: "name IN {'a', 'd'}")
        update.propertiesToUpdate = ["name": "x", "number": 2]
        update.resultType = .updatedObjectIDsResultType
        let result = try moc.execute(update)
        #expect(recorder.take() == [] && controller.lines == [": a b c"])
        merge(result, NSUpdatedObjectIDsKey, moc)
        #expect(recorder.take() == ["will", "insert x - 0.3", "move x 0.0 0.2", "did"])
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.predicate = NSPredicate(format: "name != 'b'")
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        delete.resultType = .resultTypeObjectIDs
        try merge(moc.execute(delete), NSDeletedObjectsKey, moc)
        #expect(controller.lines == [": b"])
        #expect(recorder.take().filter { $0.hasPrefix("delete") }.count == 3)
    }

    private func merge(
        _ result: NSPersistentStoreResult, _ key: String, _ context: NSManagedObjectContext
    ) {
        let ids: Any? =
            switch result {
            case let result as NSBatchInsertResult: result.result
            case let result as NSBatchUpdateResult: result.result
            default: (result as? NSBatchDeleteResult)?.result
            }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [key: ids ?? []], into: [context])
    }
}
