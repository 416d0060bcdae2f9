// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// There is one object for each ID, and a clean one goes when the program lets go of it.
@Suite struct RegistryTests {
    private func filled() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        for name in ["a", "b", "c"] { stack.context.make("Item", ["name": name]) }
        try stack.context.save()
        return stack
    }

    @Test func a_fetch_returns_the_identical_object() throws {
        let stack = try filled()
        let first = try stack.context.named("a", "Item")
        #expect(try stack.context.named("a", "Item") === first)
        #expect(stack.context.object(with: try #require(first).objectID) === first)
    }

    @Test func a_refetch_keeps_unsaved_values() throws {
        let stack = try filled()
        let item = try #require(try stack.context.named("a", "Item"))
        item.setValue(5, forKey: "number")
        _ = try stack.context.all("Item")
        #expect(item.number("number") == 5)
        #expect(item.isUpdated)
    }

    @Test func unreferenced_clean_objects_leave() throws {
        let stack = try filled()
        #expect(stack.context.registeredObjects.isEmpty)
        var items: [NSManagedObject]? = try stack.context.all("Item")
        #expect(stack.context.registeredObjects.count == 3)
        items?.removeLast()
        #expect(stack.context.registeredObjects.count == 2)
        items = nil
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test func changed_objects_stay() throws {
        let stack = try filled()
        try stack.context.named("a", "Item")?.setValue("x", forKey: "name")
        stack.context.delete(try #require(try stack.context.named("b", "Item")))
        stack.context.make("Item", ["name": "new"])
        #expect(stack.context.registeredObjects.count == 3)
        #expect(stack.context.updatedObjects.first?.text("name") == "x")
        try stack.context.save()
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["c", "new", "x"])
    }

    @Test func a_context_may_retain_its_objects() throws {
        let stack = try filled()
        stack.context.retainsRegisteredObjects = true
        _ = try stack.context.all("Item")
        #expect(stack.context.registeredObjects.count == 3)
        stack.context.retainsRegisteredObjects = false
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test func objects_outlive_their_context_without_values() throws {
        let stack = try filled()
        var context: NSManagedObjectContext? = stack.container.newBackgroundContext()
        let clean = try #require(try context?.named("a", "Item"))
        let fault = try #require(try context?.named("b", "Item"))
        let changed = try #require(try context?.named("c", "Item"))
        let inserted = try #require(context?.make("Item", ["name": "d"]))
        _ = clean.text("name")
        changed.setValue("z", forKey: "name")
        context = nil
        for object in [clean, fault, changed, inserted] {
            #expect(object.managedObjectContext == nil)
        }
        #expect(clean.value(forKey: "name") == nil)
        #expect(fault.value(forKey: "name") == nil)
        #expect(clean.value(forKey: "number") == nil)
        _ = (changed.value(forKey: "name"), inserted.value(forKey: "name"))
        clean.setValue("written", forKey: "name")
        #expect(try stack.context.count("Item") == 3)
    }

    @Test func objects_outlive_a_reset_without_values() throws {
        let stack = try filled()
        let item = try #require(try stack.context.named("a", "Item"))
        _ = item.text("name")
        stack.context.reset()
        #expect(item.value(forKey: "name") == nil)
        #expect(!item.hasChanges)
    }
}
