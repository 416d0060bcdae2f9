// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Conflicts that come again while the first ones are being resolved lose no update.
@Suite(.inBothPlaces) struct RepeatedConflictTests {
    /// Merges as its kind says; then, the first time, another context saves again.
    final class Overtaken: NSMergePolicy, @unchecked Sendable {
        var meanwhile: (() throws -> Void)?
        private(set) var rounds = 0

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            try super.resolve(optimisticLockingConflicts: list)
            rounds += 1
            let meanwhile = self.meanwhile
            self.meanwhile = nil
            try meanwhile?()
        }
    }

    private func overtaken(_ type: NSMergePolicyType) throws -> (ConflictPair, Overtaken) {
        let policy = Overtaken(merge: type)
        let pair = try ConflictPair(["a"], policy: policy)
        policy.meanwhile = {
            pair.theirs("a").setValue("later", forKey: "name")
            try pair.other.save()
        }
        return (pair, policy)
    }

    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
        .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func what_the_store_gave_in_the_first_round_is_no_own_change(
        _ type: NSMergePolicyType
    ) throws {
        let (pair, policy) = try overtaken(type)
        pair.theirs("a").setValue("first", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue(5, forKey: "number")
        try pair.context.save()
        #expect(policy.rounds == 2)
        #expect(try pair.stored("a") == ["later 5"])
        #expect(pair.mine("a").text("name") == "later")
    }

    @Test(arguments: [
        (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "mine 1"),
        (.mergeByPropertyStoreTrumpMergePolicyType, "later 1"),
        (.overwriteMergePolicyType, "mine 1"),
        (.rollbackMergePolicyType, "later 1"),
    ])
    func an_own_change_of_the_same_property_meets_two_commits(
        _ type: NSMergePolicyType, _ expected: String
    ) throws {
        let (pair, _) = try overtaken(type)
        pair.theirs("a").setValue("first", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue("mine", forKey: "name")
        try pair.context.save()
        #expect(try pair.stored("a") == [expected])
    }

    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
        .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func a_deletion_in_the_second_round_is_decided_by_the_policy(
        _ type: NSMergePolicyType
    ) throws {
        let policy = Overtaken(merge: type)
        let pair = try ConflictPair(["a"], policy: policy)
        policy.meanwhile = {
            pair.other.delete(pair.theirs("a"))
            try pair.other.save()
        }
        pair.theirs("a").setValue("first", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue(5, forKey: "number")
        try pair.context.save()
        let keepsObject = type == .mergeByPropertyObjectTrumpMergePolicyType
        #expect(try pair.stored("a") == (keepsObject ? ["first 5"] : []))
    }

    /// Each writer counts in a property of its own, so that every save must be in the sum.
    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
        .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func writers_of_different_properties_lose_no_update(_ type: NSMergePolicyType) async throws {
        let stack = try Stack(ItemModel.make())
        let ids = (0..<3).map { _ in stack.context.make("Item", ["name": "0", "number": 0]) }
        try stack.context.save()
        let items = ids.map(\.objectID)
        let container = stack.container
        let saves = 150
        try await withThrowingTaskGroup(of: Void.self) { group in
            for counter in ["name", "number"] {
                group.addTask {
                    let context = container.newBackgroundContext()
                    try await context.perform {
                        context.mergePolicy = NSMergePolicy(merge: type)
                        for step in 0..<saves {
                            let item = try context.existingObject(with: items[step % items.count])
                            let value = (step / items.count) + 1
                            item.setValue(
                                counter == "name" ? "\(value)" : value as Any, forKey: counter)
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let stored = try stack.reading { context in
            try context.all("Item").map { "\($0.text("name")) \($0.number("number"))" }
        }
        #expect(stored == ["50 50", "50 50", "50 50"])
    }
}
