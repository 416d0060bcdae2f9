// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// `isDeleted` is true between the deletion and its save only.
@Suite(.inBothPlaces) struct DeletedFlagTests {
    @Test func it_is_false_after_the_save() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        #expect(!item.isDeleted)
        stack.context.delete(item)
        #expect(item.isDeleted && item.hasChanges && !item.isUpdated && !item.isInserted)
        stack.context.processPendingChanges()
        #expect(item.isDeleted && item.managedObjectContext === stack.context)
        try stack.context.save()
        #expect(!item.isDeleted && !item.hasChanges && item.managedObjectContext == nil)
        #expect(stack.context.deletedObjects.isEmpty && stack.context.registeredObjects.isEmpty)
    }

    @Test func it_stays_true_after_a_failed_save() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .denyDeleteRule))
        let department = stack.context.make("Department")
        stack.context.make("Person", ["department": department])
        try stack.context.save()
        stack.context.delete(department)
        #expect(code { try stack.context.save() } == 1600)
        #expect(department.isDeleted && stack.context.deletedObjects == [department])
        stack.context.rollback()
        #expect(!department.isDeleted)
    }
}
