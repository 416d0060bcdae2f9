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
}
