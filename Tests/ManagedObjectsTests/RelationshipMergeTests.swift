// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Relationships of objects that two contexts changed: to-many ones merge as additions and
/// removals, and both sides of each stay in step.
@Suite(.inBothPlaces) struct RelationshipMergeTests {
    /// A department with people, seen by two contexts; one saves first, the other one merges.
    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext

        init(_ policy: NSMergePolicy) throws {
            stack = try Stack(PeopleModel.make())
            let context = stack.context
            let departments = ["A", "B", "C"].map { context.make("Department", ["name": $0]) }
            for name in ["ann", "bob", "cid"] {
                context.make("Person", ["name": name, "department": departments[0]])
            }
            for name in ["x", "y", "z"] { context.make("Tag", ["name": name]) }
            try context.save()
            other = stack.container.newBackgroundContext()
            for context in [stack.context, other] {
                for entity in ["Department", "Person", "Tag"] {
                    for object in try context.all(entity) { _ = object.text("name") }
                }
            }
            stack.context.mergePolicy = policy
        }

        var context: NSManagedObjectContext { stack.context }

        func get(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
            for entity in ["Department", "Person", "Tag"] {
                if let found = try context.named(name, entity) { return found }
            }
            throw CocoaError(.fileNoSuchFile)
        }

        func move(_ person: String, to name: String, _ context: NSManagedObjectContext) throws {
            try get(person, context).setValue(get(name, context), forKey: "department")
        }

        /// Who works where, from both sides, as a new context reads it.
        func staff() throws -> [String] {
            let fresh = stack.container.newBackgroundContext()
            var lines: [String] = []
            for department in try fresh.all("Department") {
                let names = department.names("employees")
                lines.append("\(department.text("name")): \(names.joined(separator: " "))")
                let back = try fresh.all("Person").filter { $0.one("department") === department }
                #expect(back.map { $0.text("name") }.sorted() == names)
            }
            return lines.sorted()
        }
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func a_person_moved_by_both(_ policy: MergePolicyTests.Policy) throws {
        let scene = try Scene(policy.policy)
        try scene.move("ann", to: "B", scene.context)
        try scene.move("ann", to: "C", scene.other)
        try scene.other.save()
        try scene.context.save()
        let wins = policy == .objectTrump || policy == .overwrite
        #expect(
            try scene.staff()
                == (wins ? ["A: bob cid", "B: ann", "C: "] : ["A: bob cid", "B: ", "C: ann"]))
        #expect(
            try scene.get("ann", scene.context).one("department")?.text("name")
                == (wins ? "B" : "C"))
        #expect(!scene.context.hasChanges)
    }

    @Test(arguments: [
        NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite,
    ])
    func members_are_merged_as_deltas(_ policy: NSMergePolicy) throws {
        let scene = try Scene(policy)
        try scene.move("ann", to: "B", scene.context)
        try scene.move("bob", to: "C", scene.other)
        try scene.other.save()
        try scene.context.save()
        #expect(try scene.staff() == ["A: cid", "B: ann", "C: bob"])
        #expect(try scene.get("A", scene.context).names("employees") == ["cid"])
    }

    @Test func rollback_takes_all_sides_back() throws {
        let scene = try Scene(.rollback)
        try scene.move("ann", to: "B", scene.context)
        try scene.get("bob", scene.context).setValue("rob", forKey: "name")
        let bob = try #require(try scene.context.named("rob", "Person"))
        try scene.get("ann", scene.other).setValue(33, forKey: "age")
        try scene.other.save()
        try scene.context.save()
        #expect(try scene.staff() == ["A: ann cid rob", "B: ", "C: "])
        #expect(bob.text("name") == "rob")
        #expect(try scene.get("ann", scene.context).number("age") == 33)
        #expect(try scene.get("B", scene.context).names("employees").isEmpty)
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func many_to_many_members(_ policy: MergePolicyTests.Policy) throws {
        let scene = try Scene(policy.policy)
        func set(_ tags: [String], _ context: NSManagedObjectContext) throws {
            let tags = try tags.map { try scene.get($0, context) }
            try scene.get("ann", context).setValue(Set(tags), forKey: "tags")
        }
        try set(["x"], scene.other)
        try scene.other.save()
        scene.context.refreshAllObjects()
        try set(["x", "y"], scene.context)
        try set(["z"], scene.other)
        try scene.other.save()
        try scene.context.save()
        let fresh = scene.stack.container.newBackgroundContext()
        let expected = policy == .rollback ? ["z"] : ["y", "z"]
        #expect(try fresh.named("ann", "Person")?.names("tags") == expected)
        for tag in try fresh.all("Tag") {
            let isExpected = expected.contains(tag.text("name"))
            #expect(tag.names("people") == (isExpected ? ["ann"] : []))
        }
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func an_object_written_anew_gets_its_members_back(_ policy: NSMergePolicy) throws {
        let scene = try Scene(policy)
        let department = try scene.get("A", scene.context)
        #expect(department.names("employees") == ["ann", "bob", "cid"])
        department.setValue("AA", forKey: "name")
        scene.other.delete(try scene.get("cid", scene.other))
        scene.other.delete(try scene.get("A", scene.other))
        try scene.other.save()
        try scene.context.save()
        #expect(try scene.staff() == ["AA: ann bob", "B: ", "C: "])
        #expect(department.names("employees") == ["ann", "bob"])
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func pointers_to_an_object_that_went_are_cleared(_ policy: NSMergePolicy) throws {
        let scene = try Scene(policy)
        let eve = scene.context.make("Person", ["name": "eve"])
        try eve.setValue(scene.get("B", scene.context), forKey: "department")
        scene.other.delete(try scene.get("B", scene.other))
        try scene.other.save()
        try scene.context.save()
        #expect(eve.one("department") == nil)
        #expect(try scene.staff() == ["A: ann bob cid", "C: "])
        #expect(try scene.stack.container.newBackgroundContext().count("Person") == 4)
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func a_deletion_taken_back_restores_relationships(_ policy: NSMergePolicy) throws {
        let scene = try Scene(policy)
        let department = try scene.get("A", scene.context)
        scene.context.delete(department)
        scene.context.processPendingChanges()
        #expect(try scene.get("ann", scene.context).one("department") == nil)
        try scene.get("A", scene.other).setValue("AA", forKey: "name")
        try scene.other.save()
        try scene.context.save()
        #expect(try scene.staff() == ["AA: ann bob cid", "B: ", "C: "])
        #expect(department.text("name") == "AA" && !department.isDeleted)
    }
}
