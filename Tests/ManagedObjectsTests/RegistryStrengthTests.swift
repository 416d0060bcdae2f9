// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Weak unless dirty; one instance an ID, which a refetch does not overwrite.
@Suite struct RegistryStrengthTests {
    private func stack() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        return stack
    }

    @Test func a_clean_object_is_held_by_its_users_only() throws {
        let stack = try stack()
        var item: NSManagedObject? = try stack.context.named("a", "Item")
        weak let reference = item
        item = nil
        #expect(reference == nil && stack.context.registeredObjects.isEmpty)
    }

    @Test func each_kind_of_change_holds_until_it_is_saved_or_dropped() throws {
        let stack = try stack()
        let context = stack.context
        try context.named("a", "Item")?.setValue(2, forKey: "number")
        #expect(context.registeredObjects.count == 1)
        context.rollback()
        #expect(context.registeredObjects.isEmpty)
        try context.named("a", "Item").map { context.delete($0) }
        #expect(context.registeredObjects.count == 1)
        context.rollback()
        #expect(context.registeredObjects.isEmpty)
        context.make("Item")
        #expect(context.registeredObjects.count == 1)
        context.rollback()
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func a_refetch_returns_the_instance_with_its_own_values() throws {
        let stack = try stack()
        let item = try #require(try stack.context.named("a", "Item"))
        #expect(item.number("number") == 1)
        let other = stack.container.newBackgroundContext()
        try other.named("a", "Item")?.setValue(7, forKey: "number")
        try other.save()
        let found = try stack.context.all("Item", NSPredicate(format: "number == 7"))
        #expect(found == [item] && found.first === item)
        #expect(item.number("number") == 1)
        stack.context.refresh(item, mergeChanges: true)
        #expect(item.number("number") == 7)
    }

    @Test func two_contexts_have_two_instances_with_equal_ids() throws {
        let stack = try stack()
        let other = stack.container.newBackgroundContext()
        let one = try #require(try stack.context.named("a", "Item"))
        let two = try #require(try other.named("a", "Item"))
        #expect(one !== two && one != two && one.objectID == two.objectID)
    }
}
