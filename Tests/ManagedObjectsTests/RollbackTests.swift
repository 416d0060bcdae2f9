// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Rollback restores, announces and forgets.
@Suite struct RollbackTests {
    private func stack() throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(PeopleModel.make())
        let people = ["Ann", "Bob"].map { stack.context.make("Person", ["name": $0]) }
        try stack.context.save()
        return (stack, people)
    }

    @Test func it_announces_what_left_came_back_and_changed() throws {
        let (stack, people) = try stack()
        let context = stack.context
        let deleted = context.make("Tag", ["name": "red"])
        try context.save()
        let inserted = context.make("Tag", ["name": "new", "people": [people[1]] as Set])
        people[0].setValue("Anna", forKey: "name")
        context.delete(deleted)
        context.processPendingChanges()
        let recorder = ChangeRecorder(context)
        context.rollback()
        #expect(
            recorder.take() == [
                ["deleted": [inserted], "inserted": [deleted], "refreshed": Set(people)]
            ])
        #expect(people[0].text("name") == "Ann" && people[1].many("tags").isEmpty)
        #expect(!deleted.isDeleted && inserted.managedObjectContext == nil)
        #expect(!context.hasChanges)
        context.processPendingChanges()
        #expect(recorder.take().isEmpty)
    }

    @Test func what_was_never_announced_leaves_silently() throws {
        let (stack, people) = try stack()
        let recorder = ChangeRecorder(stack.context)
        stack.context.make("Tag")
        stack.context.rollback()
        #expect(recorder.take().isEmpty)
        stack.context.delete(people[0])
        stack.context.rollback()
        #expect(recorder.take() == [["refreshed": [people[0]]]])
        stack.context.rollback()
        #expect(recorder.take().isEmpty)
    }

    @Test func both_sides_of_all_relationships_come_back() throws {
        let (stack, people) = try stack()
        let context = stack.context
        let department = context.make("Department", ["name": "d", "employees": Set(people)])
        let tag = context.make("Tag", ["name": "t", "people": Set(people)])
        people[0].setValue(people[1], forKey: "spouse")
        try context.save()
        context.delete(department)
        context.delete(people[1])
        context.processPendingChanges()
        tag.setValue(Set<NSManagedObject>(), forKey: "people")
        let other = context.make("Department", ["employees": [people[0]] as Set])
        context.rollback()
        #expect(department.names("employees") == ["Ann", "Bob"])
        #expect(tag.names("people") == ["Ann", "Bob"])
        #expect(people.map { $0.one("department") === department } == [true, true])
        #expect(people[0].one("spouse") === people[1] && people[1].one("spouse") === people[0])
        #expect(other.managedObjectContext == nil)
        #expect(try context.names("Person", "department == nil").isEmpty)
        try context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("d", "Department"))
        #expect(read.names("employees") == ["Ann", "Bob"])
    }

    @Test func a_rolled_back_insertion_can_be_inserted_again() throws {
        let (stack, people) = try stack()
        let tag = stack.context.make("Tag", ["name": "t", "people": Set(people)])
        let lost = stack.context.make("Person", ["name": "lost", "tags": [tag] as Set])
        stack.context.rollback()
        stack.context.insert(tag)
        #expect(tag.text("name") == "t" && tag.names("people") == ["Ann", "Bob"])
        #expect(people[0].many("tags") == [tag] && lost.managedObjectContext == nil)
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("t", "Tag")?.names("people") == ["Ann", "Bob"])
    }
}
