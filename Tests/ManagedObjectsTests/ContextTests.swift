// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Inserting, deleting, rolling back, resetting.
@Suite struct ContextTests {
    @Test func an_insertion_is_pending_until_the_save() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        #expect(!context.hasChanges)
        let item = context.make("Item", ["name": "a"])
        #expect(item.isInserted && !item.isUpdated && !item.isDeleted && item.hasChanges)
        #expect(context.insertedObjects == [item])
        #expect(context.updatedObjects.isEmpty)
        #expect(context.hasChanges)
        #expect(try context.count("Item") == 1)
        #expect(try stack.container.newBackgroundContext().count("Item") == 0)
        try context.save()
        #expect(!item.isInserted && !item.hasChanges && !context.hasChanges)
        #expect(try stack.container.newBackgroundContext().count("Item") == 1)
        try context.save()
    }

    @Test func init_with_an_entity_and_without_context() throws {
        let stack = try Stack(ItemModel.make())
        let entity = try #require(stack.model.entitiesByName["Item"])
        let item = NSManagedObject(entity: entity, insertInto: nil)
        #expect(item.managedObjectContext == nil)
        #expect(!item.isInserted)
        item.setValue("later", forKey: "name")
        #expect(item.number("number") == 0)
        stack.context.insert(item)
        #expect(item.managedObjectContext === stack.context)
        #expect(item.isInserted)
        let direct = NSManagedObject(entity: entity, insertInto: stack.context)
        direct.setValue("now", forKey: "name")
        try stack.context.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["later", "now"])
    }

    @Test func an_update_is_pending_until_the_save() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        item.setValue("b", forKey: "name")
        #expect(item.isUpdated && !item.isInserted)
        #expect(stack.context.updatedObjects == [item])
        #expect(item.changedValues().keys.sorted() == ["name"])
        #expect(item.committedValues(forKeys: ["name"])["name"] as? String == "a")
        try stack.context.save()
        #expect(item.changedValues().isEmpty)
        #expect(try stack.container.newBackgroundContext().names("Item", "TRUEPREDICATE") == ["b"])
    }

    @Test func an_equal_value_is_a_change_too() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        item.setValue("a", forKey: "name")
        #expect(item.hasChanges && stack.context.hasChanges)
        try stack.context.save()
        #expect(!stack.context.hasChanges)
    }

    @Test func a_deletion_is_pending_until_the_save() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let id = item.objectID
        stack.context.delete(item)
        #expect(item.isDeleted && stack.context.deletedObjects == [item])
        #expect(item.managedObjectContext === stack.context)
        #expect(try stack.context.count("Item") == 0)
        try stack.context.save()
        #expect(!item.isDeleted && item.managedObjectContext == nil)
        #expect(stack.context.registeredObject(for: id) == nil)
        #expect(stack.context.deletedObjects.isEmpty)
        #expect(item.value(forKey: "name") == nil)
        #expect(item.objectID == id)
    }

    @Test func insert_and_delete_leave_no_trace() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        stack.context.delete(item)
        stack.context.processPendingChanges()
        #expect(stack.context.insertedObjects.isEmpty)
        #expect(stack.context.deletedObjects.isEmpty)
        #expect(!stack.context.hasChanges)
        #expect(item.managedObjectContext == nil)
        try stack.context.save()
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func inserting_a_deleted_object_revives_it() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        stack.context.delete(item)
        stack.context.insert(item)
        #expect(!item.isDeleted)
        try stack.context.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a"])
    }

    @Test func rollback_restores_everything() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let updated = context.make("Item", ["name": "a", "number": 1])
        let deleted = context.make("Item", ["name": "b"])
        try context.save()
        updated.setValue("x", forKey: "name")
        updated.setValue(9, forKey: "number")
        deleted.setValue("y", forKey: "name")
        context.delete(deleted)
        let inserted = context.make("Item", ["name": "c"])
        context.rollback()
        #expect(!context.hasChanges)
        #expect(updated.text("name") == "a" && updated.number("number") == 1)
        #expect(deleted.text("name") == "b" && !deleted.isDeleted)
        #expect(inserted.managedObjectContext == nil && !inserted.isInserted)
        #expect(try context.names("Item", "TRUEPREDICATE") == ["a", "b"])
        try context.save()
        updated.setValue("z", forKey: "name")
        try context.save()
        #expect(try context.names("Item", "TRUEPREDICATE") == ["b", "z"])
    }

    @Test func reset_forgets_everything() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let item = context.make("Item", ["name": "a"])
        try context.save()
        item.setValue("b", forKey: "name")
        let inserted = context.make("Item", ["name": "c"])
        context.reset()
        #expect(item.managedObjectContext == nil && inserted.managedObjectContext == nil)
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        let fetched = try context.all("Item")
        #expect(fetched.map { $0.text("name") } == ["a"])
        #expect(fetched.first !== item)
        #expect(fetched.first?.objectID == item.objectID)
    }

    @Test func thousands_of_objects_of_several_saves() throws {
        let stack = try Stack(ItemModel.make())
        for round in 0..<3 {
            for number in 0..<1_000 {
                stack.context.make("Item", ["name": "\(round)", "number": number])
            }
            try stack.context.save()
        }
        #expect(try stack.context.count("Item") == 3_000)
        #expect(stack.context.registeredObjects.isEmpty)
        for item in try stack.context.all("Item", NSPredicate(format: "number >= 10")) {
            stack.context.delete(item)
        }
        try stack.context.save()
        #expect(try stack.context.count("Item") == 30)
    }
}
