// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Undo at one level of a stack of contexts, and what it does to the others.
@Suite(.inBothPlaces) struct ChildUndoTests {
    private let stack: Stack
    private let root: NSManagedObjectContext
    private let child: NSManagedObjectContext

    init() throws {
        stack = try Stack(PeopleModel.make())
        stack.context.make("Person", ["name": "Ann"])
        try stack.context.save()
        root = stack.container.newBackgroundContext()
        child = Stack.child(of: root)
        root.undoManager = UndoManager()
        child.undoManager = UndoManager()
    }

    private var stored: [String] {
        get throws { try stack.reading { try $0.names("Person", "TRUEPREDICATE") } }
    }

    @Test func an_edit_is_undone_after_it_was_pushed() throws {
        let ann = try #require(try child.named("Ann", "Person"))
        ann.setValue("Anna", forKey: "name")
        try child.save()
        #expect(try root.names("Person", "TRUEPREDICATE") == ["Anna"])
        child.undo()
        #expect(ann.text("name") == "Ann" && ann.isUpdated)
        #expect(try root.names("Person", "TRUEPREDICATE") == ["Anna"])
        try child.save()
        try root.save()
        #expect(try stored == ["Ann"])
    }

    @Test func a_pushed_deletion_is_undone() throws {
        let ann = try #require(try child.named("Ann", "Person"))
        child.delete(ann)
        try child.save()
        #expect(try root.count("Person") == 0)
        child.undo()
        #expect(ann.managedObjectContext === child && ann.text("name") == "Ann")
        try child.save()
        #expect(try root.names("Person", "TRUEPREDICATE") == ["Ann"])
        #expect(ann.text("name") == "Ann")
        try root.save()
        #expect(try stored == ["Ann"])
        #expect(try child.names("Person", "TRUEPREDICATE") == ["Ann"])
        ann.setValue("Anna", forKey: "name")
        try child.save()
        try root.save()
        #expect(try stored == ["Anna"])
    }

    @Test func a_pushed_insertion_is_undone_by_the_child() throws {
        let bob = child.make("Person", ["name": "Bob"])
        try child.save()
        child.undo()
        try child.save()
        try root.save()
        #expect(try stored == ["Ann"])
        child.redo()
        #expect(bob.text("name") == "Bob")
        try child.save()
        try root.save()
        #expect(try stored == ["Ann", "Bob"])
    }

    @Test func an_insertion_that_the_parent_undoes_leaves_the_child_harmless() throws {
        let bob = child.make("Person", ["name": "Bob"])
        try child.save()
        root.undo()
        #expect(!root.hasChanges)
        bob.setValue("Rob", forKey: "name")
        try child.save()
        #expect(!root.hasChanges)
        root.mergePolicy = NSOverwriteMergePolicy
        try root.save()
        #expect(try stored == ["Ann"])
        child.delete(bob)
        try child.save()
        try root.save()
        #expect(try stored == ["Ann"])
    }

    @Test(arguments: [false, true]) func a_parent_that_drops_an_insertion(isReset: Bool) throws {
        let bob = child.make("Person", ["name": "Bob"])
        let ann = try #require(try child.named("Ann", "Person"))
        try child.save()
        if isReset { root.reset() } else { root.rollback() }
        bob.setValue("Rob", forKey: "name")
        ann.setValue(bob, forKey: "spouse")
        let grandchild = Stack.child(of: child)
        #expect(try grandchild.named("Rob", "Person") != nil)
        try child.save()
        root.mergePolicy = NSOverwriteMergePolicy
        try root.save()
        #expect(try stored == ["Ann"])
        child.refreshAllObjects()
        #expect(ann.one("spouse") == nil)
    }

    @Test func a_permanent_id_survives_undo_and_redo() throws {
        let bob = child.make("Person", ["name": "Bob"])
        try child.obtainPermanentIDs(for: [bob])
        let id = bob.objectID
        #expect(!id.isTemporaryID)
        child.undo()
        #expect(child.registeredObject(for: id) == nil)
        child.redo()
        #expect(bob.objectID == id && child.registeredObject(for: id) === bob)
        try child.save()
        #expect(root.registeredObject(for: id)?.text("name") == "Bob")
        root.undo()
        #expect(root.registeredObject(for: id) == nil)
        root.redo()
        try root.save()
        #expect(try stack.reading { try $0.existingObject(with: id).text("name") } == "Bob")
        #expect(bob.objectID == id && bob.text("name") == "Bob")
    }

    @Test(arguments: [false, true])
    func an_undone_deletion_that_the_parent_has_taken_back_as_well(_ resets: Bool) throws {
        let stack = try Stack(PeopleModel.make())
        let root = stack.context
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        let id = ann.objectID
        let child = Stack.child(of: root)
        child.undoManager = UndoManager()
        try child.performAndWait {
            child.delete(try child.existingObject(with: id))
            try child.save()
        }
        if resets { root.reset() } else { root.rollback() }
        try child.performAndWait {
            child.undo()
            try child.save()
        }
        try root.save()
        try child.performAndWait {
            let twin = try child.existingObject(with: id)
            #expect(twin.text("name") == "Ann")
            twin.setValue("Anna", forKey: "name")
            try child.save()
        }
        try root.save()
        #expect(try stack.reading { try $0.all("Person").map { $0.text("name") } } == ["Anna"])
    }
}
