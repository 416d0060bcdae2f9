// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A controller whose request has an empty list of sort descriptors.
@Suite struct UnsortedResultsTests {
    private func controller(
        _ context: NSManagedObjectContext, sections: String? = nil
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = []
        request.predicate = NSPredicate(format: "number < 10")
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections,
            cacheName: nil)
    }

    private func names(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String] {
        controller.fetchedObjects?.map { $0.text("name") } ?? []
    }

    @Test func results_stand_in_the_order_of_the_fetch() throws {
        let stack = try Stack(ItemModel.make())
        for name in ["c", "a", "b"] {
            stack.context.make("Item", ["name": name])
            try stack.context.save()
        }
        let controller = controller(stack.context)
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        #expect(names(controller) == ["c", "a", "b"])
        let last = stack.context.make("Item", ["name": "0"])
        stack.context.processPendingChanges()
        #expect(names(controller) == ["c", "a", "b", "0"])
        #expect(controller.indexPath(forObject: last) == [0, 3])
        let first = controller.object(at: [0, 0])
        first.setValue("z", forKey: "name")
        stack.context.processPendingChanges()
        #expect(names(controller) == ["z", "a", "b", "0"])
        stack.context.delete(controller.object(at: [0, 1]))
        last.setValue(11, forKey: "number")
        stack.context.processPendingChanges()
        #expect(names(controller) == ["z", "b"])
        last.setValue(1, forKey: "number")
        stack.context.processPendingChanges()
        #expect(names(controller) == ["z", "b", "0"])
        try stack.context.save()
        #expect(controller.sections?.map(\.numberOfObjects) == [3])
    }

    @Test func sections_have_to_stand_together_all_the_same() throws {
        let stack = try Stack(ItemModel.make())
        for (name, number) in [("x", 1), ("x", 2), ("y", 3)] {
            stack.context.make("Item", ["name": name, "number": number])
            try stack.context.save()
        }
        let controller = controller(stack.context, sections: "name")
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["x", "y"])
        stack.context.make("Item", ["name": "x", "number": 4])
        try stack.context.save()
        #expect(code { try controller.performFetch() } == 134060)
    }

    @Test func no_list_at_all_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ItemModel.make())
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Item"),
                managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("sort descriptors") && text.contains("Item"))
    }
}
