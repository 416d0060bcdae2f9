// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Which changes a controller tells, in which order and with which index paths.
@Suite struct FetchedResultsBookkeepingTests {
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(PeopleModel.make()) }

    /// People `name/age` in sections of their ages.
    private func people(
        _ list: String, sections: String? = "age", where format: String? = nil, limit: Int = 0
    ) throws -> ObjectController {
        for word in list.split(separator: " ") { make(word) }
        try context.save()
        let controller = context.controller(
            "Person", by: ["age", "name"], sections: sections, where: format, limit: limit)
        controller.delegate = recorder
        try controller.performFetch()
        _ = recorder.take()
        return controller
    }

    @discardableResult
    private func make(_ word: some StringProtocol) -> NSManagedObject {
        let parts = word.split(separator: "/")
        return context.make("Person", ["name": String(parts[0]), "age": Int(parts[1]) ?? 0])
    }

    private func named(_ name: String) throws -> NSManagedObject {
        try #require(try context.named(name, "Person"))
    }

    private func told() -> [String] {
        context.processPendingChanges()
        return recorder.take()
    }

    @Test func old_paths_for_what_goes_and_new_ones_for_what_comes() throws {
        let controller = try people("a/1 b/1 c/1 d/1", sections: nil)
        let found = try (named("a"), named("c"), named("d"))
        context.delete(found.0)
        make("ab/1")
        make("z/1")
        found.2.setValue(0, forKey: "age")
        found.1.setValue(1, forKey: "age")
        #expect(
            told() == [
                "will", "update c 0.2 -", "delete a 0.0 -", "insert ab - 0.1", "insert z - 0.4",
                "move d 0.3 0.0", "did",
            ])
        #expect(controller.lines == [": d ab b c z"])
    }

    @Test func sections_before_objects() throws {
        let controller = try people("a/1 b/2 c/2 d/3")
        #expect(controller.lines == ["1: a", "2: b c", "3: d"])
        let a = try named("a")
        let d = try named("d")
        context.delete(a)
        d.setValue(4, forKey: "age")
        make("e/0")
        #expect(
            told() == [
                "will", "delete section 1 0", "delete section 3 2", "insert section 0 0",
                "insert section 4 2", "delete a 0.0 -", "insert e - 0.0", "move d 2.0 2.0", "did",
            ])
        #expect(controller.lines == ["0: e", "2: b c", "4: d"])
    }

    @Test func a_move_brings_no_update_and_neighbours_nothing() throws {
        let controller = try people("a/1 b/2 c/3", sections: nil)
        let a = try named("a")
        let b = try named("b")
        a.setValue(9, forKey: "age")
        #expect(told() == ["will", "move a 0.0 0.2", "did"])
        b.setValue(1, forKey: "age")
        #expect(told() == ["will", "update b 0.0 -", "did"])
        a.setValue(1, forKey: "age")
        b.setValue(9, forKey: "age")
        #expect(told() == ["will", "move a 0.2 0.0", "move b 0.0 0.2", "did"])
        #expect(controller.lines == [": a c b"])
    }

    @Test func what_enters_and_leaves_the_predicate() throws {
        let controller = try people("a/1 b/20 c/30", sections: nil, where: "age >= 18")
        let a = try named("a")
        let b = try named("b")
        a.setValue(25, forKey: "age")
        b.setValue(2, forKey: "age")
        #expect(told() == ["will", "delete b 0.0 -", "insert a - 0.0", "did"])
        b.setValue(3, forKey: "age")
        context.make("Tag")
        #expect(told() == [])
        #expect(controller.lines == [": a c"])
    }

    @Test func other_contexts_count_once_merged_and_only_as_refreshed() throws {
        let controller = try people("a/1 b/2 c/3", sections: nil, where: "age < 10")
        make("hidden/50")
        try context.save()
        #expect(recorder.take() == [])
        let other = stack.container.newBackgroundContext()
        for (name, age) in [("a", 5), ("hidden", 0)] {
            try #require(try other.named(name, "Person")).setValue(age, forKey: "age")
        }
        other.delete(try #require(try other.named("c", "Person")))
        other.make("Person", ["name": "new", "age": 1])
        let saved = ChangeRecorder(other, .NSManagedObjectContextDidSave)
        try other.save()
        #expect(told() == [])
        #expect(controller.lines == [": a b c"])
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: other, userInfo: saved.last))
        #expect(
            recorder.take() == [
                "will", "delete c 0.2 -", "insert hidden - 0.0", "insert new - 0.1",
                "move a 0.0 0.3", "did",
            ])
        #expect(controller.lines == [": hidden new b a"])
    }

    @Test func a_rollback_and_an_undo_are_changes_like_others() throws {
        let controller = try people("a/1 b/2")
        context.undoManager = UndoManager()
        let a = try named("a")
        a.setValue(3, forKey: "age")
        _ = told()
        context.undo()
        #expect(
            recorder.take() == [
                "will", "delete section 3 1", "insert section 1 0", "move a 1.0 0.0", "did",
            ])
        make("c/1")
        context.delete(a)
        #expect(
            told() == ["will", "delete a 0.0 -", "insert c - 0.0", "did"])
        context.rollback()
        #expect(recorder.take() == ["will", "delete c 0.0 -", "insert a - 0.0", "did"])
        #expect(controller.lines == ["1: a", "2: b"])
    }

    @Test func a_limit_holds_as_in_a_fetch() throws {
        let controller = try people("a/1 b/2 c/3", sections: nil, limit: 2)
        let zero = make("zero/0")
        #expect(told() == ["will", "delete b 0.1 -", "insert zero - 0.0", "did"])
        context.delete(zero)
        #expect(told() == ["will", "delete zero 0.0 -", "insert b - 0.1", "did"])
        #expect(controller.lines == [": a b"])
    }

    @Test func a_reset_tells_nothing_and_ends_the_results() throws {
        let controller = try people("a/1")
        context.reset()
        #expect(recorder.take() == [] && controller.fetchedObjects == nil)
        try controller.performFetch()
        #expect(controller.lines == ["1: a"])
        make("b/1")
        #expect(told() == ["will", "insert b - 0.1", "did"])
    }
}
