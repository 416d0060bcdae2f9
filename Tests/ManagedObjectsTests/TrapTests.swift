// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Mistakes of the programmer end the program with a message.
@Suite struct TrapTests {
    @Test func reading_an_unknown_key() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            _ = stack.context.make("Item").value(forKey: "none")
        }
    }

    @Test func writing_an_unknown_key() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.context.make("Item").setValue(1, forKey: "none")
        }
    }

    @Test func text_for_a_number() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.context.make("Item", ["number": "1"])
        }
    }

    @Test func a_number_for_text() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.context.make("Item", ["name": 1])
        }
    }

    @Test func a_number_that_does_not_fit() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            stack.context.make("Person", ["age": Int64(1) << 40])
        }
    }

    @Test func a_number_without_a_value_for_an_integer() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.context.make("Item", ["number": Double.nan])
        }
    }

    @Test func an_object_of_another_context() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let other = stack.container.newBackgroundContext()
            stack.context.make("Person", ["department": other.make("Department")])
            other.reset()
        }
    }

    @Test func an_object_of_the_wrong_entity() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let tag = stack.context.make("Tag")
            stack.context.make("Person", ["department": tag])
        }
    }

    @Test func text_for_a_relationship() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            stack.context.make("Person", ["department": "Sales"])
        }
    }

    @Test func an_object_for_a_set() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let tag = stack.context.make("Tag")
            stack.context.make("Person", ["tags": tag])
        }
    }

    @Test func deleting_an_object_of_another_context() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let other = stack.container.newBackgroundContext()
            stack.context.delete(other.make("Item"))
            other.reset()
        }
    }

    @Test func inserting_an_object_of_another_context() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let other = stack.container.newBackgroundContext()
            stack.context.insert(other.make("Item"))
            other.reset()
        }
    }

    @Test func an_unknown_entity() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.context.make("None")
        }
    }

    @Test func a_fetch_of_an_unknown_entity() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            _ = try stack.context.all("None")
        }
    }

    @Test func a_format_that_cannot_be_read() async {
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "name ==") }
    }

    @Test func a_context_without_coordinator() async {
        await #expect(processExitsWith: .failure) {
            NSManagedObjectContext(.privateQueue).make("Item")
        }
    }

    @Test func a_second_coordinator() async {
        await #expect(processExitsWith: .failure) {
            let model = ItemModel.make()
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
                managedObjectModel: model)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
                managedObjectModel: model)
        }
    }

    @Test func a_missing_object_where_the_context_wants_none() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let item = stack.context.make("Item")
            try stack.context.save()
            let other = stack.container.newBackgroundContext()
            other.shouldDeleteInaccessibleFaults = false
            let twin = other.object(with: item.objectID)
            stack.context.delete(item)
            try stack.context.save()
            _ = twin.value(forKey: "name")
        }
    }

    @Test func an_object_of_another_store() async {
        await #expect(processExitsWith: .failure) {
            let model = ItemModel.make()
            let (one, two) = (try Stack(model), try Stack(model))
            let item = one.context.make("Item")
            try one.context.save()
            _ = two.context.object(with: item.objectID)
        }
    }
}
