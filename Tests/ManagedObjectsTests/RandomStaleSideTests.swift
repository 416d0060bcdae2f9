// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Three contexts that never merge, so that each has read its objects at other times.
@Suite(.inBothPlaces) struct RandomStaleSideTests {
    private static let policies: [NSMergePolicy] = [
        .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func three_contexts_agree_in_the_file(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<20 {
            let stack = try Stack(PeopleModel.make())
            for name in ["a", "b", "c"] {
                let department = stack.context.make("Department", ["name": name])
                for index in 0..<2 {
                    let person = stack.context.make("Person", ["name": "\(name)\(index)"])
                    person.setValue(department, forKey: "department")
                }
            }
            try stack.context.save()
            let contexts = (0..<3).map { _ in stack.container.newBackgroundContext() }
            var held: [NSManagedObject] = []
            for context in contexts {
                context.mergePolicy = Self.policies.randomElement(using: &random) ?? .overwrite
                held += try context.all("Person")
                for person in held { _ = person.text("name") }
            }
            for _ in 0..<40 {
                let context = try #require(contexts.randomElement(using: &random))
                if random.chance(0.3) { try context.save() } else { try change(context, &random) }
            }
            for context in contexts { try context.save() }
            #expect(throws: Never.self, "seed \(seed), round \(round)") {
                try stack.reopenChecked()
            }
            withExtendedLifetime(held) {}
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func threads_agree_in_the_file_with_a_child_among_them(_ seed: UInt64) throws {
        let stack = try Stack(PeopleModel.make())
        for name in ["a", "b", "c", "d"] {
            let department = stack.context.make("Department", ["name": name])
            for _ in 0..<4 {
                stack.context.make("Person").setValue(department, forKey: "department")
            }
        }
        try stack.context.save()
        let contexts = (0..<4).map { number in
            let root = stack.container.newBackgroundContext()
            let context = number == 3 ? Stack.child(of: root) : root
            for each in [root, context] {
                each.automaticallyMergesChangesFromParent = true
                each.mergePolicy = Self.policies[(number + Int(seed)) % 4]
            }
            return context
        }
        let threads = contexts.enumerated().map { number, context in
            // SAFETY: the thread uses it within `performAndWait` alone.
            nonisolated(unsafe) let context = context
            return OtherThread { [self] in work(in: context, seed * 10 + UInt64(number)) }
        }
        for thread in threads { thread.join() }
        for context in contexts { context.performAndWait { save(context) } }
        try stack.reading { context in
            for person in try context.all("Person") {
                let department = person.one("department")
                #expect(department?.many("employees").contains(person) != false)
            }
            for department in try context.all("Department") {
                for person in department.many("employees") {
                    #expect(person.one("department") === department)
                }
            }
        }
        try stack.reopenChecked()
    }

    private func work(in context: NSManagedObjectContext, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            context.performAndWait {
                #expect(throws: Never.self) { try change(context, &random) }
                if random.chance(0.4) { save(context) }
            }
        }
    }

    /// Saves a context and its parent, or drops what cannot be saved: others may have changed too
    /// much of it meanwhile.
    private func save(_ context: NSManagedObjectContext) {
        do {
            try context.save()
            try context.parent?.performAndWait { try context.parent?.save() }
        } catch {
            #expect((error as NSError).code == 134050)
            context.rollback()
            context.parent?.performAndWait { context.parent?.rollback() }
        }
    }

    private func change(
        _ context: NSManagedObjectContext, _ random: inout SeededGenerator
    ) throws {
        let department = try context.all("Department").randomElement(using: &random)
        let person = try context.all("Person").filter { !$0.isDeleted }
            .randomElement(using: &random)
        guard let department, let person else { return }
        let members = department.mutableSetValue(forKey: "employees")
        switch Int.random(in: 0..<8, using: &random) {
        case 0: context.make("Person", ["name": "new"]).setValue(department, forKey: "department")
        case 1: context.make("Department", ["name": "new"])
        case 2: person.setValue(nil, forKey: "department")
        case 3: person.setValue(department, forKey: "department")
        case 4: members.add(person)
        case 5: members.remove(person)
        case 6: context.delete(person)
        default: context.delete(department)
        }
    }
}
