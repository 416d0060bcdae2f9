// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An object whose deletion deletes its partner.
final class Twin: NSManagedObject {
    override func prepareForDeletion() {
        super.prepareForDeletion()
        if let partner = one("partner") { managedObjectContext?.delete(partner) }
    }
}

/// An object that cannot wait for its deletion.
final class Hasty: NSManagedObject {
    override func prepareForDeletion() {
        super.prepareForDeletion()
        managedObjectContext?.reset()
    }
}

/// The four delete rules, and when they act.
@Suite(.inBothPlaces) struct DeleteRuleTests {
    private func firm(
        _ rule: NSDeleteRule, isDepartmentOptional: Bool = true
    ) throws -> (Stack, NSManagedObject, NSManagedObject) {
        let stack = try Stack(
            PeopleModel.make(employeesRule: rule, isDepartmentOptional: isDepartmentOptional))
        let department = stack.context.make("Department", ["name": "d"])
        let person = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        return (stack, department, person)
    }

    @Test func nullify_acts_when_changes_are_processed() throws {
        let (stack, department, person) = try firm(.nullifyDeleteRule)
        stack.context.delete(department)
        #expect(person.one("department") === department)
        stack.context.processPendingChanges()
        #expect(person.one("department") == nil)
        #expect(person.isUpdated)
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("Ann", "Person")?.one("department") == nil)
        #expect(try stack.context.names("Person", "department == nil") == ["Ann"])
    }

    @Test func nullify_acts_at_the_save_too() throws {
        let (stack, department, _) = try firm(.nullifyDeleteRule)
        stack.context.delete(department)
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("Ann", "Person")?.one("department") == nil)
    }

    @Test func cascade_deletes_along_chains_and_cycles() throws {
        let node = Build.entity("Node", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("next", of: node, to: node, max: 1, rule: .cascadeDeleteRule),
            Build.relationship("previous", of: node, to: node, max: 1))
        let stack = try Stack(Build.model(node))
        let nodes = (0..<50).map { stack.context.make("Node", ["name": "\($0)"]) }
        for index in nodes.indices {
            nodes[index].setValue(nodes[(index + 1) % nodes.count], forKey: "next")
        }
        stack.context.make("Node", ["name": "alone"])
        try stack.context.save()
        stack.context.delete(nodes[7])
        #expect(stack.context.deletedObjects.count == 1)
        stack.context.processPendingChanges()
        #expect(stack.context.deletedObjects.count == 50)
        try stack.context.save()
        #expect(try stack.context.names("Node", "TRUEPREDICATE") == ["alone"])
    }

    @Test func deny_fails_the_save_only() throws {
        let (stack, department, person) = try firm(.denyDeleteRule)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        #expect(department.isDeleted)
        #expect(code { try stack.context.save() } == 1600)
        #expect(department.isDeleted && stack.context.hasChanges)
        stack.context.delete(person)
        try stack.context.save()
        #expect(try stack.context.count("Person") == 0)
        #expect(try stack.context.count("Department") == 0)
    }

    @Test func deny_accepts_a_destination_that_moved_away() throws {
        let (stack, department, person) = try firm(.denyDeleteRule)
        stack.context.delete(department)
        #expect(code { try stack.context.save() } == 1600)
        person.setValue(stack.context.make("Department", ["name": "e"]), forKey: "department")
        try stack.context.save()
        #expect(try stack.context.names("Department", "TRUEPREDICATE") == ["e"])
        #expect(person.one("department")?.text("name") == "e")
    }

    @Test func deny_of_a_deletion_that_was_never_saved() throws {
        let (stack, _, person) = try firm(.denyDeleteRule)
        let fresh = stack.context.make("Department", ["name": "fresh"])
        person.setValue(fresh, forKey: "department")
        stack.context.delete(fresh)
        try stack.context.save()
        #expect(person.one("department") == nil)
        try stack.reopen()
        #expect(try stack.context.names("Person", "department == nil") == ["Ann"])
        #expect(try stack.context.named("d", "Department")?.names("employees") == [])
    }

    @Test func no_action_leaves_the_pointer() throws {
        let (stack, department, person) = try firm(.noActionDeleteRule)
        stack.context.delete(department)
        try stack.context.save()
        #expect(!person.hasChanges)
        try stack.reopen()
        let ann = try #require(try stack.context.named("Ann", "Person"))
        #expect(ann.one("department")?.value(forKey: "name") == nil)
    }

    @Test func no_action_of_a_member_takes_its_link_along() throws {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let tag = Build.entity("Tag", [Build.attribute("name")])
        let tags = Build.relationship(
            "tags", of: owner, to: tag, max: 0, rule: .noActionDeleteRule)
        let one = Build.relationship("owner", of: tag, to: owner, max: 1, rule: .noActionDeleteRule)
        tags.inverseRelationship = one
        one.inverseRelationship = tags
        let stack = try Stack(Build.model(owner, tag))
        let ann = stack.context.make("Owner", ["name": "Ann"])
        for name in ["a", "b", "c"] { stack.context.make("Tag", ["name": name, "owner": ann]) }
        try stack.context.save()
        let first = try #require(try stack.context.named("a", "Tag"))
        stack.context.delete(first)
        try stack.context.save()
        #expect(ann.names("tags") == ["b", "c"])
        stack.context.reset()
        #expect(try stack.context.named("Ann", "Owner")?.names("tags") == ["b", "c"])
        #expect(try stack.context.names("Owner", "tags.@count == 2") == ["Ann"])
        let batch = NSBatchDeleteRequest(
            fetchRequest: {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
                request.predicate = NSPredicate(format: "name == 'b'")
                return request
            }())
        try stack.context.execute(batch)
        stack.context.reset()
        #expect(try stack.context.named("Ann", "Owner")?.names("tags") == ["c"])
        #expect(try stack.context.names("Owner", "tags.@count == 1") == ["Ann"])
    }

    @Test func a_nullified_mandatory_inverse_fails_the_save() throws {
        let (stack, department, person) = try firm(.nullifyDeleteRule, isDepartmentOptional: false)
        stack.context.delete(department)
        #expect(code { try stack.context.save() } == 1570)
        #expect(department.isDeleted && person.isUpdated)
        let other = stack.context.make("Department", ["name": "e"])
        person.setValue(other, forKey: "department")
        try stack.context.save()
        #expect(other.names("employees") == ["Ann"])
    }

    @Test func deleting_both_ends_satisfies_a_mandatory_inverse() throws {
        let (stack, department, person) = try firm(.nullifyDeleteRule, isDepartmentOptional: false)
        stack.context.delete(department)
        stack.context.delete(person)
        try stack.context.save()
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func deleting_members_of_many_to_many() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        let bob = stack.context.make("Person", ["name": "Bob"])
        for name in ["red", "blue"] {
            stack.context.make("Tag", ["name": name, "people": [ann, bob] as Set])
        }
        ann.setValue([bob] as Set, forKey: "friends")
        try stack.context.save()
        stack.context.delete(ann)
        stack.context.delete(try #require(try stack.context.named("red", "Tag")))
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("blue", "Tag")?.names("people") == ["Bob"])
        let read = try #require(try stack.context.named("Bob", "Person"))
        #expect(read.names("tags") == ["blue"])
        #expect(read.names("friends") == [])
    }

    @Test func rollback_undoes_a_cascade() throws {
        let (stack, department, person) = try firm(.cascadeDeleteRule)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        #expect(person.isDeleted)
        stack.context.rollback()
        #expect(!person.isDeleted && !department.isDeleted)
        #expect(department.names("employees") == ["Ann"])
        #expect(person.one("department") === department)
        try stack.context.save()
        #expect(try stack.context.count("Person") == 1)
    }

    @Test func unsaved_members_of_a_cascade_leave_no_trace() throws {
        let (stack, department, _) = try firm(.cascadeDeleteRule)
        let fresh = stack.context.make("Person", ["name": "Bob", "department": department])
        stack.context.delete(department)
        try stack.context.save()
        #expect(fresh.managedObjectContext == nil)
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func deleting_an_unsaved_object_frees_its_partners() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        let bob = stack.context.make("Person", ["name": "Bob", "spouse": ann])
        let tag = stack.context.make("Tag", ["name": "t", "people": [ann, bob] as Set])
        bob.setValue([ann] as Set, forKey: "children")
        stack.context.delete(ann)
        try stack.context.save()
        #expect(bob.one("spouse") == nil && bob.names("children").isEmpty)
        #expect(tag.names("people") == ["Bob"])
        try stack.reopen()
        #expect(try stack.context.named("t", "Tag")?.names("people") == ["Bob"])
        #expect(try stack.context.names("Person", "spouse == nil") == ["Bob"])
    }

    @Test func an_unsaved_destination_without_inverse_that_is_deleted() throws {
        let stack = try Stack(PeopleModel.make())
        let red = stack.context.make("Tag", ["name": "red"])
        let ann = stack.context.make("Person", ["name": "Ann"])
        ann.setValue(red, forKey: "favourite")
        ann.setValue([red] as Set, forKey: "watched")
        stack.context.delete(red)
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("Ann", "Person"))
        #expect(read.one("favourite") == nil)
        #expect(read.many("watched").isEmpty)
        #expect(try stack.context.names("Person", "favourite == nil") == ["Ann"])
    }

    @Test func hooks_that_delete_each_other() throws {
        let twin = Build.entity("Twin", [], class: Twin.self)
        let partner = Build.relationship("partner", of: twin, to: twin, max: 1)
        partner.inverseRelationship = partner
        let stack = try Stack(Build.model(twin))
        let one = stack.context.make("Twin")
        one.setValue(stack.context.make("Twin"), forKey: "partner")
        try stack.context.save()
        #expect(type(of: one) == Twin.self)
        stack.context.delete(one)
        #expect(stack.context.deletedObjects.count == 2)
        try stack.context.save()
        #expect(try stack.context.count("Twin") == 0)
    }

    @Test func a_hook_that_resets_the_context() throws {
        let stack = try Stack(Build.model(Build.entity("Hasty", [], class: Hasty.self)))
        let hasty = stack.context.make("Hasty")
        try stack.context.save()
        #expect(type(of: hasty) == Hasty.self)
        stack.context.delete(hasty)
        #expect(!hasty.isDeleted && !stack.context.hasChanges)
        #expect(try stack.context.count("Hasty") == 1)
    }
}
