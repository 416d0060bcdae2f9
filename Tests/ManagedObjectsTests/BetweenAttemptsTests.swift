// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves of others that come between two attempts of a save, or between two changes of one object.
@Suite struct BetweenAttemptsTests {
    /// Keeps the object's changes, and then lets another context save.
    // SAFETY: what it has is set and called on the test's thread.
    private final class Interrupted: NSMergePolicy, @unchecked Sendable {
        var interruption: (() throws -> Void)?

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            try super.resolve(optimisticLockingConflicts: list)
            let once = interruption
            interruption = nil
            try once?()
        }
    }

    private let stack: Stack
    private let contexts: [NSManagedObjectContext]

    init() throws {
        stack = try Stack(PeopleModel.make())
        contexts = (0..<3).map { [stack] _ in stack.container.newBackgroundContext() }
        let a = stack.context.make("Department", ["name": "A"])
        let ann = stack.context.make("Person", ["name": "ann"])
        ann.setValue(a, forKey: "department")
        stack.context.make("Department", ["name": "B"])
        stack.context.make("Tag", ["name": "x"])
        try stack.context.save()
    }

    private func find(_ name: String, _ entity: String, _ context: Int) throws -> NSManagedObject {
        let found = try contexts[context].all(entity).first { $0.text("name") == name }
        return try #require(found)
    }

    @Test(arguments: [false, true])
    func an_object_that_two_contexts_write_anew_is_a_conflict(isDeleted: Bool) throws {
        let policy = Interrupted(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        contexts[0].mergePolicy = policy
        contexts[1].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let first = try find("ann", "Person", 0)
        let second = try find("ann", "Person", 1)
        let tag = try find("x", "Tag", 1)
        second.setValue(Set([tag]), forKey: "tags")
        second.setValue("second", forKey: "name")
        if isDeleted {
            contexts[0].delete(first)
        } else {
            first.setValue("first", forKey: "name")
        }
        contexts[2].delete(try find("ann", "Person", 2))
        try contexts[2].save()
        let writer = contexts[1]
        if isDeleted {
            // Both know that it is gone, but for the change of another one.
            let b = try find("B", "Department", 0)
            b.setValue("b", forKey: "name")
            try find("B", "Department", 2).setValue("bb", forKey: "name")
            try contexts[2].save()
        }
        policy.interruption = { try writer.save() }
        try contexts[0].save()
        #expect(policy.interruption == nil)
        try stack.reopenChecked()
        let people = try stack.context.all("Person").map { $0.text("name") }
        #expect(people == (isDeleted ? [] : ["first"]))
        let tags = try stack.context.all("Tag").map { $0.names("people") }
        #expect(tags == [isDeleted ? [] : ["first"]])
    }

    /// Others make the same change while the context has taken half of its own back.
    @Test(arguments: [false, true]) func a_member_that_was_added_and_taken_out(isDeleted: Bool)
        throws
    {
        let ann = try find("ann", "Person", 0)
        let b = try find("B", "Department", 0)
        ann.setValue(b, forKey: "department")
        try find("ann", "Person", 1).setValue(try find("B", "Department", 1), forKey: "department")
        try contexts[1].save()
        contexts[0].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        contexts[0].refresh(ann, mergeChanges: true)
        if isDeleted { contexts[0].delete(ann) } else { ann.setValue(nil, forKey: "department") }
        try contexts[0].save()
        try stack.reopenChecked()
        let members = try stack.context.all("Department").flatMap { $0.names("employees") }
        #expect(members == [])
    }

    @Test func a_member_that_was_taken_out_and_added_again() throws {
        let ann = try find("ann", "Person", 0)
        let a = try find("A", "Department", 0)
        ann.setValue(nil, forKey: "department")
        try find("ann", "Person", 1).setValue(nil, forKey: "department")
        try contexts[1].save()
        contexts[0].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        contexts[0].refresh(ann, mergeChanges: true)
        ann.setValue(a, forKey: "department")
        try contexts[0].save()
        try stack.reopenChecked()
        let members = try stack.context.all("Department").map { $0.names("employees") }
        #expect(members == [["ann"], []])
    }
}
