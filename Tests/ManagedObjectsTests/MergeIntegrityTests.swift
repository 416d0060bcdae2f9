// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Whatever two contexts do and whichever policy decides, both sides of each relationship agree in
/// the file, and none leads to an object that is gone.
@Suite(.inBothPlaces) struct MergeIntegrityTests {
    private static let relationships = [
        ("Person", "department"), ("Person", "passport"), ("Person", "tags"), ("Person", "parent"),
        ("Person", "children"), ("Person", "friends"), ("Person", "spouse"),
        ("Department", "employees"), ("Passport", "holder"), ("Tag", "people"),
    ]

    @Test(arguments: MergePolicyTests.Policy.allCases, [1, 2, 3] as [UInt64])
    func inverses_agree_after_each_merge(
        _ policy: MergePolicyTests.Policy, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<12 {
            let scene = try Scene(policy)
            for _ in 0..<3 {
                for _ in 0..<5 { scene.change(scene.other, &random) }
                for _ in 0..<5 { scene.change(scene.context, &random) }
                // The other one saves first, so the policy decides in the second save.
                try scene.other.save()
                try scene.context.save()
                scene.other.refreshAllObjects()
            }
            let faults = try scene.faults()
            #expect(faults == [], "seed \(random.seed), round \(round), \(policy)")
            if !faults.isEmpty { return }
        }
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func a_deleted_member_of_an_owner_that_others_have_changed(
        _ policy: MergePolicyTests.Policy
    ) throws {
        let scene = try Scene(policy)
        let owner = try #require(try scene.context.named("d0", "Department"))
        let member = try #require(try scene.context.named("p0", "Person"))
        member.setValue(owner, forKey: "department")
        try scene.context.save()
        scene.other.refreshAllObjects()
        let theirs = try scene.other.existingObject(with: owner.objectID)
        let late = NSEntityDescription.insertNewObject(forEntityName: "Person", into: scene.other)
        late.setValue("late", forKey: "name")
        late.setValue(theirs, forKey: "department")
        scene.context.delete(member)
        try scene.other.save()
        try scene.context.save()
        let fresh = scene.stack.container.newBackgroundContext()
        #expect(try fresh.existingObject(with: owner.objectID).names("employees") == ["late"])
        #expect(owner.names("employees") == ["late"])
        #expect(try scene.faults() == [])
    }

    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext

        var context: NSManagedObjectContext { stack.context }

        init(_ policy: MergePolicyTests.Policy) throws {
            stack = try Stack(PeopleModel.make())
            for index in 0..<4 { stack.context.make("Person", ["name": "p\(index)"]) }
            for entity in ["Department", "Passport", "Tag"] {
                for index in 0..<2 {
                    stack.context.make(entity, ["name": "\(entity.lowercased().first!)\(index)"])
                }
            }
            try stack.context.save()
            other = stack.container.newBackgroundContext()
            other.mergePolicy = NSMergePolicy.overwrite
            stack.context.mergePolicy = policy.policy
        }

        /// Deletes an object, inserts one, or changes a relationship of one.
        func change(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) {
            let (entity, key) = relationships.randomElement(using: &random) ?? ("Person", "tags")
            let owners = live(entity, context)
            guard let owner = owners.randomElement(using: &random) else { return }
            if random.chance(0.1) { return context.delete(owner) }
            guard let relationship = owner.entity.relationshipsByName[key] else { return }
            let destination = relationship.destinationEntity?.name ?? ""
            if random.chance(0.1) {
                context.make(destination, ["name": "new"]).setValue("newer", forKey: "name")
            }
            let others = live(destination, context)
            let chosen = others.filter { _ in random.chance(0.4) }
            if relationship.isToMany {
                owner.setValue(Set(chosen), forKey: key)
            } else {
                owner.setValue(chosen.first, forKey: key)
            }
        }

        private func live(
            _ entity: String, _ context: NSManagedObjectContext
        ) -> [NSManagedObject] {
            let all = (try? context.all(entity)) ?? []
            // In an order that each run has.
            return all.filter { !$0.isDeleted }.sorted { uri($0) < uri($1) }
        }

        private func uri(_ object: NSManagedObject) -> String {
            object.objectID.uriRepresentation().absoluteString
        }

        /// What a new context finds wrong.
        func faults() throws -> [String] {
            let fresh = stack.container.newBackgroundContext()
            var result: [String] = []
            for (entity, key) in relationships {
                for owner in try fresh.all(entity) {
                    guard let inverse = owner.entity.relationshipsByName[key]?.inverseRelationship
                    else { continue }
                    for member in members(owner, key) {
                        if (try? fresh.existingObject(with: member.objectID)) == nil {
                            result.append("\(owner.objectID).\(key) leads to nothing")
                        } else if !members(member, inverse.name).contains(owner) {
                            result.append("\(owner.objectID).\(key) and \(inverse.name) differ")
                        }
                    }
                }
            }
            return result
        }

        private func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
            switch object.value(forKey: key) {
            case let set as Set<NSManagedObject>: Array(set)
            case let one as NSManagedObject: [one]
            default: []
            }
        }
    }
}
