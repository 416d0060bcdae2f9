// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Objects that a context found to be gone, and whose records others write anew.
@Suite(.inBothPlaces) struct WrittenAnewTests {
    /// An object that one context deletes and another one writes anew with its changes.
    private struct Scene {
        let stack: Stack
        /// The one that finds it gone.
        let context: NSManagedObjectContext
        /// The one that writes it anew.
        let other: NSManagedObjectContext
        /// The object in there.
        let anew: NSManagedObject

        /// Saves people, a department "d" and a tag "t".
        init(
            losing entity: String, people: [String], _ rule: NSDeleteRule = .nullifyDeleteRule
        ) throws {
            stack = try Stack(PeopleModel.make(employeesRule: rule))
            for name in people { stack.context.make("Person", ["name": name]) }
            stack.context.make("Department", ["name": "d"])
            stack.context.make("Tag", ["name": "t"])
            try stack.context.save()
            context = stack.container.newBackgroundContext()
            other = stack.container.newBackgroundContext()
            other.mergePolicy = NSMergePolicy.overwrite
            anew = try #require(try other.all(entity).first)
            _ = anew.text("name")
        }

        /// Deletes the object in a context that the others do not hear.
        func lose() throws {
            stack.context.delete(try stack.context.existingObject(with: anew.objectID))
            try stack.context.save()
        }
    }

    @Test func links_from_a_child_to_a_lost_object_stay_once_others_have_written_it_anew() throws {
        let scene = try Scene(losing: "Department", people: ["p"])
        let (stack, parent) = (scene.stack, scene.context)
        parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = Stack.child(of: parent)
        let theirs = try child.existingObject(with: scene.anew.objectID)
        let person = try #require(try child.named("p", "Person"))
        scene.anew.setValue("e", forKey: "name")
        try scene.lose()
        // The parent cannot read it any more, and gets it from the child.
        parent.reset()
        person.setValue(theirs, forKey: "department")
        try child.save()
        try scene.other.save()
        let ids = [NSUpdatedObjectIDsKey: [theirs.objectID]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [parent])
        #expect(try parent.named("p", "Person")?.one("department")?.isDeleted == false)
        try parent.save()
        try stack.reading { context in
            #expect(try context.all("Department").map { $0.names("employees") } == [["p"]])
            let stored = try #require(try context.named("p", "Person"))
            #expect(stored.one("department")?.objectID == theirs.objectID)
        }
        try stack.reopenChecked()
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func what_others_have_written_anew_conflicts_with_what_a_child_has_pushed(
        _ policy: MergePolicyTests.Policy
    ) throws {
        let scene = try Scene(losing: "Department", people: ["p", "q"])
        let (stack, parent, other) = (scene.stack, scene.context, scene.other)
        let child = Stack.child(of: parent)
        let theirs = try child.existingObject(with: scene.anew.objectID)
        #expect(theirs.text("name") == "d")
        scene.anew.mutableSetValue(forKey: "employees")
            .add(try #require(try other.named("q", "Person")))
        try scene.lose()
        parent.reset()
        theirs.mutableSetValue(forKey: "employees")
            .add(try #require(try child.named("p", "Person")))
        theirs.setValue("e", forKey: "name")
        try child.save()
        try other.save()
        // Moves the parent to the newest state.
        #expect(try parent.count("Person") == 2)
        parent.mergePolicy = NSMergePolicy.error
        #expect(code { try parent.save() } == 133020)
        parent.mergePolicy = policy.policy
        try parent.save()
        let (name, members) =
            switch policy {
            case .rollback: ("d", ["q"])
            case .storeTrump: ("d", ["p", "q"])
            case .objectTrump, .overwrite: ("e", ["p", "q"])
            }
        try stack.reading { context in
            let stored = try #require(try context.all("Department").first)
            #expect(stored.text("name") == name)
            #expect(stored.names("employees") == members)
        }
        try stack.reopenChecked()
    }

    @Test(arguments: [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func delete_rules_are_for_members_that_others_have_written_anew(_ rule: NSDeleteRule) throws {
        let scene = try Scene(losing: "Person", people: ["p"], rule)
        let (stack, context) = (scene.stack, scene.context)
        context.mergePolicy = NSMergePolicy.overwrite
        let lost = context.object(with: scene.anew.objectID)
        let department = try #require(try scene.other.named("d", "Department"))
        scene.anew.setValue(department, forKey: "department")
        try scene.lose()
        #expect(lost.text("name") == "-" && lost.isDeleted)
        let owner = try context.existingObject(with: department.objectID)
        context.delete(owner)
        context.processPendingChanges()
        try scene.other.save()
        try context.save()
        let stored = try stack.reading { context in
            try context.all("Person").map { $0.one("department") == nil }
        }
        #expect(stored == (rule == .cascadeDeleteRule ? [] : [true]))
        try stack.reopenChecked()
    }

    @Test(arguments: ["fetch", "ID", "existing"])
    func a_fetch_reads_a_lost_object_that_others_have_written_anew(_ way: String) throws {
        let scene = try Scene(losing: "Person", people: ["p"])
        let context = scene.context
        let lost = context.object(with: scene.anew.objectID)
        scene.anew.setValue("q", forKey: "name")
        try scene.lose()
        #expect(lost.text("name") == "-" && lost.isDeleted)
        try scene.other.save()
        switch way {
        case "fetch": #expect(try context.all("Person") == [lost])
        case "ID":
            #expect(try context.all("Person", NSPredicate(format: "self == %@", lost)) == [lost])
        default: #expect(try context.existingObject(with: lost.objectID) === lost)
        }
        #expect(lost.text("name") == "q" && !lost.isDeleted && !context.hasChanges)
    }

    @Test func a_relationship_leads_to_a_lost_object_that_others_have_written_anew() throws {
        let scene = try Scene(losing: "Person", people: ["p"])
        let context = scene.context
        let lost = context.object(with: scene.anew.objectID)
        scene.anew.setValue(try scene.other.named("d", "Department"), forKey: "department")
        try scene.lose()
        #expect(lost.text("name") == "-" && lost.isDeleted)
        try scene.other.save()
        let department = try #require(try context.named("d", "Department"))
        #expect(department.many("employees") == [lost])
        #expect(department.names("employees") == ["p"] && !lost.isDeleted)
        #expect(lost.one("department") === department && !context.hasChanges)
    }

    @Test func what_others_have_written_anew_is_deleted_with_its_links() throws {
        let scene = try Scene(losing: "Tag", people: ["p"])
        let (stack, parent, other) = (scene.stack, scene.context, scene.other)
        parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = Stack.child(of: parent)
        let theirs = try child.existingObject(with: scene.anew.objectID)
        scene.anew.setValue("u", forKey: "name")
        try #require(try other.named("p", "Person")).mutableSetValue(forKey: "tags")
            .add(scene.anew)
        try scene.lose()
        // The parent finds nothing to delete, until the other has written it.
        child.delete(theirs)
        try child.save()
        try other.save()
        #expect(try parent.count("Person") == 1)
        try parent.save()
        try stack.reading { context in
            #expect(try context.count("Tag") == 0)
            let person = try #require(try context.named("p", "Person"))
            #expect(person.names("tags") == [])
        }
        try stack.reopenChecked()
    }
}
