// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Unsaved links to objects that are gone.
@Suite(.inBothPlaces) struct LostDestinationTests {
    /// A context that knows an object as a fault, which another context has deleted.
    private struct Scene {
        let stack: Stack
        let context: NSManagedObjectContext
        let lost: NSManagedObject

        init(losing entity: String, isChild: Bool) throws {
            stack = try Stack(PeopleModel.make())
            for entity in ["Department", "Passport", "Person"] {
                for name in ["a", "b"] { stack.context.make(entity, ["name": name]) }
            }
            try stack.context.save()
            let parent = stack.container.newBackgroundContext()
            context = isChild ? Stack.child(of: parent) : parent
            let theirs = try #require(try stack.context.named("a", entity))
            lost = context.object(with: theirs.objectID)
            stack.context.delete(theirs)
            try stack.context.save()
        }

        func save() throws {
            try context.save()
            try context.parent?.save()
        }

        func object(_ name: String, _ entity: String) throws -> NSManagedObject {
            try #require(try context.named(name, entity))
        }

        func stored() throws -> [String] {
            try stack.reading { context in
                try context.all("Person").map {
                    "\($0.text("name")): \($0.one("department")?.objectID.description ?? "none"), "
                        + "\($0.one("passport")?.objectID.description ?? "none")"
                }.sorted()
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func a_link_to_an_object_that_others_have_deleted_is_taken_back(
        _ isChild: Bool, _ isFired: Bool
    ) throws {
        for (entity, key) in [("Department", "department"), ("Passport", "passport")] {
            let scene = try Scene(losing: entity, isChild: isChild)
            let person = try scene.object("a", "Person")
            person.setValue(try scene.object("b", entity), forKey: key)
            try scene.save()
            if isFired { #expect(scene.lost.text("name") == "-") }
            person.setValue(scene.lost, forKey: key)
            scene.context.make("Person", ["name": "new"]).setValue(scene.lost, forKey: key)
            scene.context.processPendingChanges()
            #expect(person.one(key) == nil)
            try scene.save()
            #expect(try scene.stored() == ["a: none, none", "b: none, none", "new: none, none"])
            #expect(scene.context.hasChanges == false)
            try scene.stack.reopenChecked()
        }
    }

    @Test(arguments: [false, true])
    func a_member_that_others_have_deleted_is_taken_out(_ isChild: Bool) throws {
        let scene = try Scene(losing: "Person", isChild: isChild)
        let department = try scene.object("a", "Department")
        let members = department.mutableSetValue(forKey: "employees")
        members.add(scene.lost)
        members.add(try scene.object("b", "Person"))
        try scene.save()
        #expect(department.names("employees") == ["b"])
        let stored = try scene.stack.reading {
            try #require(try $0.named("a", "Department")).names("employees")
        }
        #expect(stored == ["b"])
    }

    @Test(arguments: [false, true])
    func a_lost_object_is_read_again_once_others_have_written_it_anew(_ isChild: Bool) throws {
        let stack = try Stack(PeopleModel.make())
        let person = stack.context.make("Person", ["name": "p"])
        try stack.context.save()
        let parent = stack.container.newBackgroundContext()
        let context = isChild ? Stack.child(of: parent) : parent
        let theirs = context.object(with: person.objectID)
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergePolicy.overwrite
        let kept = try other.existingObject(with: person.objectID)
        kept.setValue("q", forKey: "name")
        stack.context.delete(person)
        try stack.context.save()
        #expect(theirs.text("name") == "-" && theirs.isDeleted)
        try other.save()
        let ids = [NSUpdatedObjectIDsKey: [theirs.objectID]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [context])
        #expect(theirs.text("name") == "q" && !theirs.isDeleted && !context.hasChanges)
        theirs.setValue("r", forKey: "name")
        try context.save()
        try context.parent?.save()
        #expect(try stack.reading { try $0.all("Person").map { $0.text("name") } } == ["r"])
    }

    @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule])
    func delete_rules_are_for_what_is_linked_after_the_deletion_too(_ rule: NSDeleteRule) throws {
        let stack = try Stack(PeopleModel.make(employeesRule: rule))
        let department = stack.context.make("Department", ["name": "d"])
        let people = ["p", "q"].map { stack.context.make("Person", ["name": $0]) }
        try stack.context.save()
        stack.context.delete(department)
        stack.context.processPendingChanges()
        people[0].setValue(department, forKey: "department")
        department.mutableSetValue(forKey: "employees").add(people[1])
        if rule == .denyDeleteRule {
            #expect(code { try stack.context.save() } == 1600)
            stack.context.rollback()
            #expect(people.allSatisfy { $0.one("department") == nil })
            return
        }
        stack.context.processPendingChanges()
        #expect(people.map(\.isDeleted) == Array(repeating: rule == .cascadeDeleteRule, count: 2))
        if rule == .nullifyDeleteRule {
            #expect(people.allSatisfy { $0.one("department") == nil })
        }
        try stack.context.save()
        let stored = try stack.reading { context in
            try context.all("Person").map {
                "\($0.text("name")) \($0.one("department") == nil)"
            }.sorted()
        }
        #expect(stored == (rule == .nullifyDeleteRule ? ["p true", "q true"] : []))
        try stack.reopenChecked()
    }

    @Test func a_member_that_is_deleted_here_is_taken_out() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let person = stack.context.make("Person", ["name": "p"])
        try stack.context.save()
        stack.context.delete(person)
        stack.context.processPendingChanges()
        department.mutableSetValue(forKey: "employees").add(person)
        try stack.context.save()
        #expect(department.names("employees") == [])
        let stored = try stack.reading {
            try #require(try $0.named("d", "Department")).many("employees").count
        }
        #expect(stored == 0)
    }

    @Test func what_a_child_links_to_an_object_deleted_in_its_parent_follows_the_rules() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let passport = stack.context.make("Passport", ["name": "d"])
        let person = stack.context.make("Person", ["name": "p"])
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        let theirs = try child.existingObject(with: person.objectID)
        theirs.setValue(
            try child.existingObject(with: department.objectID), forKey: "department")
        theirs.setValue(try child.existingObject(with: passport.objectID), forKey: "passport")
        theirs.setValue("q", forKey: "name")
        stack.context.delete(department)
        stack.context.delete(passport)
        stack.context.processPendingChanges()
        try child.save()
        #expect(person.one("department") == nil && person.one("passport") == nil)
        try stack.context.save()
        #expect(try stack.reading { try $0.all("Person").map { $0.text("name") } } == ["q"])
        try stack.reopenChecked()
    }

    @Test func what_others_link_to_a_deleted_object_follows_its_rules_after_a_refresh() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let department = stack.context.make("Department", ["name": "d"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let theirs = try other.existingObject(with: department.objectID)
        stack.context.delete(department)
        stack.context.processPendingChanges()
        other.make("Person", ["name": "p"]).setValue(theirs, forKey: "department")
        try other.save()
        stack.context.refreshAllObjects()
        try stack.context.save()
        #expect(try stack.reading { try $0.count("Person") } == 0)
    }

    /// A child's changes of an object that is gone from its parent, and that others write anew
    /// before the parent's save.
    @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .rollback])
    func both_sides_agree_where_two_write_an_object_anew(_ policy: NSMergePolicy) throws {
        let stack = try Stack(PeopleModel.make())
        let departments = ["a", "b"].map { stack.context.make("Department", ["name": $0]) }
        let person = stack.context.make("Person", ["name": "p"])
        person.setValue(departments[0], forKey: "department")
        try stack.context.save()
        let parent = stack.container.newBackgroundContext()
        parent.mergePolicy = policy
        let child = Stack.child(of: parent)
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergePolicy.overwrite
        let ours = try child.existingObject(with: person.objectID)
        let theirs = try other.existingObject(with: person.objectID)
        ours.setValue("q", forKey: "name")
        stack.context.delete(person)
        try stack.context.save()
        try child.save()
        theirs.setValue(
            try other.existingObject(with: departments[1].objectID), forKey: "department")
        try other.save()
        try parent.save()
        let isKept = policy != .rollback
        let stored = try stack.reading { context in
            try context.all("Department").map { "\($0.text("name")): \($0.names("employees"))" }
        }
        #expect(
            stored.sorted() == (isKept ? ["a: [\"q\"]", "b: []"] : ["a: []", "b: [\"p\"]"]))
        try stack.reopenChecked()
    }

    /// A child's clean object whose link the parent has taken back, unsaved, as its end is gone.
    @Test func a_child_learns_which_links_its_parent_has_taken_back() throws {
        let stack = try Stack(PeopleModel.make())
        stack.context.make("Department", ["name": "d"])
        stack.context.make("Person", ["name": "p"])
        try stack.context.save()
        let parent = stack.container.newBackgroundContext()
        let child = Stack.child(of: parent)
        let department = try #require(try child.named("d", "Department"))
        let person = try #require(try child.named("p", "Person"))
        person.setValue(department, forKey: "department")
        try child.save()
        stack.context.delete(try #require(try stack.context.named("d", "Department")))
        try stack.context.save()
        let ids = [NSDeletedObjectIDsKey: [department.objectID]]
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: ids, into: [parent, child])
        #expect(person.one("department") == nil)
        #expect(!child.hasChanges)
    }

    @Test func a_child_learns_what_the_save_of_its_parent_made_of_a_new_object() throws {
        let stack = try Stack(PeopleModel.make())
        stack.context.make("Department", ["name": "d"])
        try stack.context.save()
        let parent = stack.container.newBackgroundContext()
        parent.mergePolicy = NSMergePolicy.rollback
        let child = Stack.child(of: parent)
        let department = try #require(try child.named("d", "Department"))
        let person = child.make("Person", ["name": "p"])
        person.setValue(department, forKey: "department")
        try child.save()
        let theirs = try #require(try stack.context.named("d", "Department"))
        theirs.setValue("e", forKey: "name")
        stack.context.make("Person", ["name": "q"]).setValue(theirs, forKey: "department")
        try stack.context.save()
        let keeper = NotificationKeeper(.NSManagedObjectContextDidSave, parent)
        try parent.save()
        child.mergeChanges(fromContextDidSave: try #require(keeper.last))
        let stored = try stack.reading {
            try #require(try $0.named("p", "Person")).one("department")?.text("name")
        }
        #expect(person.one("department")?.text("name") == stored)
    }
}
