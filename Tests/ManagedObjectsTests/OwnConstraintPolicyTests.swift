// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A program's own policy that adjusts the stored object of a collision after calling super.
@Suite(.inBothPlaces) struct OwnConstraintPolicyTests {
    /// Keeps the larger age, whichever side has it.
    // SAFETY: one thread alone uses it.
    private final class GreatestAge: NSMergePolicy, @unchecked Sendable {
        private(set) var calls = 0

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            calls += 1
            let wanted = list.map { conflict in
                let ages = conflict.conflictingObjects.map { $0.number("age") }
                let stored = conflict.databaseSnapshot?["age"] as? Int ?? 0
                return (conflict.databaseObject, ages.reduce(stored, max))
            }
            try super.resolve(constraintConflicts: list)
            for (stored, age) in wanted {
                #expect(stored?.managedObjectContext != nil)
                stored?.setValue(age, forKey: "age")
            }
        }
    }

    private func people() throws -> Stack {
        let person = Build.entity(
            "Person",
            [Build.attribute("name"), Build.attribute("age", .integer32AttributeType, default: 0)])
        person.uniquenessConstraints = [["name"]]
        return try Stack(Build.model(person))
    }

    private func ages(_ stack: Stack) throws -> [Int] {
        try stack.reading { context in
            try context.all("Person").map { $0.number("age") }.sorted()
        }
    }

    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType,
        .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
        .rollbackMergePolicyType,
    ])
    func what_it_sets_is_saved_where_the_context_did_not_know_the_row(
        _ type: NSMergePolicyType
    ) throws {
        let stack = try people()
        let old = stack.context.make("Person", ["name": "Ann", "age": 5])
        stack.context.make("Person", ["name": "Bob", "age": 1])
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        let policy = GreatestAge(merge: type)
        context.mergePolicy = policy
        let ann = context.make("Person", ["name": "Ann", "age": 3])
        let bob = context.make("Person", ["name": "Bob", "age": 9])
        try context.save()
        #expect(try ages(stack) == [5, 9])
        #expect(ann.number("age") == 5 && bob.number("age") == 9)
        #expect(ann.objectID == old.objectID && ann.managedObjectContext === context)
        #expect(policy.calls == 1 && !context.hasChanges)
    }

    @Test func what_it_sets_is_saved_where_the_context_knew_the_row() throws {
        let stack = try people()
        let old = stack.context.make("Person", ["name": "Ann", "age": 5])
        try stack.context.save()
        stack.context.mergePolicy = GreatestAge(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let new = stack.context.make("Person", ["name": "Ann", "age": 3])
        try stack.context.save()
        #expect(try ages(stack) == [5])
        #expect(old.number("age") == 5 && new.managedObjectContext == nil)
    }

    /// What a policy deletes after calling super does not come back as the new instance.
    @Test func a_row_that_it_deletes_is_gone() throws {
        // SAFETY: it has no state.
        final class Deleting: NSMergePolicy, @unchecked Sendable {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                try super.resolve(constraintConflicts: list)
                for conflict in list {
                    guard let stored = conflict.databaseObject else { continue }
                    stored.managedObjectContext?.delete(stored)
                }
            }
        }
        let stack = try people()
        stack.context.make("Person", ["name": "Ann", "age": 5])
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        context.mergePolicy = Deleting(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let new = context.make("Person", ["name": "Ann", "age": 3])
        try context.save()
        #expect(try ages(stack) == [])
        #expect(new.managedObjectContext == nil && !context.hasChanges)
    }
}
