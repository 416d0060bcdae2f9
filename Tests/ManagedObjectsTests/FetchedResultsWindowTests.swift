// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A controller with offset and limit shows what a fetch would, whatever happens outside.
@Suite struct FetchedResultsWindowTests {
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(ItemModel.make())
        for (number, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            stack.context.make("Item", ["name": name, "number": number])
        }
        try stack.context.save()
    }

    private func window(limit: Int, offset: Int) throws -> ObjectController {
        let controller = context.controller(
            "Item", by: ["name"], where: "number >= 0", limit: limit, offset: offset)
        controller.delegate = recorder
        try controller.performFetch()
        return controller
    }

    private func item(_ name: String) throws -> NSManagedObject {
        try #require(try context.named(name, "Item"))
    }

    private func told() -> [String] {
        context.processPendingChanges()
        return recorder.take()
    }

    @Test func what_goes_before_the_window_moves_it() throws {
        let controller = try window(limit: 2, offset: 2)
        #expect(controller.lines == [": c d"])
        context.delete(try item("a"))
        #expect(told() == ["will", "delete c 0.0 -", "insert e - 0.1", "did"])
        try item("b").setValue(-1, forKey: "number")
        #expect(told() == ["will", "delete d 0.0 -", "insert f - 0.1", "did"])
        context.make("Item", ["name": "aa"])
        #expect(told() == ["will", "delete f 0.1 -", "insert d - 0.0", "did"])
        #expect(controller.lines == [": d e"])
    }

    @Test func what_happens_behind_the_window_is_not_told() throws {
        let controller = try window(limit: 2, offset: 1)
        context.delete(try item("f"))
        try item("e").setValue(9, forKey: "number")
        context.make("Item", ["name": "z"])
        #expect(told() == [])
        context.delete(try item("b"))
        #expect(told() == ["will", "delete b 0.0 -", "insert d - 0.1", "did"])
        #expect(controller.lines == [": c d"])
    }

    @Test func a_window_at_the_end_shrinks_and_grows() throws {
        let controller = try window(limit: 3, offset: 5)
        #expect(controller.lines == [": f"])
        context.delete(try item("a"))
        #expect(told() == ["will", "delete f 0.0 -", "did"])
        #expect(controller.lines == [":"])
        context.delete(try item("b"))
        #expect(told() == [])
        for name in ["g", "h", "i"] { context.make("Item", ["name": name]) }
        #expect(told() == ["will", "insert h - 0.0", "insert i - 0.1", "did"])
        context.rollback()
        #expect(controller.lines == [": f"])
    }

    @Test func deletions_elsewhere_of_objects_unknown_here_move_it() throws {
        context.reset()
        let controller = try window(limit: 2, offset: 2)
        let other = stack.container.newBackgroundContext()
        other.delete(try #require(try other.named("a", "Item")))
        let saved = ChangeRecorder(other, .NSManagedObjectContextDidSave)
        try other.save()
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: other, userInfo: saved.last))
        #expect(recorder.take() == ["will", "delete c 0.0 -", "insert e - 0.1", "did"])
        #expect(controller.lines == [": d e"])
    }

    @Test @MainActor func a_slow_reader_is_told_how_much_it_missed() async throws {
        let controller = context.controller("Item", by: ["name"])
        var reader = controller.changeSequence(bufferingLimit: 1).makeAsyncIterator()
        try controller.performFetch()
        for name in ["x", "y"] {
            context.make("Item", ["name": name])
            context.processPendingChanges()
        }
        let first = try #require(await reader.next(isolation: #isolation))
        #expect(first.isFetch && first.missedCount == 0)
        context.make("Item", ["name": "z"])
        context.processPendingChanges()
        let second = try #require(await reader.next(isolation: #isolation))
        #expect(!second.isFetch && second.missedCount == 2)
        #expect(second.objects.map(\.newIndexPath) == [IndexPath(item: 8, section: 0)])
    }
}
