// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A context that has saved but never read knows the versions of what it has saved.
@Suite struct SavedWithoutReadingTests {
    @Test func another_save_in_between_is_a_conflict() throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let item = writer.make("Item", ["name": "a", "number": 1])
        try writer.save()
        try change(item.objectID, in: stack)
        item.setValue(3, forKey: "number")
        #expect(code { try writer.save() } == 133020)
        writer.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        try writer.save()
        #expect(item.number("number") == 2)
    }

    @Test func so_is_one_that_changed_something_else() throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let item = writer.make("Item", ["name": "a", "number": 1])
        try writer.save()
        try change(item.objectID, in: stack)
        item.setValue("b", forKey: "name")
        writer.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try writer.save()
        #expect(item.text("name") == "b" && item.number("number") == 2)
    }

    @Test func values_stay_what_they_were() throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let item = writer.make("Item", ["name": "a", "number": 1])
        try writer.save()
        try change(item.objectID, in: stack)
        #expect(item.number("number") == 1)
        writer.delete(item)
        #expect(code { try writer.save() } == 133020)
    }

    private func change(_ id: NSManagedObjectID, in stack: Stack) throws {
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: id).setValue(2, forKey: "number")
        try other.save()
    }
}
