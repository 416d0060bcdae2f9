// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What one context sees of another one's saves.
@Suite struct TwoContextsTests {
    /// A stack with one item, seen by two contexts.
    private func pair() throws -> (
        stack: Stack, other: NSManagedObjectContext, mine: NSManagedObject, theirs: NSManagedObject
    ) {
        let stack = try Stack(ItemModel.make())
        let mine = stack.context.make("Item", ["name": "old", "number": 1])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        return (stack, other, mine, other.object(with: mine.objectID))
    }

    @Test func realised_objects_keep_their_values_until_refreshed() throws {
        let (stack, other, mine, theirs) = try pair()
        #expect(mine.text("name") == "old")
        theirs.setValue("new", forKey: "name")
        try other.save()
        #expect(mine.text("name") == "old")
        #expect(try stack.context.all("Item").first === mine)
        #expect(mine.text("name") == "old")
        #expect(mine.number("number") == 1)
        stack.context.refresh(mine, mergeChanges: true)
        #expect(mine.text("name") == "new")
    }

    @Test func refreshing_sees_the_newest_state_without_a_fetch() throws {
        for merge in [true, false] {
            let (stack, other, mine, theirs) = try pair()
            #expect(mine.text("name") == "old")
            theirs.setValue("new", forKey: "name")
            try other.save()
            stack.context.refresh(mine, mergeChanges: merge)
            #expect(mine.text("name") == "new", "mergeChanges: \(merge)")
        }
    }

    @Test func faults_see_the_newest_state() throws {
        let (stack, other, mine, theirs) = try pair()
        stack.context.refresh(mine, mergeChanges: false)
        theirs.setValue("new", forKey: "name")
        try other.save()
        #expect(mine.isFault)
        #expect(mine.text("name") == "new")
    }

    @Test func fetches_match_what_is_stored() throws {
        let (stack, other, mine, theirs) = try pair()
        #expect(mine.text("name") == "old")
        theirs.setValue("new", forKey: "name")
        try other.save()
        let found = try stack.context.named("new", "Item")
        #expect(found === mine)
        #expect(found?.text("name") == "old")
        #expect(try stack.context.named("old", "Item") == nil)
    }

    @Test func a_conflict_leaves_everything_pending() throws {
        let (stack, other, mine, theirs) = try pair()
        #expect(mine.text("name") == "old")
        theirs.setValue("theirs", forKey: "name")
        try other.save()
        mine.setValue(2, forKey: "number")
        let inserted = stack.context.make("Item", ["name": "extra"])
        for _ in 0..<2 {
            #expect(code { try stack.context.save() } == 133020)
            #expect(mine.isUpdated && mine.number("number") == 2 && mine.text("name") == "old")
            #expect(inserted.isInserted && inserted.objectID.isTemporaryID)
        }
        #expect(try other.count("Item") == 1)
        stack.context.refresh(mine, mergeChanges: true)
        #expect(mine.text("name") == "theirs" && mine.number("number") == 2)
        try stack.context.save()
        #expect(try other.count("Item") == 2)
        other.refresh(theirs, mergeChanges: false)
        #expect(theirs.text("name") == "theirs" && theirs.number("number") == 2)
    }

    @Test func a_conflict_without_any_read_in_between() throws {
        let (stack, other, mine, theirs) = try pair()
        mine.setValue("mine", forKey: "name")
        theirs.setValue("theirs", forKey: "name")
        try stack.context.save()
        #expect(code { try other.save() } == 133020)
        other.rollback()
        other.refresh(theirs, mergeChanges: false)
        #expect(theirs.text("name") == "mine")
    }

    @Test func saves_of_different_objects_do_not_conflict() throws {
        let (stack, other, mine, theirs) = try pair()
        _ = theirs.text("name")
        let second = other.make("Item", ["name": "second"])
        try other.save()
        mine.setValue("mine", forKey: "name")
        try stack.context.save()
        second.setValue("changed", forKey: "name")
        try other.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["changed", "mine"])
    }

    @Test func reading_an_object_that_was_deleted_elsewhere() throws {
        let (stack, other, mine, theirs) = try pair()
        #expect(mine.text("name") == "old")
        let id = mine.objectID
        other.delete(theirs)
        try other.save()
        #expect(try stack.context.all("Item").isEmpty)
        #expect(mine.text("name") == "old")
        stack.context.refresh(mine, mergeChanges: false)
        #expect(mine.value(forKey: "name") == nil)
        #expect(code { _ = try stack.context.existingObject(with: id) } == 133000)
    }

    @Test func updating_an_object_that_was_deleted_elsewhere() throws {
        let (stack, other, mine, theirs) = try pair()
        other.delete(theirs)
        try other.save()
        mine.setValue("mine", forKey: "name")
        #expect(code { try stack.context.save() } == 133020)
        #expect(mine.isUpdated)
        stack.context.rollback()
        #expect(!stack.context.hasChanges)
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func deleting_an_object_that_was_changed_elsewhere() throws {
        let (stack, other, mine, theirs) = try pair()
        _ = mine.text("name")
        theirs.setValue("new", forKey: "name")
        try other.save()
        stack.context.delete(mine)
        #expect(code { try stack.context.save() } == 133020)
        #expect(mine.isDeleted)
        stack.context.rollback()
        #expect(!mine.isDeleted)
    }

    @Test func a_held_snapshot_does_not_hinder_saves() throws {
        let (stack, other, mine, theirs) = try pair()
        #expect(theirs.text("name") == "old")
        for number in 0..<2_000 {
            stack.context.make(
                "Item", ["name": String(repeating: "x", count: 500), "number": number])
            if number % 500 == 0 { try stack.context.save() }
        }
        mine.setValue("new", forKey: "name")
        try stack.context.save()
        #expect(theirs.text("name") == "old")
        #expect(try other.count("Item") == 2_001)
        #expect(theirs.text("name") == "old")
    }

    @Test func relationships_follow_the_newest_state_once_refreshed() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        try stack.context.save()
        #expect(department.names("employees").isEmpty)
        let other = stack.container.newBackgroundContext()
        other.make(
            "Person", ["name": "Ann", "department": other.object(with: department.objectID)])
        try other.save()
        #expect(department.names("employees").isEmpty)
        stack.context.refresh(department, mergeChanges: true)
        #expect(department.names("employees") == ["Ann"])
    }

    @Test func a_relationship_not_read_yet_is_as_old_as_its_object() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        let department = stack.context.make("Department", ["name": "d"])
        ann.setValue(department, forKey: "department")
        try stack.context.save()
        #expect(department.text("name") == "d")
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: ann.objectID).setValue(nil, forKey: "department")
        try other.save()
        department.setValue("e", forKey: "name")
        #expect(code { try stack.context.save() } == 133020)
    }
}
