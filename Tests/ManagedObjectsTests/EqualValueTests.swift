// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Equal values make an object dirty, but write nothing.
@Suite struct EqualValueTests {
    private func stack() throws -> (Stack, NSManagedObject, NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann", "age": 30])
        let red = stack.context.make("Tag", ["name": "red", "people": [ann] as Set])
        try stack.context.save()
        #expect(ann.text("name") == "Ann")
        return (stack, ann, red)
    }

    @Test func the_object_is_dirty_and_the_save_cleans_it() throws {
        let (stack, ann, _) = try stack()
        ann.setValue("Ann", forKey: "name")
        #expect(ann.hasChanges && ann.isUpdated && stack.context.hasChanges)
        #expect(ann.changedValues().isEmpty && !ann.hasPersistentChangedValues)
        let recorder = ChangeRecorder(stack.context, .NSManagedObjectContextDidSave)
        try stack.context.save()
        #expect(recorder.take() == [["updated": [ann]]])
        #expect(!ann.hasChanges && ann.text("name") == "Ann")
    }

    @Test(arguments: [false, true]) func nobody_conflicts_with_it(hasOtherChanges: Bool) throws {
        let (stack, ann, _) = try stack()
        let other = stack.container.newBackgroundContext()
        let theirs = try #require(try other.named("Ann", "Person"))
        theirs.setValue(31, forKey: "age")
        ann.setValue(30, forKey: "age")
        if hasOtherChanges { stack.context.make("Tag", ["name": "new"]) }
        try stack.context.save()
        try other.save()
        #expect(theirs.number("age") == 31)
        stack.context.refresh(ann, mergeChanges: true)
        #expect(ann.number("age") == 31)
    }

    @Test(arguments: [false, true]) func it_conflicts_with_nobody(hasOtherChanges: Bool) throws {
        let (stack, ann, _) = try stack()
        ann.setValue("Ann", forKey: "name")
        if hasOtherChanges { stack.context.make("Tag", ["name": "new"]) }
        let other = stack.container.newBackgroundContext()
        try other.named("Ann", "Person")?.setValue("Anna", forKey: "name")
        try other.save()
        try stack.context.save()
        #expect(ann.text("name") == "Ann" && !ann.hasChanges)
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.names("Person", "TRUEPREDICATE") == ["Anna"])
        stack.context.refresh(ann, mergeChanges: true)
        #expect(ann.text("name") == "Anna")
    }

    @Test func a_relationship_that_is_set_to_what_it_is_writes_nothing() throws {
        let (stack, ann, red) = try stack()
        let other = stack.container.newBackgroundContext()
        try other.named("Ann", "Person")?.setValue(44, forKey: "age")
        ann.setValue(Set<NSManagedObject>(), forKey: "tags")
        ann.setValue([red] as Set, forKey: "tags")
        try stack.context.save()
        try other.save()
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.named("red", "Tag")?.names("people") == ["Ann"])
    }

    @Test func a_partner_takes_part_in_optimistic_locking() throws {
        let (stack, ann, _) = try stack()
        let other = stack.container.newBackgroundContext()
        try other.named("Ann", "Person")?.setValue(44, forKey: "age")
        let blue = stack.context.make("Tag", ["name": "blue"])
        blue.setValue([ann] as Set, forKey: "people")
        #expect(ann.isUpdated)
        try stack.context.save()
        #expect(code { try other.save() } == 133020)
    }
}
