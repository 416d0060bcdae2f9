// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Children that know objects which their parent has not saved yet.
@Suite(.inBothPlaces) struct ChildOfUnsavedTests {
    /// A root that has a department and its two employees from the first child, unsaved.
    private struct Family {
        let root: NSManagedObjectContext
        let child: NSManagedObjectContext
        let sibling: NSManagedObjectContext

        init() throws {
            let stack = try Stack(PeopleModel.make())
            root = stack.container.newBackgroundContext()
            child = Stack.child(of: root)
            sibling = Stack.child(of: root)
            let works = child.make("Department", ["name": "Works"])
            child.make("Person", ["name": "Ann", "department": works])
            child.make("Person", ["name": "Bob", "department": works])
            try child.save()
        }

        func works(_ context: NSManagedObjectContext) throws -> NSManagedObject {
            try #require(try context.named("Works", "Department"))
        }

        func person(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
            try #require(try context.named(name, "Person"))
        }
    }

    @Test func a_save_keeps_the_members_that_were_not_read() throws {
        let family = try Family()
        let works = try family.works(family.child)
        family.child.make("Person", ["name": "Cyd", "department": works])
        try family.child.save()
        #expect(works.names("employees") == ["Ann", "Bob", "Cyd"])
        #expect(try family.works(family.root).names("employees") == ["Ann", "Bob", "Cyd"])
        let grandchild = Stack.child(of: family.child)
        #expect(try family.works(grandchild).names("employees") == ["Ann", "Bob", "Cyd"])
    }

    @Test func its_relationships_are_faults_until_they_are_read() throws {
        let family = try Family()
        let works = try family.works(family.sibling)
        #expect(works.hasFault(forRelationshipNamed: "employees"))
        #expect(works.names("employees") == ["Ann", "Bob"])
        #expect(!works.hasFault(forRelationshipNamed: "employees"))
        let other = Stack.child(of: family.root)
        let ann = try family.person("Ann", other)
        #expect(ann.text("name") == "Ann" && ann.hasFault(forRelationshipNamed: "department"))
        let department = try #require(ann.value(forKey: "department") as? NSManagedObject)
        #expect(department.text("name") == "Works")
        #expect(!ann.hasFault(forRelationshipNamed: "department"))
        let made = other.make("Department")
        #expect(!made.hasFault(forRelationshipNamed: "employees"))
    }

    @Test func what_the_parent_changes_before_its_save_is_merged() throws {
        let family = try Family()
        let works = try family.works(family.sibling)
        let ann = try family.person("Ann", family.sibling)
        #expect(works.names("employees") == ["Ann", "Bob"] && ann.number("age") == 18)
        let theirs = try family.person("Ann", family.root)
        theirs.setValue(30, forKey: "age")
        theirs.setValue(nil, forKey: "department")
        let cyd = family.root.make("Person", ["name": "Cyd"])
        cyd.setValue(try family.works(family.root), forKey: "department")
        let recorder = NotificationKeeper(.NSManagedObjectContextDidSave, family.root)
        try family.root.save()
        let merged = NotificationKeeper(
            .NSManagedObjectContextObjectsDidChange, family.sibling)
        family.sibling.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(ann.number("age") == 30 && ann.value(forKey: "department") == nil)
        #expect(works.names("employees") == ["Bob", "Cyd"])
        #expect(!family.sibling.hasChanges)
        let refreshed = merged.last?.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>
        #expect(refreshed == [ann, works])
    }

    @Test func own_changes_stay_on_top_of_what_the_parent_has_changed() throws {
        let family = try Family()
        let ann = try family.person("Ann", family.sibling)
        ann.setValue("Anne", forKey: "name")
        let theirs = try family.person("Ann", family.root)
        theirs.setValue(30, forKey: "age")
        theirs.setValue("Anna", forKey: "name")
        let recorder = NotificationKeeper(.NSManagedObjectContextDidSave, family.root)
        try family.root.save()
        family.sibling.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(ann.number("age") == 30 && ann.text("name") == "Anne")
        try family.sibling.save()
        #expect(theirs.number("age") == 30 && theirs.text("name") == "Anne")
        try family.root.save()
    }

    @Test func a_save_of_the_root_in_the_midst_of_a_childs_save_loses_no_change() throws {
        let family = try Family()
        let ann = try family.person("Ann", family.child)
        ann.setValue(30, forKey: "age")
        family.child.delete(try family.person("Bob", family.child))
        let center = NotificationCenter.default
        // Unsafe: only this thread posts.
        nonisolated(unsafe) let root = family.root
        // As above.
        nonisolated(unsafe) var failure: (any Error)?
        let observer = center.addObserver(
            forName: .NSManagedObjectContextWillSave, object: family.child, queue: nil
        ) { _ in
            do { try root.save() } catch { failure = error }
        }
        try family.child.save()
        center.removeObserver(observer)
        #expect(failure == nil)
        #expect(try family.root.names("Person", "TRUEPREDICATE") == ["Ann"])
        #expect(try family.person("Ann", family.root).number("age") == 30)
        #expect(family.root.deletedObjects.count == 1)
        try family.root.save()
        #expect(try family.child.names("Person", "TRUEPREDICATE") == ["Ann"])
        #expect(try family.works(family.child).names("employees") == ["Ann"])
    }
}
