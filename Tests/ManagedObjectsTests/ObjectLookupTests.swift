// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// The three ways from an ID to an object: `object(with:)` never fails and never reads,
/// `existingObject(with:)` reads and may throw, `registeredObject(for:)` looks in memory only.
@Suite struct ObjectLookupTests {
    @Test func object_with_makes_a_fault_without_reading() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        let other = stack.container.newBackgroundContext()
        let item = other.object(with: id)
        #expect(item.isFault && item.objectID == id)
        #expect(other.object(with: id) === item)
        #expect(other.registeredObject(for: id) === item)
        #expect(item.isFault)
        #expect(item.text("name") == "a")
        #expect(!item.isFault)
    }

    @Test func object_with_works_for_a_row_that_does_not_exist() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        stack.context.delete(stack.context.object(with: id))
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let ghost = other.object(with: id)
        #expect(ghost.isFault && ghost.managedObjectContext === other)
        #expect(ghost.value(forKey: "name") == nil)
        #expect(ghost.number("number") == -1)
    }

    @Test func object_with_works_without_a_store() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let other = stack.container.newBackgroundContext()
        #expect(other.object(with: id).isFault)
        #expect(code { _ = try other.existingObject(with: id) } == 134070)
    }

    @Test func existing_object_has_its_values() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        for context in [
            stack.container.newBackgroundContext(),
            Stack.child(of: stack.container.newBackgroundContext()),
        ] {
            let item = try context.existingObject(with: id)
            #expect(!item.isFault && item.text("name") == "a")
            #expect(try context.existingObject(with: id) === item)
        }
    }

    @Test func existing_object_throws_for_a_missing_row() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        stack.context.delete(stack.context.object(with: id))
        try stack.context.save()
        for context in [
            stack.context, stack.container.newBackgroundContext(),
            Stack.child(of: stack.container.newBackgroundContext()),
        ] {
            #expect(code { _ = try context.existingObject(with: id) } == 133000)
            _ = context.object(with: id).value(forKey: "name")
            #expect(code { _ = try context.existingObject(with: id) } == 133000)
        }
    }

    @Test func registered_object_never_makes_one() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        let other = stack.container.newBackgroundContext()
        #expect(other.registeredObject(for: id) == nil)
        #expect(other.registeredObjects.isEmpty)
        let item = other.object(with: id)
        #expect(other.registeredObjects == [item])
    }

    @Test func retaining_keeps_clean_objects() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        let other = stack.container.newBackgroundContext()
        _ = other.object(with: id)
        #expect(other.registeredObjects.isEmpty)
        other.retainsRegisteredObjects = true
        _ = try other.existingObject(with: id)
        #expect(other.registeredObject(for: id)?.text("name") == "a")
        other.retainsRegisteredObjects = false
        #expect(other.registeredObject(for: id) == nil)
    }

    @Test func a_context_decides_about_inaccessible_faults() throws {
        let stack = try Stack(ItemModel.make())
        let id = try savedItem(stack)
        stack.context.delete(stack.context.object(with: id))
        try stack.context.save()
        let other = LenientContext(.privateQueue)
        other.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        other.shouldDeleteInaccessibleFaults = false
        #expect(other.object(with: id).value(forKey: "name") == nil)
        #expect(other.asked == [id])
    }

    private func savedItem(_ stack: Stack) throws -> NSManagedObjectID {
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        return item.objectID
    }
}

/// Lets every inaccessible fault read as nil.
private final class LenientContext: NSManagedObjectContext {
    var asked: [NSManagedObjectID] = []

    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        asked.append(oid)
        return true
    }
}
