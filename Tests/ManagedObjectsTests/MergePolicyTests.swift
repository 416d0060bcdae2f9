// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What each merge policy makes of an object that another context changed or deleted.
@Suite(.inBothPlaces) struct MergePolicyTests {
    /// The policies that resolve conflicts, by short names that test output can show.
    enum Policy: String, CaseIterable {
        case storeTrump, objectTrump, overwrite, rollback

        var policy: NSMergePolicy {
            switch self {
            case .storeTrump: .mergeByPropertyStoreTrump
            case .objectTrump: .mergeByPropertyObjectTrump
            case .overwrite: .overwrite
            case .rollback: .rollback
            }
        }
    }

    @Test func policies_are_single_instances() {
        #expect(NSErrorMergePolicy as AnyObject === NSMergePolicy.error)
        #expect(NSRollbackMergePolicy as AnyObject === NSMergePolicy.rollback)
        #expect(NSOverwriteMergePolicy as AnyObject === NSMergePolicy.overwrite)
        #expect(
            NSMergeByPropertyObjectTrumpMergePolicy as AnyObject
                === NSMergePolicy.mergeByPropertyObjectTrump)
        #expect(
            NSMergeByPropertyStoreTrumpMergePolicy as AnyObject
                === NSMergePolicy.mergeByPropertyStoreTrump)
        #expect(NSMergePolicy.error.mergeType.rawValue == 0)
        #expect(NSMergePolicy.mergeByPropertyStoreTrump.mergeType.rawValue == 1)
        #expect(NSMergePolicy.mergeByPropertyObjectTrump.mergeType.rawValue == 2)
        #expect(NSMergePolicy.overwrite.mergeType.rawValue == 3)
        #expect(NSMergePolicy.rollback.mergeType.rawValue == 4)
    }

    @Test(arguments: [
        (Policy.storeTrump, "theirs 5"), (.objectTrump, "mine 5"), (.overwrite, "mine 1"),
        (.rollback, "theirs 5"),
    ])
    func a_property_changed_on_both_sides(_ policy: Policy, _ expected: String) throws {
        let pair = try ConflictPair(["a"], policy: policy.policy)
        pair.theirs("a").setValue("theirs", forKey: "name")
        pair.theirs("a").setValue(5, forKey: "number")
        try pair.other.save()
        let mine = pair.mine("a")
        mine.setValue("mine", forKey: "name")
        try pair.context.save()
        #expect(try pair.stored("a") == [expected])
        #expect("\(mine.text("name")) \(mine.number("number"))" == expected)
        #expect(!pair.context.hasChanges)
        // The merged state is the new base: nothing is left to conflict.
        mine.setValue(6, forKey: "number")
        pair.context.mergePolicy = NSMergePolicy.error
        try pair.context.save()
        #expect(try pair.stored("a") == ["\(mine.text("name")) 6"])
    }

    @Test(arguments: [
        (Policy.storeTrump, "theirs 9"), (.objectTrump, "theirs 9"), (.overwrite, "a 9"),
        (.rollback, "theirs 1"),
    ])
    func different_properties_changed(_ policy: Policy, _ expected: String) throws {
        let pair = try ConflictPair(["a"], policy: policy.policy)
        pair.theirs("a").setValue("theirs", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue(9, forKey: "number")
        try pair.context.save()
        #expect(try pair.stored("a") == [expected])
        #expect("\(pair.mine("a").text("name")) \(pair.mine("a").number("number"))" == expected)
    }

    @Test func a_value_set_to_itself_is_no_change() throws {
        let pair = try ConflictPair(["a"], policy: NSMergePolicy.mergeByPropertyObjectTrump)
        pair.theirs("a").setValue("theirs", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue("a", forKey: "name")
        pair.mine("a").setValue(9, forKey: "number")
        try pair.context.save()
        #expect(try pair.stored("a") == ["theirs 9"])
    }

    @Test(arguments: [
        (Policy.storeTrump, []), (.objectTrump, ["mine 1"]), (.overwrite, ["mine 1"]),
        (.rollback, []),
    ])
    func an_update_of_a_deleted_object(_ policy: Policy, _ expected: [String]) throws {
        let pair = try ConflictPair(["a"], policy: policy.policy)
        let id = pair.mine("a").objectID
        pair.other.delete(pair.theirs("a"))
        try pair.other.save()
        let mine = pair.mine("a")
        mine.setValue("mine", forKey: "name")
        try pair.context.save()
        #expect(try pair.stored("a") == expected)
        #expect(!pair.context.hasChanges)
        if expected.isEmpty {
            #expect(mine.managedObjectContext == nil && !mine.isDeleted)
            #expect(code { _ = try pair.context.existingObject(with: id) } == 133000)
        } else {
            #expect(mine.text("name") == "mine" && mine.objectID == id)
            mine.setValue("again", forKey: "name")
            pair.context.mergePolicy = NSMergePolicy.error
            try pair.context.save()
            #expect(try pair.stored("a") == ["again 1"])
        }
    }

    @Test(arguments: [
        (Policy.storeTrump, ["theirs 1"]), (.objectTrump, []), (.overwrite, []),
        (.rollback, ["theirs 1"]),
    ])
    func a_deletion_of_a_changed_object(_ policy: Policy, _ expected: [String]) throws {
        let pair = try ConflictPair(["a"], policy: policy.policy)
        pair.theirs("a").setValue("theirs", forKey: "name")
        try pair.other.save()
        pair.context.delete(pair.mine("a"))
        try pair.context.save()
        #expect(try pair.stored("a") == expected)
        #expect(!pair.mine("a").isDeleted)
        #expect(!pair.context.hasChanges)
        if !expected.isEmpty { #expect(pair.mine("a").text("name") == "theirs") }
    }

    @Test(arguments: Policy.allCases)
    func a_deletion_of_a_deleted_object(_ policy: Policy) throws {
        let pair = try ConflictPair(["a"], policy: policy.policy)
        pair.other.delete(pair.theirs("a"))
        try pair.other.save()
        pair.context.delete(pair.mine("a"))
        try pair.context.save()
        #expect(try pair.stored("a") == [])
        #expect(pair.mine("a").managedObjectContext == nil)
    }

    @Test(arguments: [
        (Policy.storeTrump, "a 7"), (.objectTrump, "a 7"), (.overwrite, "a 1"), (.rollback, "a 7"),
    ])
    func a_locked_object(_ policy: Policy, _ expected: String) throws {
        let pair = try ConflictPair(["a", "b"], policy: policy.policy)
        pair.context.detectConflicts(for: pair.mine("a"))
        pair.theirs("a").setValue(7, forKey: "number")
        try pair.other.save()
        pair.mine("b").setValue("x", forKey: "name")
        try pair.context.save()
        #expect(try pair.stored("a") == [expected])
        #expect(try pair.stored("b") == ["x 2"])
        #expect("\(pair.mine("a").text("name")) \(pair.mine("a").number("number"))" == expected)
    }

    @Test func notifications_of_a_merging_save() throws {
        let pair = try ConflictPair(["a", "b"], policy: NSMergePolicy.mergeByPropertyStoreTrump)
        pair.theirs("a").setValue("theirs", forKey: "name")
        pair.other.delete(pair.theirs("b"))
        try pair.other.save()
        pair.mine("a").setValue(9, forKey: "number")
        pair.mine("b").setValue(9, forKey: "number")
        pair.context.processPendingChanges()
        let changed = SetRecorder(.NSManagedObjectContextObjectsDidChange, pair.context)
        let saved = SetRecorder(.NSManagedObjectContextDidSave, pair.context)
        try pair.context.save()
        #expect(changed.sets == [["deleted": [pair.mine("b")], "refreshed": [pair.mine("a")]]])
        #expect(saved.sets == [["deleted": [pair.mine("b")], "updated": [pair.mine("a")]]])
    }

    @Test func two_contexts_go_on_merging() throws {
        let pair = try ConflictPair(["a"], policy: NSMergePolicy.mergeByPropertyObjectTrump)
        pair.other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for round in 1...20 {
            pair.mine("a").setValue("mine \(round)", forKey: "name")
            pair.theirs("a").setValue(round, forKey: "number")
            try pair.context.save()
            try pair.other.save()
            #expect(try pair.stored("a") == ["mine \(round) \(round)"])
        }
    }
}
