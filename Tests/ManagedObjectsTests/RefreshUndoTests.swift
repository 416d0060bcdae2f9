// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A refresh that drops changes is no event to undo, on neither side of a relationship.
@Suite(.inBothPlaces) struct RefreshUndoTests {
    private let stack: Stack
    private let manager = UndoManager()
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(PeopleModel.make())
        context.make("Person", ["name": "ann"])
        context.make("Department", ["name": "A"])
        try context.save()
        context.undoManager = manager
    }

    @Test(arguments: [false, true]) func dropped_changes(areOfOneEvent: Bool) throws {
        let ann = try #require(try context.named("ann", "Person"))
        let a = try #require(try context.named("A", "Department"))
        ann.setValue(30, forKey: "age")
        ann.setValue(a, forKey: "department")
        if !areOfOneEvent { context.processPendingChanges() }
        context.refresh(ann, mergeChanges: false)
        #expect(ann.number("age") == 18 && a.names("employees") == [])
        context.processPendingChanges()
        #expect(manager.undoCount == (areOfOneEvent ? 0 : 1))
        context.undo()
        #expect(ann.number("age") == 18 && ann.one("department") == nil)
        #expect(a.names("employees") == [])
        context.redo()
        #expect((ann.one("department") == a) == (a.names("employees") == ["ann"]))
    }

    @Test func a_change_behind_the_refresh_is_undone() throws {
        let ann = try #require(try context.named("ann", "Person"))
        let a = try #require(try context.named("A", "Department"))
        ann.setValue(a, forKey: "department")
        context.processPendingChanges()
        context.refresh(ann, mergeChanges: false)
        a.setValue("B", forKey: "name")
        context.processPendingChanges()
        context.undo()
        #expect(a.text("name") == "A" && a.names("employees") == [])
        #expect(ann.one("department") == nil)
    }

    @Test func a_new_object_that_is_refreshed_away() throws {
        let a = try #require(try context.named("A", "Department"))
        let bob = context.make("Person", ["name": "bob", "department": a])
        context.processPendingChanges()
        context.refresh(bob, mergeChanges: false)
        context.processPendingChanges()
        #expect(manager.undoCount == 1 && a.names("employees") == [])
        context.undo()
        #expect(a.names("employees") == [] && context.insertedObjects.isEmpty)
        try context.save()
        #expect(try context.names("Person", "TRUEPREDICATE") == ["ann"])
    }
}
