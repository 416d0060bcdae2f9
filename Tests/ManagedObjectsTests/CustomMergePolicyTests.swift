// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Subclasses of the merge policy change what a save does.
@Suite(.inBothPlaces) struct CustomMergePolicyTests {
    /// Adds up what both sides added to a number, then lets super merge the rest.
    final class Adding: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            var sums: [(NSManagedObject, Int)] = []
            for conflict in list {
                let mine = conflict.objectSnapshot?["number"] as? Int ?? 0
                let theirs = conflict.cachedSnapshot?["number"] as? Int ?? 0
                sums.append((conflict.sourceObject, mine + theirs))
            }
            try super.resolve(optimisticLockingConflicts: list)
            for (object, sum) in sums { object.setValue(sum, forKey: "number") }
        }
    }

    /// Looks at everything and changes nothing.
    final class Silent: NSMergePolicy, @unchecked Sendable {
        override func resolve(mergeConflicts list: [Any]) throws {}
    }

    /// Refuses what it is asked about.
    final class Refusing: NSMergePolicy, @unchecked Sendable {
        struct Refusal: Error, Equatable { let count: Int }

        override func resolve(mergeConflicts list: [Any]) throws {
            throw Refusal(count: list.count)
        }
    }

    /// Takes the values of the store by hand.
    final class TakingTheirs: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                for (key, value) in conflict.cachedSnapshot ?? [:] {
                    conflict.sourceObject.setValue(value, forKey: key)
                }
            }
        }
    }

    /// Renames the newcomers of a collision.
    final class Renaming: NSMergePolicy, @unchecked Sendable {
        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            for conflict in list {
                for (index, object) in conflict.conflictingObjects.enumerated() {
                    let name = conflict.constraintValues["name"] as? String ?? ""
                    object.setValue("\(name)\(index + 1)", forKey: "name")
                }
            }
        }
    }

    private func changedOnBothSides(_ policy: NSMergePolicy) throws -> ConflictPair {
        let pair = try ConflictPair(["a"], policy: policy)
        pair.theirs("a").setValue(10, forKey: "number")
        pair.theirs("a").setValue("theirs", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue(5, forKey: "number")
        return pair
    }

    @Test func adjusting_what_super_merged() throws {
        let policy = Adding(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let pair = try changedOnBothSides(policy)
        try pair.context.save()
        #expect(try pair.stored("a") == ["theirs 15"])
    }

    @Test func an_untouched_object_is_written_over_the_store() throws {
        let pair = try changedOnBothSides(Silent(merge: .errorMergePolicyType))
        try pair.context.save()
        #expect(try pair.stored("a") == ["a 5"])
        #expect(pair.mine("a").text("name") == "a")
    }

    @Test func values_set_by_hand_are_written() throws {
        let pair = try changedOnBothSides(TakingTheirs(merge: .errorMergePolicyType))
        try pair.context.save()
        #expect(try pair.stored("a") == ["theirs 10"])
    }

    @Test func what_a_policy_throws_the_save_throws() throws {
        let pair = try changedOnBothSides(Refusing(merge: .overwriteMergePolicyType))
        #expect(throws: Refusing.Refusal(count: 1)) { try pair.context.save() }
        #expect(pair.mine("a").isUpdated && pair.mine("a").number("number") == 5)
        #expect(pair.mine("a").text("name") == "a")
        #expect(try pair.stored("a") == ["theirs 10"])
        pair.context.mergePolicy = NSMergePolicy.overwrite
        try pair.context.save()
        #expect(try pair.stored("a") == ["a 5"])
    }

    @Test func a_policy_may_change_colliding_values() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        stack.context.make("Item", ["name": "a"])
        stack.context.make("Item", ["name": "a"])
        stack.context.mergePolicy = Renaming(merge: .errorMergePolicyType)
        try stack.context.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a", "a1", "a2"])
    }

    @Test func a_policy_that_leaves_a_collision_fails_the_save() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        stack.context.make("Item", ["name": "a"])
        stack.context.make("Item", ["name": "a"])
        stack.context.mergePolicy = Silent(merge: .overwriteMergePolicyType)
        #expect(code { try stack.context.save() } == 133021)
        #expect(stack.context.insertedObjects.count == 2)
    }
}
