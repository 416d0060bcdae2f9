// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Keeps the greatest age, and the longest name of two rows.
final class GreatestAgePolicy: NSMergePolicy, @unchecked Sendable {
    // What it counts is read after the save only.
    private(set) var conflictCount = 0

    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        conflictCount += list.count
        let ages = list.map { conflict in
            max(
                conflict.objectSnapshot?["age"] as? Int ?? 0,
                conflict.persistedSnapshot?["age"] as? Int
                    ?? conflict.cachedSnapshot?["age"] as? Int ?? 0)
        }
        try super.resolve(optimisticLockingConflicts: list)
        for (conflict, age) in zip(list, ages) {
            conflict.sourceObject.setValue(age, forKey: "age")
        }
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard list.allSatisfy({ $0.databaseObject != nil }) else {
            return try super.resolve(constraintConflicts: list)
        }
        try super.resolve(constraintConflicts: list)
    }
}

@Suite struct MergePolicyTests {
    @Test func of_one_s_own() throws {
        let container = NSPersistentContainer.inMemory()
        let context = container.viewContext
        let policy = GreatestAgePolicy()
        context.mergePolicy = policy
        let author = Author(context: context)
        author.age = 3
        try context.save()
        let other = container.newBackgroundContext()
        try other.performAndWait {
            (other.object(with: author.objectID) as? Author)?.age = 9
            try other.save()
        }
        author.age = 5
        author.name = "Ann"
        try context.save()
        #expect(author.age == 9 && author.name == "Ann")
        #expect(policy.conflictCount == 1)
        #expect((context.mergePolicy as? NSMergePolicy) === policy)
    }
}
