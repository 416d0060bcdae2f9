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
