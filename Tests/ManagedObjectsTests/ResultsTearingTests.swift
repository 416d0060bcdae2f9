// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Sections that are not those of the first sort descriptor, and changes that move or tear them.
@Suite(.inBothPlaces) struct ResultsTearingTests {
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(ItemModel.make()) }

    /// A controller with sections by number and an order by name, fetched and followed.
    private func controller(_ items: [(String, Int)], limit: Int = 0) throws -> ObjectController {
        for (name, number) in items { context.make("Item", ["name": name, "number": number]) }
        let made = context.controller("Item", by: ["name"], sections: "number", limit: limit)
        made.delegate = recorder
        try made.performFetch()
        return made
    }

    private func item(_ name: String) throws -> NSManagedObject {
        try #require(try context.all("Item").first { $0.text("name") == name })
    }

    private func errorCode() -> Int? {
        defer { context.lastReadError = nil }
        return (context.lastReadError as? CocoaError)?.errorCode
    }

    private func checkPaths(_ controller: ObjectController) {
        for object in controller.fetchedObjects ?? [] {
            let path = controller.indexPath(forObject: object)
            #expect(path.map { controller.object(at: $0) === object } == true)
        }
    }

    @Test func a_torn_section_stays_together() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        context.make("Item", ["name": "d", "number": 1])
        context.processPendingChanges()
        #expect(controller.lines == ["1: a b d", "2: c"])
        #expect(recorder.take() == ["will", "insert d - 0.2", "did"])
        #expect(errorCode() == 134060)
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["a", "b", "d", "c"])
        checkPaths(controller)
        #expect(code { try controller.performFetch() } == 134060)
        #expect(controller.lines == ["1: a b d", "2: c"])
    }

    @Test func a_torn_section_may_be_mended() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        let late = context.make("Item", ["name": "d", "number": 1])
        context.processPendingChanges()
        _ = (recorder.take(), errorCode())
        late.setValue(2, forKey: "number")
        context.processPendingChanges()
        #expect(controller.lines == ["1: a b", "2: c d"])
        #expect(recorder.take() == ["will", "move d 0.2 1.1", "did"])
        #expect(errorCode() == nil)
        try controller.performFetch()
        #expect(controller.lines == ["1: a b", "2: c d"])
        context.make("Item", ["name": "e", "number": 3])
        context.processPendingChanges()
        #expect(
            recorder.take() == ["will", "insert section 3 2", "insert e - 2.0", "did"])
        checkPaths(controller)
    }

    @Test func changes_of_torn_results() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        context.make("Item", ["name": "d", "number": 1])
        context.processPendingChanges()
        let (b, c) = (try item("b"), try item("c"))
        _ = recorder.take()
        b.setValue("bb", forKey: "name")
        context.delete(c)
        context.make("Item", ["name": "bc", "number": 5])
        context.processPendingChanges()
        #expect(controller.lines == ["1: a bb d", "5: bc"])
        #expect(
            recorder.take() == [
                "will", "delete section 2 1", "insert section 5 1", "delete c 1.0 -",
                "insert bc - 1.0", "update bb 0.1 -", "did",
            ])
        checkPaths(controller)
        try context.delete(item("d"))
        context.processPendingChanges()
        #expect(recorder.take() == ["will", "delete d 0.2 -", "did"])
        _ = errorCode()
        try item("a").setValue("aa", forKey: "name")
        context.processPendingChanges()
        #expect(recorder.take() == ["will", "update aa 0.0 -", "did"])
        #expect(errorCode() == nil)
    }

    @Test func a_section_in_the_middle_of_another_one() throws {
        let controller = try controller([("a", 1), ("c", 1)])
        context.make("Item", ["name": "b", "number": 2])
        context.processPendingChanges()
        #expect(controller.lines == ["1: a c", "2: b"])
        #expect(recorder.take() == ["will", "insert section 2 1", "insert b - 1.0", "did"])
        #expect(errorCode() == 134060)
    }

    @Test func a_section_that_moves_as_a_whole() throws {
        let controller = try controller([("a", 1), ("b", 2), ("c", 2), ("d", 3)])
        try item("a").setValue("x", forKey: "name")
        context.processPendingChanges()
        #expect(controller.lines == ["2: b c", "3: d", "1: x"])
        #expect(
            recorder.take() == [
                "will", "delete section 1 0", "insert section 1 2", "move x 0.0 2.0", "did",
            ])
        #expect(context.lastReadError == nil)
        checkPaths(controller)
        let (b, c) = (try item("b"), try item("c"))
        b.setValue("y", forKey: "name")
        c.setValue("z", forKey: "name")
        context.processPendingChanges()
        #expect(controller.lines == ["3: d", "1: x", "2: y z"])
        #expect(
            recorder.take() == [
                "will", "delete section 2 0", "insert section 2 2", "move y 0.0 2.0",
                "move z 0.1 2.1", "did",
            ])
        #expect(context.lastReadError == nil)
        try controller.performFetch()
        #expect(controller.lines == ["3: d", "1: x", "2: y z"])
    }

    @Test func what_another_context_saved_tears_a_section() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        try context.save()
        let other = stack.container.newBackgroundContext()
        let saved = ChangeRecorder(other, .NSManagedObjectContextDidSave)
        other.make("Item", ["name": "d", "number": 1])
        try other.save()
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: other, userInfo: saved.last))
        #expect(controller.lines == ["1: a b d", "2: c"])
        #expect(errorCode() == 134060)
        try context.save()
        #expect(controller.lines == ["1: a b d", "2: c"])
    }

    @Test func undo_mends_a_torn_section() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        context.undoManager = UndoManager()
        context.processPendingChanges()
        try item("a").setValue("z", forKey: "name")
        context.processPendingChanges()
        #expect(controller.lines == ["1: b z", "2: c"])
        context.undo()
        context.processPendingChanges()
        #expect(controller.lines == ["1: a b", "2: c"])
        context.redo()
        context.processPendingChanges()
        #expect(controller.lines == ["1: b z", "2: c"])
        context.rollback()
    }

    @Test func a_snapshot_of_a_torn_section() throws {
        let controller = try controller([("a", 1), ("b", 1), ("c", 2)])
        let delegate = SnapshotRecorder()
        controller.delegate = delegate
        let late = context.make("Item", ["name": "d", "number": 1])
        context.processPendingChanges()
        let snapshot = try #require(delegate.last)
        #expect(snapshot.sectionIdentifiers as? [String] == ["1", "2"])
        #expect(snapshot.numberOfItems(inSection: "1") == 3)
        #expect(snapshot.index(ofItemIdentifier: late.objectID) == 2)
        #expect(
            snapshot.sectionIdentifier(forSectionContainingItemIdentifier: late.objectID)
                as? String == "1")
    }

    @Test func in_a_child() throws {
        for (name, number) in [("a", 1), ("b", 1), ("c", 2)] {
            context.make("Item", ["name": name, "number": number])
        }
        try context.save()
        let child = Stack.child(of: context)
        try child.performAndWait {
            let controller = child.controller("Item", by: ["name"], sections: "number")
            controller.delegate = recorder
            try controller.performFetch()
            child.make("Item", ["name": "d", "number": 1])
            child.processPendingChanges()
            #expect(controller.lines == ["1: a b d", "2: c"])
            #expect((child.lastReadError as? CocoaError)?.errorCode == 134060)
            child.rollback()
            #expect(controller.lines == ["1: a b", "2: c"])
        }
    }

    @Test func a_window_over_a_torn_section() throws {
        let controller = try controller([("b", 1), ("c", 2), ("d", 2), ("e", 1)], limit: 3)
        #expect(controller.lines == ["1: b", "2: c d"])
        try context.delete(item("c"))
        context.processPendingChanges()
        #expect(controller.lines == ["1: b e", "2: d"])
        #expect(
            recorder.take() == ["will", "delete c 1.0 -", "insert e - 0.1", "did"])
        #expect(errorCode() == 134060)
        context.make("Item", ["name": "a", "number": 2])
        context.processPendingChanges()
        #expect(controller.lines == ["2: a d", "1: b"])
        #expect(
            recorder.take() == [
                "will", "delete section 2 1", "insert section 2 0", "delete e 0.1 -",
                "insert a - 0.0", "move d 1.0 0.1", "did",
            ])
    }

    @Test func sections_under_an_order_that_takes_texts_for_equal() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [
            NSSortDescriptor(
                key: "name", ascending: true, selector: "caseInsensitiveCompare:"),
            NSSortDescriptor(key: "number", ascending: true),
        ]
        let controller = ObjectController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name",
            cacheName: nil)
        controller.delegate = recorder
        try controller.performFetch()
        context.make("Item", ["name": "a", "number": 1])
        context.make("Item", ["name": "A", "number": 2])
        context.processPendingChanges()
        #expect(controller.lines == ["a: a", "A: A"])
        #expect(errorCode() == nil)
        context.make("Item", ["name": "a", "number": 3])
        context.processPendingChanges()
        #expect(controller.lines == ["a: a a", "A: A"])
        #expect(errorCode() == 134060)
    }

    @Test func a_fetch_that_sorts_by_what_is_stored() throws {
        for (name, number) in [("a", 1), ("b", 2), ("c", 2)] {
            context.make("Item", ["name": name, "number": number])
        }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.includesPendingChanges = false
        let controller = ObjectController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "number",
            cacheName: nil)
        try item("a").setValue("x", forKey: "name")
        try controller.performFetch()
        #expect(controller.lines == ["2: b c", "1: x"])
        try item("b").setValue("y", forKey: "name")
        #expect(code { try controller.performFetch() } == 134060)
    }
}
