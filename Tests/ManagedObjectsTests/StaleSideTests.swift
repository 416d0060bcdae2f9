// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Relationships of which one side was read before others changed them, and the other side after.
@Suite(.inBothPlaces) struct StaleSideTests {
    /// A person that is kept as it was read, before another context changed it.
    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext
        let person: NSManagedObject

        var context: NSManagedObjectContext { stack.context }

        init(department: String?, policy: NSMergePolicy = .error) throws {
            stack = try Stack(PeopleModel.make())
            for name in ["a", "b"] {
                stack.context.make("Department", ["name": name])
                stack.context.make("Passport", ["name": name])
            }
            person = stack.context.make("Person", ["name": "p"])
            if let department {
                for (entity, key) in [("Department", "department"), ("Passport", "passport")] {
                    person.setValue(try stack.context.named(department, entity), forKey: key)
                }
            }
            try stack.context.save()
            stack.context.refreshAllObjects()
            _ = (person.one("department"), person.one("passport"), person.text("name"))
            other = stack.container.newBackgroundContext()
            stack.context.mergePolicy = policy
        }

        /// Moves the person elsewhere in the other context.
        func move(to name: String?) throws {
            let theirs = try other.existingObject(with: person.objectID)
            for (entity, key) in [("Department", "department"), ("Passport", "passport")] {
                theirs.setValue(try name.flatMap { try other.named($0, entity) }, forKey: key)
            }
            try other.save()
        }

        func department(_ name: String) throws -> NSManagedObject {
            try #require(try context.named(name, "Department"))
        }

        /// Who is where by each side of both relationships, in a new context.
        func stored() throws -> [String] {
            try stack.reading { context in
                let people = try context.all("Person").map {
                    "\($0.text("name")): \($0.one("department")?.text("name") ?? "none"), "
                        + "\($0.one("passport")?.text("name") ?? "none")"
                }
                let departments = try context.all("Department")
                    .flatMap { department in
                        department.names("employees").map { "\(department.text("name")): \($0)" }
                    }
                let passports = try context.all("Passport").compactMap { passport in
                    passport.one("holder").map { "\(passport.text("name")): \($0.text("name"))" }
                }
                return people + departments.sorted() + passports.sorted()
            }
        }
    }

    /// A change that its own deletion has taken back again is no reason to keep the stale side.
    @Test(arguments: MergePolicyTests.Policy.allCases)
    func a_holder_without_a_net_change_loses_what_another_one_takes(
        _ policy: MergePolicyTests.Policy
    ) throws {
        let scene = try Scene(department: nil, policy: policy.policy)
        let (stack, context) = (scene.stack, scene.context)
        let tag = context.make("Tag", ["name": "t"])
        let taker = context.make("Person", ["name": "q"])
        try context.save()
        scene.person.mutableSetValue(forKey: "tags").add(tag)
        try scene.move(to: "a")
        taker.setValue(try context.named("a", "Passport"), forKey: "passport")
        context.delete(tag)
        try context.save()
        let stored = try scene.stored()
        // Overwriting writes all that the holder knows, and so takes it out of the department.
        #expect(
            stored
                == (policy == .overwrite
                    ? ["p: none, none", "q: none, a", "a: q"]
                    : ["p: a, none", "q: none, a", "a: p", "a: q"]))
        try stack.reopenChecked()
    }

    @Test func a_member_that_others_have_moved_away_comes_back() throws {
        let scene = try Scene(department: "a")
        try scene.move(to: "b")
        let a = try scene.department("a")
        #expect(a.names("employees") == [])
        a.mutableSetValue(forKey: "employees").add(scene.person)
        try #require(try scene.context.named("a", "Passport"))
            .setValue(scene.person, forKey: "holder")
        try scene.context.save()
        #expect(try scene.stored() == ["p: a, a", "a: p", "a: p"])
        #expect(scene.person.one("department") === a)
        try scene.stack.reopenChecked()
    }

    @Test(arguments: [false, true], [nil, "b"])
    func an_owner_that_is_set_to_what_it_was_is_no_change(
        _ isRead: Bool, _ between: String?
    ) throws {
        let scene = try Scene(department: "a")
        try scene.move(to: "b")
        // Moves the context to what the other one has saved; the person stays as it is.
        let a = try scene.department("a")
        if isRead { #expect(a.names("employees") == []) }
        let next = try between.map { try scene.department($0) }
        scene.person.setValue(next, forKey: "department")
        scene.person.setValue(a, forKey: "department")
        // Something to save.
        scene.context.make("Department", ["name": "c"])
        try scene.context.save()
        let stored = try scene.stored()
        #expect(stored == ["p: b, b", "b: p", "b: p"])
        try scene.stack.reopenChecked()
    }

    @Test func a_member_that_others_have_added_is_taken_out() throws {
        let scene = try Scene(department: nil)
        try scene.move(to: "b")
        let b = try scene.department("b")
        #expect(b.names("employees") == ["p"])
        b.mutableSetValue(forKey: "employees").remove(scene.person)
        try #require(try scene.context.named("b", "Passport")).setValue(nil, forKey: "holder")
        try scene.context.save()
        #expect(try scene.stored() == ["p: none, none"])
        try scene.stack.reopenChecked()
    }

    @Test func the_owner_that_others_have_given_is_deleted() throws {
        let scene = try Scene(department: nil)
        try scene.move(to: "b")
        scene.context.delete(try scene.department("b"))
        scene.context.delete(try #require(try scene.context.named("b", "Passport")))
        try scene.context.save()
        #expect(try scene.stored() == ["p: none, none"])
        try scene.stack.reopenChecked()
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func the_owner_is_deleted_of_a_member_with_changes_that_cancel_out(
        _ policy: MergePolicyTests.Policy
    ) throws {
        let scene = try Scene(department: nil, policy: policy.policy)
        let tag = scene.context.make("Tag", ["name": "t"])
        try scene.context.save()
        try scene.move(to: "b")
        // Added and gone with the tag: nothing of the person is left to save.
        scene.person.mutableSetValue(forKey: "tags").add(tag)
        scene.context.processPendingChanges()
        scene.context.delete(try scene.department("b"))
        scene.context.delete(try #require(try scene.context.named("b", "Passport")))
        scene.context.delete(tag)
        try scene.context.save()
        #expect(try scene.stored() == ["p: none, none"])
        try scene.stack.reopenChecked()
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func a_member_that_others_have_deleted_is_added(_ policy: MergePolicyTests.Policy) throws {
        let scene = try Scene(department: "a")
        scene.context.mergePolicy = policy.policy
        try scene.move(to: "b")
        let theirs = try scene.other.existingObject(with: scene.person.objectID)
        scene.other.delete(theirs)
        try scene.other.save()
        let a = try scene.department("a")
        a.mutableSetValue(forKey: "employees").add(scene.person)
        let isKept = [.objectTrump, .overwrite].contains(policy)
        try scene.context.save()
        #expect(try scene.stored().contains("a: p") == isKept)
        try scene.stack.reopenChecked()
    }

    @Test func a_member_that_others_have_deleted_is_a_conflict_under_the_error_policy() throws {
        let scene = try Scene(department: "a")
        scene.other.delete(try scene.other.existingObject(with: scene.person.objectID))
        try scene.other.save()
        let a = try scene.department("a")
        a.mutableSetValue(forKey: "employees").add(scene.person)
        #expect(code { try scene.context.save() } == 133020)
        scene.context.rollback()
        try scene.context.save()
        #expect(try scene.stored() == [])
        try scene.stack.reopenChecked()
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func a_deletion_of_a_changed_owner_is_taken_back(_ policy: NSMergePolicy) throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let owner = stack.context.make("Department", ["name": "d"])
        stack.context.make("Person", ["name": "p"]).setValue(owner, forKey: "department")
        try stack.context.save()
        stack.context.mergePolicy = policy
        let other = stack.container.newBackgroundContext()
        let theirs = try other.existingObject(with: owner.objectID)
        stack.context.make("Person", ["name": "new"]).setValue(owner, forKey: "department")
        stack.context.delete(owner)
        other.make("Person", ["name": "late"]).setValue(theirs, forKey: "department")
        try other.save()
        try stack.context.save()
        try stack.reading { context in
            let owner = try #require(try context.all("Department").first)
            let people = try context.all("Person").filter { $0.one("department") != nil }
            #expect(owner.many("employees") == Set(people))
            #expect(owner.names("employees").contains("late"))
        }
        try stack.reopenChecked()
    }

    @Test(arguments: [false, true])
    func a_change_that_is_refreshed_onto_others_takes_the_other_side_along(
        _ isAll: Bool
    ) throws {
        // The former owner was changed by both; it is not refreshed in one of the cases.
        let scene = try Scene(department: "a", policy: .mergeByPropertyObjectTrump)
        let (a, b) = (try scene.department("a"), try scene.department("b"))
        #expect(a.names("employees") == ["p"] && b.names("employees") == [])
        scene.person.setValue(nil, forKey: "department")
        scene.person.setValue(nil, forKey: "passport")
        try scene.move(to: "b")
        if isAll {
            scene.context.refreshAllObjects()
        } else {
            scene.context.refresh(scene.person, mergeChanges: true)
        }
        #expect(scene.person.one("department") == nil && b.names("employees") == [])
        try scene.context.save()
        #expect(try scene.stored() == ["p: none, none"])
        try scene.stack.reopenChecked()
    }

    @Test func a_member_that_is_refreshed_onto_its_new_owner_moves() throws {
        let scene = try Scene(department: nil)
        let (a, b) = (try scene.department("a"), try scene.department("b"))
        #expect(a.names("employees") == [] && b.names("employees") == [])
        a.mutableSetValue(forKey: "employees").add(scene.person)
        try scene.move(to: "b")
        scene.context.refresh(scene.person, mergeChanges: true)
        try scene.context.save()
        #expect(try scene.stored() == ["p: a, b", "a: p", "b: p"])
        try scene.stack.reopenChecked()
    }

    @Test func a_record_written_anew_is_newer_than_all_that_others_know() throws {
        let scene = try Scene(department: "a", policy: .overwrite)
        let second = scene.stack.container.newBackgroundContext()
        // The other context knows a later version than this one.
        let theirs = try scene.other.existingObject(with: scene.person.objectID)
        theirs.setValue(7, forKey: "age")
        try scene.other.save()
        second.delete(try second.existingObject(with: scene.person.objectID))
        try second.save()
        scene.person.setValue(8, forKey: "age")
        try scene.context.save()
        #expect(theirs.number("age") == 7)
        theirs.setValue(9, forKey: "age")
        #expect(code { try scene.other.save() } == 133020)
    }

    /// The owner itself has no change, so no conflict names it.
    @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func an_owner_that_has_read_its_members_loses_one_that_a_policy_lets_go(
        _ policy: NSMergePolicy
    ) throws {
        let scene = try Scene(department: "a", policy: policy)
        let (a, tag) = (try scene.department("a"), scene.context.make("Tag", ["name": "t"]))
        scene.context.make("Person", ["name": "q", "department": a])
        scene.person.mutableSetValue(forKey: "tags").add(tag)
        try scene.context.save()
        let passport = try #require(try scene.context.named("a", "Passport"))
        #expect(passport.one("holder") === scene.person)
        #expect(a.names("employees") == ["p", "q"] && tag.names("people") == ["p"])
        scene.other.refreshAllObjects()
        scene.other.delete(try scene.other.existingObject(with: scene.person.objectID))
        try scene.other.save()
        scene.person.setValue("mine", forKey: "name")
        try scene.context.save()
        #expect(scene.person.managedObjectContext == nil)
        #expect(a.many("employees").count == 1 && tag.many("people").isEmpty)
        #expect(a.names("employees") == ["q"] && passport.one("holder") == nil)
        #expect(!scene.context.hasChanges)
        try scene.stack.reopenChecked()
    }
}
