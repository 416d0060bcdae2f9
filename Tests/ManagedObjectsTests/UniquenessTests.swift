// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Uniqueness constraints, checked by the save as a whole.
@Suite struct UniquenessTests {
    private func stack(_ names: String...) throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let items = names.map { stack.context.make("Item", ["name": $0]) }
        try stack.context.save()
        return (stack, items)
    }

    @Test func a_second_object_of_a_value_fails_the_save() throws {
        let (stack, _) = try stack("a")
        let twin = stack.context.make("Item", ["name": "a", "number": 2])
        #expect(code { try stack.context.save() } == 133021)
        #expect(twin.isInserted && twin.objectID.isTemporaryID)
        #expect(try stack.container.newBackgroundContext().count("Item") == 1)
        twin.setValue("b", forKey: "name")
        try stack.context.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "b"])
    }

    @Test func two_new_objects_of_a_value_fail_the_save() throws {
        let (stack, _) = try stack()
        stack.context.make("Item", ["name": "a"])
        stack.context.make("Item", ["name": "a"])
        #expect(code { try stack.context.save() } == 133021)
        #expect(stack.context.insertedObjects.count == 2)
    }

    @Test func an_update_to_a_taken_value_fails_the_save() throws {
        let (stack, items) = try stack("a", "b")
        items[1].setValue("a", forKey: "name")
        #expect(code { try stack.context.save() } == 133021)
        #expect(items[1].isUpdated)
        stack.context.rollback()
        #expect(items[1].text("name") == "b")
    }

    @Test func nil_and_different_cases_do_not_collide() throws {
        let (stack, _) = try stack("a", "A")
        stack.context.make("Item")
        stack.context.make("Item")
        try stack.context.save()
        #expect(try stack.context.count("Item") == 4)
    }

    @Test func values_may_be_swapped_and_passed_on() throws {
        let (stack, items) = try stack("a", "b", "c")
        items[0].setValue("b", forKey: "name")
        items[1].setValue("a", forKey: "name")
        stack.context.delete(items[2])
        stack.context.make("Item", ["name": "c", "number": 9])
        try stack.context.save()
        #expect(items[0].text("name") == "b" && items[1].text("name") == "a")
        try stack.reopen()
        #expect(try stack.context.named("c", "Item")?.number("number") == 9)
    }

    @Test func long_values_that_share_a_beginning_do_not_collide() throws {
        let long = String(repeating: "x", count: 2_000)
        let (stack, _) = try stack(long + "a", long + "b")
        stack.context.make("Item", ["name": long + "a"])
        #expect(code { try stack.context.save() } == 133021)
    }

    @Test func a_value_taken_by_another_context() throws {
        let (stack, _) = try stack()
        let other = stack.container.newBackgroundContext()
        stack.context.make("Item", ["name": "a"])
        other.make("Item", ["name": "a"])
        try stack.context.save()
        #expect(code { try other.save() } == 133021)
    }

    @Test func a_constraint_may_be_stated_again_by_a_subentity() throws {
        func model(again: Bool) -> NSManagedObjectModel {
            let item = Build.entity("Item", [Build.attribute("name")])
            let sub = Build.entity("SubItem", [])
            item.subentities = [sub]
            item.uniquenessConstraints = [["name"]]
            if again { sub.uniquenessConstraints = [["name"], ["name"]] }
            return Build.model(item, sub)
        }
        let stack = try Stack(model(again: true))
        stack.context.make("Item", ["name": "a"])
        stack.context.make("SubItem", ["name": "a"])
        #expect(code { try stack.context.save() } == 133021)
        stack.context.rollback()
        stack.context.make("SubItem", ["name": "a"])
        try stack.context.save()
        stack.context.make("SubItem", ["name": "a"])
        #expect(code { try stack.context.save() } == 133021)
        #expect(
            model(again: true).entityVersionHashesByName
                == model(again: false).entityVersionHashesByName)
    }
}
