// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Undo in a child that has merged what its sibling saved.
@Suite(.inBothPlaces) struct SiblingUndoTests {
    private let stack: Stack
    private let root: NSManagedObjectContext
    private let child: NSManagedObjectContext
    private let sibling: NSManagedObjectContext
    private let own: NSManagedObject
    private let other: NSManagedObject

    init() throws {
        stack = try Stack(PeopleModel.make())
        stack.context.make("Person", ["name": "Ann", "age": 1])
        try stack.context.save()
        root = stack.container.newBackgroundContext()
        child = Stack.child(of: root)
        sibling = Stack.child(of: root)
        child.undoManager = UndoManager()
        own = try #require(try child.named("Ann", "Person"))
        other = try #require(try sibling.named("Ann", "Person"))
    }

    /// Saves the sibling and merges that into the child.
    private func mergeSibling() throws {
        sibling.processPendingChanges()
        let info: [AnyHashable: Any] = [
            NSInsertedObjectsKey: sibling.insertedObjects,
            NSUpdatedObjectsKey: sibling.updatedObjects,
            NSDeletedObjectsKey: sibling.deletedObjects,
        ]
        try sibling.save()
        child.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: sibling, userInfo: info))
    }

    private var stored: [String] {
        get throws {
            try stack.reading { context in
                try context.all("Person").map { "\($0.text("name")) \($0.number("age"))" }
            }
        }
    }

    @Test func only_the_own_change_is_taken_back() throws {
        own.setValue("Anna", forKey: "name")
        child.processPendingChanges()
        other.setValue(2, forKey: "age")
        try mergeSibling()
        #expect(own.text("name") == "Anna" && own.number("age") == 2)
        child.undo()
        #expect(own.text("name") == "Ann" && own.number("age") == 2)
        try child.save()
        try root.save()
        #expect(try stored == ["Ann 2"])
    }

    @Test func members_that_the_sibling_has_added_stay() throws {
        own.setValue([child.make("Tag", ["name": "red"])] as Set, forKey: "tags")
        child.processPendingChanges()
        other.setValue([sibling.make("Tag", ["name": "blue"])] as Set, forKey: "tags")
        try mergeSibling()
        #expect(own.names("tags") == ["blue", "red"])
        child.undo()
        #expect(own.names("tags") == ["blue"])
        child.redo()
        #expect(own.names("tags") == ["blue", "red"])
        try child.save()
        try root.save()
        let found = try stack.reading { try $0.named("Ann", "Person")?.names("tags") }
        #expect(found == ["blue", "red"])
    }

    @Test func over_saves_of_all_three() throws {
        own.setValue("Anna", forKey: "name")
        try child.save()
        other.setValue(2, forKey: "age")
        try mergeSibling()
        try root.save()
        child.undo()
        #expect(own.text("name") == "Ann" && own.isUpdated)
        try child.save()
        try root.save()
        #expect(try stored == ["Ann 2"])
        child.redo()
        try child.save()
        try root.save()
        #expect(try stored == ["Anna 2"])
    }

    @Test func an_object_that_the_sibling_has_deleted_does_not_come_back() throws {
        own.setValue("Anna", forKey: "name")
        child.processPendingChanges()
        sibling.delete(other)
        try mergeSibling()
        #expect(own.managedObjectContext == nil)
        child.undo()
        #expect(try child.count("Person") == 0)
        try child.save()
        try root.save()
        #expect(try stored == [])
    }
}
