// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saving keeps the stack; rollback and reset empty it.
@Suite(.inBothPlaces) struct UndoAndSaveTests {
    private func stack() throws -> Stack {
        let stack = try Stack(PeopleModel.make())
        stack.context.undoManager = UndoManager()
        return stack
    }

    @Test func an_undo_after_the_save_is_a_new_change() throws {
        let stack = try stack()
        let context = stack.context
        let ann = context.make("Person", ["name": "Ann"])
        try context.save()
        ann.setValue("Anna", forKey: "name")
        try context.save()
        #expect(!context.hasChanges)
        context.undo()
        #expect(ann.text("name") == "Ann" && context.updatedObjects == [ann])
        try context.save()
        #expect(try stack.container.newBackgroundContext().named("Ann", "Person") != nil)
        context.undo()
        #expect(context.deletedObjects == [ann])
        try context.save()
        #expect(try context.count("Person") == 0)
    }

    @Test func a_saved_deletion_comes_back_with_its_identity() throws {
        let stack = try stack()
        let context = stack.context
        let department = context.make("Department", ["name": "d"])
        let ann = context.make(
            "Person", ["name": "Ann", "age": 7, "department": department])
        let red = context.make("Tag", ["name": "red", "people": [ann] as Set])
        ann.setValue(red, forKey: "favourite")
        try context.save()
        let id = ann.objectID
        context.delete(ann)
        try context.save()
        #expect(ann.managedObjectContext == nil && department.names("employees").isEmpty)
        context.undo()
        #expect(context.insertedObjects == [ann] && ann.objectID == id)
        #expect(ann.text("name") == "Ann" && ann.number("age") == 7)
        #expect(ann.one("department") === department && department.names("employees") == ["Ann"])
        #expect(red.names("people") == ["Ann"] && ann.one("favourite") === red)
        #expect(context.object(with: id) === ann)
        try context.save()
        #expect(ann.objectID == id && !context.hasChanges)
        try stack.reopen()
        let read = try stack.context.existingObject(
            with: try #require(
                stack.container.persistentStoreCoordinator.managedObjectID(
                    forURIRepresentation: id.uriRepresentation())))
        #expect(read.text("name") == "Ann" && read.one("department")?.text("name") == "d")
        #expect(read.names("tags") == ["red"] && read.one("favourite")?.text("name") == "red")
        #expect(try stack.context.named("d", "Department")?.names("employees") == ["Ann"])
        #expect(try stack.context.names("Person", "department.name == 'd'") == ["Ann"])
    }

    @Test func values_that_lead_to_unsaved_objects_outlive_their_temporary_ids() throws {
        let stack = try stack()
        let context = stack.context
        let ann = context.make("Person", ["name": "Ann"])
        let red = context.make("Tag", ["name": "red"])
        ann.setValue(red, forKey: "favourite")
        ann.setValue([red] as Set, forKey: "tags")
        context.processPendingChanges()
        ann.setValue(nil, forKey: "favourite")
        ann.setValue(Set<NSManagedObject>(), forKey: "tags")
        try context.save()
        context.undo()
        #expect(ann.one("favourite") === red && ann.many("tags") == [red])
        #expect(red.many("people") == [ann])
        try context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("Ann", "Person"))
        #expect(read.one("favourite")?.text("name") == "red" && read.names("tags") == ["red"])
    }

    @Test func an_insertion_undone_after_its_save_can_be_redone_after_another() throws {
        let stack = try stack()
        let context = stack.context
        let ann = context.make("Person", ["name": "Ann"])
        let bob = context.make("Person", ["name": "Bob"])
        try context.save()
        context.undoManager?.removeAllActions()
        let tag = context.make("Tag", ["name": "t", "people": [ann, bob] as Set])
        try context.save()
        context.undo()
        #expect(tag.isDeleted && ann.many("tags").isEmpty)
        try context.save()
        #expect(try context.count("Tag") == 0)
        context.redo()
        #expect(tag.isInserted && tag.names("people") == ["Ann", "Bob"])
        #expect(ann.many("tags") == [tag])
        try context.save()
        try stack.reopen()
        #expect(try stack.context.named("t", "Tag")?.names("people") == ["Ann", "Bob"])
    }

    @Test func rollback_and_reset_empty_the_stack() throws {
        let stack = try stack()
        let context = stack.context
        let manager = try #require(context.undoManager)
        let other = UndoManager()
        manager.registerUndo(withTarget: other) { _ in }
        let ann = context.make("Person", ["name": "Ann"])
        try context.save()
        ann.setValue("x", forKey: "name")
        context.processPendingChanges()
        #expect(manager.undoCount == 2)
        context.rollback()
        #expect(manager.undoCount == 1)
        ann.setValue("y", forKey: "name")
        context.processPendingChanges()
        context.undo()
        ann.setValue("z", forKey: "name")
        context.reset()
        #expect(manager.undoCount == 1 && !manager.canRedo)
        manager.undo()
        #expect(try context.named("Ann", "Person") != nil)
    }

    @Test func changed_objects_are_kept_alive() throws {
        let stack = try stack()
        let context = stack.context
        context.make("Person", ["name": "Ann"])
        try context.save()
        #expect(context.registeredObjects.count == 1)
        context.undoManager?.removeAllActions()
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func a_context_goes_before_its_manager() throws {
        let stack = try Stack(ItemModel.make())
        let manager = UndoManager()
        var context: NSManagedObjectContext? = stack.container.newBackgroundContext()
        context?.undoManager = manager
        context?.make("Item")
        context?.processPendingChanges()
        #expect(manager.canUndo)
        context = nil
        #expect(!manager.canUndo)
        manager.beginUndoGrouping()
        manager.endUndoGrouping()
    }

    @Test func two_contexts_may_share_a_manager() throws {
        let stack = try Stack(ItemModel.make())
        let manager = UndoManager()
        let contexts = [stack.context, stack.container.newBackgroundContext()]
        for context in contexts { context.undoManager = manager }
        manager.beginUndoGrouping()
        for context in contexts { context.make("Item") }
        manager.endUndoGrouping()
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(contexts.map { $0.hasChanges } == [false, false])
        manager.redo()
        #expect(contexts.map { $0.insertedObjects.count } == [1, 1])
        contexts[0].undoManager = nil
        manager.undo()
        #expect(contexts.map { $0.insertedObjects.count } == [1, 0])
    }

    /// Saves a change of an object that others have deleted meanwhile.
    private func savedOverADeletion(
        _ policy: NSMergePolicy
    ) throws -> (stack: Stack, ann: NSManagedObject) {
        let stack = try stack()
        stack.context.mergePolicy = policy
        let ann = stack.context.make("Person", ["name": "Ann", "age": 1])
        try stack.context.save()
        try stack.delete(ann)
        ann.setValue(2, forKey: "age")
        try stack.context.save()
        return (stack, ann)
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func what_a_merge_policy_has_written_anew_keeps_its_values(_ policy: NSMergePolicy) throws {
        let (stack, ann) = try savedOverADeletion(policy)
        let context = stack.context
        context.undo()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 1)
        try context.save()
        #expect(try stack.reading { try $0.names("Person", "age == 1") } == ["Ann"])
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func what_a_merge_policy_has_let_go_does_not_come_back(_ policy: NSMergePolicy) throws {
        let (stack, ann) = try savedOverADeletion(policy)
        let context = stack.context
        #expect(ann.managedObjectContext == nil)
        context.undo()
        try context.save()
        #expect(try context.count("Person") == 0)
        #expect(try stack.reading { try $0.count("Person") } == 0)
    }

    @Test func an_undone_deletion_leaves_what_others_have_written_anew() throws {
        let stack = try stack()
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergePolicy.overwrite
        try other.existingObject(with: ann.objectID).setValue("Bea", forKey: "name")
        stack.context.delete(ann)
        try stack.context.save()
        try other.save()
        stack.context.undo()
        try stack.context.save()
        #expect(try stack.context.all("Person").map { $0.text("name") } == ["Bea"])
        #expect(!stack.context.hasChanges)
        try stack.reopenChecked()
    }

    @Test func a_deletion_of_what_is_gone_does_not_come_back() throws {
        let stack = try stack()
        let context = stack.context
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let ann = context.make("Person", ["name": "Ann"])
        try context.save()
        let child = Stack.child(of: context)
        try child.performAndWait {
            child.delete(try child.existingObject(with: ann.objectID))
        }
        context.delete(ann)
        try context.save()
        try child.performAndWait { try child.save() }
        context.undo()
        #expect(try context.all("Person").map { $0.text("name") } != ["-"])
        try context.save()
        #expect(try stack.reading { try $0.all("Person").map { $0.text("name") } } != ["-"])
    }

    @Test func an_undone_deletion_leaves_what_a_child_has_pushed_over_it() throws {
        let stack = try stack()
        let context = stack.context
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let ann = context.make("Person", ["name": "Ann"])
        try context.save()
        let child = Stack.child(of: context)
        try child.performAndWait {
            try child.existingObject(with: ann.objectID).setValue(2, forKey: "age")
        }
        context.delete(ann)
        try context.save()
        try child.performAndWait { try child.save() }
        context.undo()
        try context.save()
        #expect(try stack.reading { try $0.names("Person", "age == 2") } == ["Ann"])
    }
}

extension Stack {
    /// Deletes an object in another context.
    fileprivate func delete(_ object: NSManagedObject) throws {
        let other = container.newBackgroundContext()
        other.delete(try other.existingObject(with: object.objectID))
        try other.save()
    }
}
