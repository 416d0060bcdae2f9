// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What an error-policy save says about objects that another context changed or deleted.
@Suite(.inBothPlaces) struct MergeConflictTests {
    private func conflicts(_ context: NSManagedObjectContext) -> [NSMergeConflict] {
        do {
            try context.save()
            return []
        } catch {
            let error = error as? CocoaError
            #expect(error?.errorCode == 133020)
            return error?.userInfo["conflictList"] as? [NSMergeConflict] ?? []
        }
    }

    @Test func all_conflicts_of_a_save_are_listed() throws {
        let pair = try ConflictPair(["a", "b", "c", "d"])
        for name in ["a", "b", "d"] { pair.theirs(name).setValue(7, forKey: "number") }
        pair.other.delete(pair.theirs("c"))
        try pair.other.save()
        pair.mine("a").setValue("x", forKey: "name")
        pair.context.delete(pair.mine("b"))
        pair.mine("c").setValue("y", forKey: "name")
        pair.context.detectConflicts(for: pair.mine("d"))
        let conflicts = conflicts(pair.context)
        #expect(conflicts.count == 4)
        let sources = Set(conflicts.map(\.sourceObject))
        #expect(sources == Set(["a", "b", "c", "d"].map(pair.mine)))
        #expect(pair.mine("a").isUpdated && pair.mine("b").isDeleted && pair.mine("c").isUpdated)
        #expect(!pair.mine("d").hasChanges)
        #expect(self.conflicts(pair.context).count == 4)
    }

    @Test func members_of_a_conflict_with_a_context_of_this_process() throws {
        let pair = try ConflictPair(["a"])
        pair.theirs("a").setValue(7, forKey: "number")
        try pair.other.save()
        let mine = pair.mine("a")
        mine.setValue("mine", forKey: "name")
        let conflict = try #require(conflicts(pair.context).first)
        #expect(conflict.sourceObject === mine)
        #expect(conflict.oldVersionNumber == 1)
        #expect(conflict.newVersionNumber == 2)
        #expect(conflict.objectSnapshot?["name"] as? String == "mine")
        #expect(conflict.objectSnapshot?["number"] as? Int == 1)
        #expect(conflict.cachedSnapshot?["name"] as? String == "a")
        #expect(conflict.cachedSnapshot?["number"] as? Int == 7)
        #expect(conflict.persistedSnapshot == nil)
        #expect(
            conflict.description
                == "NSMergeConflict of Item \(mine.objectID.uriRepresentation()): version 1 was "
                + "read, the store has version 2")
    }

    @Test func a_commit_through_another_coordinator_has_a_persisted_snapshot() throws {
        let pair = try ConflictPair(["a"])
        let elsewhere = try pair.stack.secondContainer()
        let theirs = try #require(try elsewhere.viewContext.all("Item").first)
        theirs.setValue(7, forKey: "number")
        try elsewhere.viewContext.save()
        pair.mine("a").setValue("mine", forKey: "name")
        let conflict = try #require(conflicts(pair.context).first)
        #expect(conflict.objectSnapshot?["name"] as? String == "mine")
        #expect(conflict.cachedSnapshot?["number"] as? Int == 1)
        #expect(conflict.persistedSnapshot?["number"] as? Int == 7)
        #expect(conflict.newVersionNumber == 2)
    }

    @Test func version_zero_stands_for_a_deleted_object() throws {
        let pair = try ConflictPair(["a", "b"])
        pair.other.delete(pair.theirs("a"))
        pair.other.delete(pair.theirs("b"))
        try pair.other.save()
        pair.mine("a").setValue("mine", forKey: "name")
        pair.context.delete(pair.mine("b"))
        let conflicts = conflicts(pair.context)
        #expect(conflicts.map(\.newVersionNumber) == [0, 0])
        #expect(conflicts.map(\.oldVersionNumber) == [1, 1])
        #expect(conflicts.allSatisfy { $0.persistedSnapshot == nil && $0.cachedSnapshot == nil })
        #expect(conflicts[0].description.hasSuffix("version 1 was read, the store has it deleted"))
    }

    @Test func a_deletion_that_the_context_has_seen_is_agreed() throws {
        let pair = try ConflictPair(["a"])
        pair.other.delete(pair.theirs("a"))
        try pair.other.save()
        #expect(try pair.context.count("Item") == 0)
        pair.context.delete(pair.mine("a"))
        try pair.context.save()
        #expect(!pair.context.hasChanges)
    }

    @Test func a_fetch_in_between_does_not_hide_the_conflict() throws {
        let pair = try ConflictPair(["a"])
        pair.theirs("a").setValue("theirs", forKey: "name")
        try pair.other.save()
        #expect(try pair.context.all("Item").first === pair.mine("a"))
        #expect(pair.mine("a").text("name") == "a")
        pair.mine("a").setValue(9, forKey: "number")
        #expect(conflicts(pair.context).count == 1)
        pair.context.refresh(pair.mine("a"), mergeChanges: true)
        try pair.context.save()
        #expect(try pair.stored("a") == ["theirs 9"])
    }

    @Test func a_locked_object_is_checked_once() throws {
        let pair = try ConflictPair(["a", "b"])
        pair.context.detectConflicts(for: pair.mine("a"))
        pair.mine("b").setValue(2, forKey: "number")
        try pair.context.save()
        pair.theirs("a").setValue(7, forKey: "number")
        try pair.other.save()
        pair.mine("b").setValue(3, forKey: "number")
        try pair.context.save()
        pair.context.refresh(pair.mine("a"), mergeChanges: true)
        pair.context.detectConflicts(for: pair.mine("a"))
        pair.theirs("a").setValue(8, forKey: "number")
        try pair.other.save()
        pair.mine("b").setValue(4, forKey: "number")
        #expect(conflicts(pair.context).map(\.sourceObject) == [pair.mine("a")])
    }

    @Test func an_object_without_a_net_change_keeps_its_version() throws {
        let pair = try ConflictPair(["a"])
        pair.mine("a").setValue("a", forKey: "name")
        pair.mine("a").setValue(1, forKey: "number")
        #expect(pair.mine("a").isUpdated)
        try pair.context.save()
        #expect(!pair.mine("a").hasChanges)
        pair.theirs("a").setValue(2, forKey: "number")
        try pair.other.save()
        pair.mine("a").setValue(3, forKey: "number")
        let conflict = try #require(conflicts(pair.context).first)
        #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
    }

    @Test func a_conflict_fits_the_error_accessors() throws {
        let pair = try ConflictPair(["a"])
        pair.theirs("a").setValue(7, forKey: "number")
        try pair.other.save()
        pair.mine("a").setValue("mine", forKey: "name")
        let error = try #require(throws: CocoaError.self) { try pair.context.save() }
        #expect(error.code == .managedObjectMerge)
        #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [pair.mine("a")])
        #expect(error.message.contains("version 1 was read"))
    }
}
