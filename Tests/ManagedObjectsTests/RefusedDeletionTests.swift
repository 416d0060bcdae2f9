// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Deletions that a merge policy takes back, as others have changed the objects: what the delete
/// rules did on the way is taken back with them.
@Suite(.inBothPlaces) struct RefusedDeletionTests {
    typealias Policy = MergePolicyTests.Policy

    static let policies: [Policy] = [.storeTrump, .rollback]
    static let rules: [NSDeleteRule] = [
        .cascadeDeleteRule, .nullifyDeleteRule, .noActionDeleteRule,
    ]

    /// Owners of parts; objects are settled in the order of their entities' names.
    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext
        let owner: NSManagedObject
        let second: NSManagedObject
        let part: NSManagedObject

        var context: NSManagedObjectContext { stack.context }

        init(_ policy: Policy, _ rule: NSDeleteRule, ownerFirst: Bool) throws {
            let names = ownerFirst ? ("Alpha", "Beta") : ("Beta", "Alpha")
            let owners = Build.entity(names.0, [Build.attribute("name")])
            let parts = Build.entity(names.1, [Build.attribute("name")])
            Build.inverse(
                Build.relationship("parts", of: owners, to: parts, max: 0, rule: rule),
                Build.relationship("owner", of: parts, to: owners, max: 1))
            stack = try Stack(Build.model(owners, parts))
            owner = stack.context.make(names.0, ["name": "d"])
            second = stack.context.make(names.0, ["name": "d2"])
            part = stack.context.make(names.1, ["name": "e", "owner": owner])
            try stack.context.save()
            stack.context.mergePolicy = policy.policy
            other = stack.container.newBackgroundContext()
            for object in [owner, second, part] { _ = object.text("name") }
        }

        func theirs(_ object: NSManagedObject) throws -> NSManagedObject {
            try other.existingObject(with: object.objectID)
        }

        /// Each owner with its parts, from both sides.
        func stored() throws -> [String] {
            try stack.reading { context in
                try [owner, second].map { owner in
                    let found = try context.existingObject(with: owner.objectID)
                    return "\(found.text("name")): \(found.names("parts"))"
                }
                    + [context.existingObject(with: part.objectID)].map { part in
                        "\(part.text("name")) of \(part.one("owner")?.text("name") ?? "-")"
                    }
            }
        }
    }

    @Test(arguments: rules, [true, false])
    func an_owner_and_a_part_that_others_renamed(_ rule: NSDeleteRule, ownerFirst: Bool) throws {
        for policy in Self.policies {
            let scene = try Scene(policy, rule, ownerFirst: ownerFirst)
            scene.context.delete(scene.owner)
            scene.context.processPendingChanges()
            try scene.theirs(scene.owner).setValue("D", forKey: "name")
            try scene.theirs(scene.part).setValue("E", forKey: "name")
            try scene.other.save()
            try scene.context.save()
            #expect(try scene.stored() == ["D: [\"E\"]", "d2: []", "E of D"], "\(policy)")
            // Without an action the part was not changed here, and is what was read.
            let name = rule == .noActionDeleteRule ? "e" : "E"
            #expect(scene.owner.names("parts") == [name], "\(policy)")
            #expect(scene.part.one("owner") === scene.owner, "\(policy)")
            #expect(!scene.context.hasChanges, "\(policy)")
        }
    }

    @Test(arguments: rules, [true, false])
    func a_part_that_others_have_moved(_ rule: NSDeleteRule, ownerFirst: Bool) throws {
        for policy in Self.policies {
            let scene = try Scene(policy, rule, ownerFirst: ownerFirst)
            scene.context.delete(scene.owner)
            scene.context.processPendingChanges()
            try scene.theirs(scene.owner).setValue("D", forKey: "name")
            try scene.theirs(scene.part).setValue(scene.theirs(scene.second), forKey: "owner")
            try scene.other.save()
            try scene.context.save()
            #expect(try scene.stored() == ["D: []", "d2: [\"e\"]", "e of d2"], "\(policy)")
            #expect(scene.owner.names("parts") == [], "\(policy)")
            scene.context.refreshAllObjects()
            #expect(scene.part.one("owner") === scene.second, "\(policy)")
        }
    }

    /// People and passports, of which some are of a sub-entity whose fields stand elsewhere.
    private func passports(_ rule: NSDeleteRule) -> NSManagedObjectModel {
        let person = Build.entity("Person", [Build.attribute("name")])
        let passport = Build.entity("Passport", [Build.attribute("name")])
        let diplomatic = Build.entity(
            "Diplomatic",
            [
                Build.attribute("agency", .integer64AttributeType, default: 0),
                Build.attribute("title"),
            ])
        passport.subentities = [diplomatic]
        Build.inverse(
            Build.relationship("passport", of: person, to: passport, max: 1, rule: rule),
            Build.relationship("holder", of: passport, to: person, max: 1))
        return Build.model(person, passport, diplomatic)
    }

    @Test(arguments: rules, policies)
    func a_passport_that_moved_to_another_person(_ rule: NSDeleteRule, _ policy: Policy) throws {
        let stack = try Stack(passports(rule))
        let people = ["x", "y"].map { stack.context.make("Person", ["name": $0]) }
        let passport = stack.context.make("Passport", ["name": "p", "holder": people[0]])
        try stack.context.save()
        stack.context.mergePolicy = policy.policy
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: people[1].objectID).setValue(
            other.existingObject(with: passport.objectID), forKey: "passport")
        stack.context.delete(people[0])
        stack.context.processPendingChanges()
        try other.save()
        try stack.context.save()
        try stack.reading { context in
            let found = try people.map { try context.existingObject(with: $0.objectID) }
            let stored = try context.existingObject(with: passport.objectID)
            #expect(found[0].one("passport") == nil)
            #expect(found[1].one("passport") === stored)
            #expect(stored.one("holder") === found[1])
        }
    }

    @Test(arguments: rules, policies)
    func a_person_who_got_a_passport_of_another_entity(
        _ rule: NSDeleteRule, _ policy: Policy
    ) throws {
        let stack = try Stack(passports(rule))
        let person = stack.context.make("Person", ["name": "p"])
        let former = stack.context.make("Diplomatic", ["name": "x", "holder": person])
        let plain = stack.context.make("Passport", ["name": "y"])
        try stack.context.save()
        stack.context.mergePolicy = policy.policy
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: person.objectID).setValue(
            other.existingObject(with: plain.objectID), forKey: "passport")
        stack.context.delete(person)
        stack.context.processPendingChanges()
        try other.save()
        try stack.context.save()
        try stack.reading { context in
            let found = try context.existingObject(with: person.objectID)
            let now = try context.existingObject(with: plain.objectID)
            #expect(found.one("passport") === now)
            #expect(now.one("holder") === found)
            #expect(try context.existingObject(with: former.objectID).one("holder") == nil)
        }
    }
}
