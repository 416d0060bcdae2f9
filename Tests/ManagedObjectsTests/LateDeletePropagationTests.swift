// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// With `propagatesDeletesAtEndOfEvent` off, delete rules wait for the save.
@Suite(.inBothPlaces) struct LateDeletePropagationTests {
    private func family(
        _ rule: NSDeleteRule
    ) throws -> (stack: Stack, department: NSManagedObject, ann: NSManagedObject) {
        let stack = try Stack(PeopleModel.make(employeesRule: rule))
        let context = stack.context
        #expect(context.propagatesDeletesAtEndOfEvent)
        context.propagatesDeletesAtEndOfEvent = false
        let department = context.make("Department", ["name": "d"])
        let ann = context.make("Person", ["name": "Ann", "department": department])
        try context.save()
        return (stack, department, ann)
    }

    @Test func a_nullify_rule() throws {
        let (stack, department, ann) = try family(.nullifyDeleteRule)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        #expect(ann.one("department") === department && !ann.hasChanges)
        #expect(stack.context.deletedObjects == [department])
        try stack.context.save()
        #expect(ann.one("department") == nil)
        #expect(try stack.reading { try $0.names("Person", "department == nil") } == ["Ann"])
    }

    @Test func a_cascade_rule() throws {
        let (stack, department, ann) = try family(.cascadeDeleteRule)
        let recorder = ChangeRecorder(stack.context)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        #expect(!ann.isDeleted && recorder.entries.count == 1)
        #expect(try stack.context.count("Person") == 1)
        try stack.context.save()
        #expect(try stack.reading { try $0.count("Person") } == 0)
    }

    @Test func a_deletion_is_taken_back_before_the_save() throws {
        let (stack, department, ann) = try family(.cascadeDeleteRule)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        stack.context.insert(department)
        try stack.context.save()
        #expect(ann.one("department") === department && department.names("employees") == ["Ann"])
    }

    @Test func an_object_that_was_never_saved_leaves_no_trace() throws {
        let (stack, department, _) = try family(.nullifyDeleteRule)
        let bob = stack.context.make("Person", ["name": "Bob", "department": department])
        stack.context.delete(bob)
        stack.context.processPendingChanges()
        #expect(stack.context.insertedObjects.isEmpty && stack.context.deletedObjects.isEmpty)
        try stack.context.save()
        #expect(department.names("employees") == ["Ann"] && bob.managedObjectContext == nil)
        #expect(try stack.reading { try $0.count("Person") } == 1)
    }
}
