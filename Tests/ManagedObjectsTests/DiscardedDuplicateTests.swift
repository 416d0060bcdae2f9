// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What becomes of a new object whose unique values a stored object has already, for those who knew
/// it: lists, observers, children and the undo manager.
@Suite(.inBothPlaces) struct DiscardedDuplicateTests {
    typealias Policy = MergePolicyTests.Policy

    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let author = Build.entity("Author", [Build.attribute("name"), Build.attribute("town")])
        author.uniquenessConstraints = [["name"]]
        stack = try Stack(Build.model(author))
    }

    private func lines() throws -> [String] {
        try stack.reading { context in
            try context.all("Author").map { "\($0.text("name")) \($0.text("town"))" }.sorted()
        }
    }

    private func fetched(
        _ recorder: ResultsRecorder, in context: NSManagedObjectContext
    ) throws -> ObjectController {
        let controller = context.controller("Author", by: ["town", "name"])
        controller.delegate = recorder
        try controller.performFetch()
        return controller
    }

    @Test(arguments: Policy.allCases)
    func lists_and_observers_hear_that_it_is_gone(_ policy: Policy) throws {
        context.make("Author", ["name": "a"])
        try context.save()
        context.mergePolicy = policy.policy
        let recorder = ResultsRecorder()
        let controller = try fetched(recorder, in: context)
        let new = context.make("Author", ["name": "a"])
        context.processPendingChanges()
        #expect(controller.lines == [": a a"])
        _ = recorder.take()
        let changes = ChangeRecorder(context)
        try context.save()
        #expect(controller.lines == [": a"])
        #expect(recorder.take() == ["will", "delete a 0.1 -", "did"])
        #expect(changes.take().contains { $0["deleted"] == [new] })
    }

    @Test(arguments: Policy.allCases)
    func of_two_new_ones_one_leaves_the_list(_ policy: Policy) throws {
        context.mergePolicy = policy.policy
        let controller = try fetched(ResultsRecorder(), in: context)
        context.make("Author", ["name": "a"])
        context.make("Author", ["name": "a"])
        context.processPendingChanges()
        #expect(controller.lines == [": a a"])
        try context.save()
        #expect(controller.lines == [": a"])
    }

    /// The context does not know the stored object: the new instance becomes it, and stays.
    @Test func an_instance_that_becomes_the_stored_object_moves_to_its_place() throws {
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try other.performAndWait {
            let recorder = ResultsRecorder()
            let controller = try fetched(recorder, in: other)
            context.make("Author", ["name": "a", "town": "z"])
            try context.save()
            let new = other.make("Author", ["name": "a", "town": "b"])
            other.make("Author", ["name": "c", "town": "c"])
            other.processPendingChanges()
            #expect(controller.lines == [": a c"])
            _ = recorder.take()
            let changes = ChangeRecorder(other)
            try other.save()
            #expect(controller.lines == [": c a"])
            #expect(recorder.take() == ["will", "move a 0.0 0.1", "did"])
            #expect(changes.take().allSatisfy { $0["deleted"] == nil })
            #expect(controller.fetchedObjects?.last === new)
        }
    }

    @Test func a_child_that_merges_lets_it_go() throws {
        context.make("Author", ["name": "a"])
        try context.save()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.make("Author", ["name": "a"])
        let child = Stack.child(of: context)
        child.automaticallyMergesChangesFromParent = true
        let found = try child.performAndWait { try child.all("Author") }
        #expect(found.count == 2)
        try context.save()
        try child.performAndWait {
            let rest = try child.all("Author")
            #expect(rest.count == 1)
            #expect(found.count { $0.managedObjectContext == nil } == 1)
        }
    }

    @Test(arguments: Policy.allCases)
    func undoing_its_insertion_leaves_what_others_have_saved(_ policy: Policy) throws {
        context.make("Author", ["name": "a", "town": "x"])
        try context.save()
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = policy.policy
        try other.performAndWait {
            other.undoManager = UndoManager()
            let new = other.make("Author", ["name": "a"])
            other.processPendingChanges()
            new.setValue("y", forKey: "town")
            try other.save()
            let wins = policy == .objectTrump || policy == .overwrite
            #expect(try lines() == [wins ? "a y" : "a x"])
            other.undo()
            other.undo()
            #expect(!other.hasChanges)
            try other.save()
            #expect(try lines() == [wins ? "a y" : "a x"])
            // From now on the instance is the stored object, whose changes are undone.
            new.setValue("z", forKey: "town")
            try other.save()
            other.undo()
            try other.save()
            #expect(try lines() == [wins ? "a y" : "a x"])
        }
    }
}
