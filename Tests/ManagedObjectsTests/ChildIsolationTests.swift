// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A child keeps what it has read, and tells of objects that it lost.
@Suite(.inBothPlaces) struct ChildIsolationTests {
    private func department(
        _ people: String...
    ) throws -> (stack: Stack, root: NSManagedObjectContext, department: NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        let department = root.make("Department", ["name": "d"])
        for name in people { root.make("Person", ["name": name, "department": department]) }
        try root.save()
        return (stack, root, department)
    }

    @Test func members_read_first_stay_when_the_parent_adds_one() throws {
        let (_, root, department) = try department("Ann")
        let child = Stack.child(of: root)
        let here = child.object(with: department.objectID)
        #expect(here.isFault)
        #expect(here.mutableSetValue(forKey: "employees").count == 1)
        #expect(!here.isFault)
        root.make("Person", ["name": "Bob", "department": department])
        department.setValue("changed", forKey: "name")
        root.processPendingChanges()
        #expect(here.text("name") == "d")
        #expect(here.mutableSetValue(forKey: "employees").count == 1)
        child.refresh(here, mergeChanges: true)
        #expect(here.text("name") == "changed")
        #expect(here.mutableSetValue(forKey: "employees").count == 2)
    }

    @Test func members_and_values_of_a_context_are_of_one_state() throws {
        let (stack, root, department) = try department("Ann")
        root.refreshAllObjects()
        #expect(department.isFault)
        #expect(department.objectIDs(forRelationshipNamed: "employees").count == 1)
        let other = stack.container.newBackgroundContext()
        let same = try other.existingObject(with: department.objectID)
        other.make("Person", ["name": "Bob", "department": same])
        same.setValue("changed", forKey: "name")
        try other.save()
        _ = try root.count("Person")
        #expect(department.text("name") == "d")
        #expect(department.mutableSetValue(forKey: "employees").count == 1)
    }

    @Test func reading_members_awakes_a_fault_once() throws {
        let cache = Build.attribute("cache")
        cache.isTransient = true
        let entity = Build.entity(
            "Item", [Build.attribute("name"), cache], class: HookedItem.self)
        Build.relationship("others", of: entity, to: entity, max: 0)
        let stack = try Stack(Build.model(entity))
        let saved = stack.context.make("Item")
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        let item = try #require(context.object(with: saved.objectID) as? HookedItem)
        #expect(item.mutableSetValue(forKey: "others").count == 0)
        #expect(item.value(forKey: "name") as? String == "born")
        #expect(item.calls == ["fetch"])
    }

    private func lostAnn() throws -> (
        stack: Stack, root: NSManagedObjectContext, child: NSManagedObjectContext,
        ann: NSManagedObject
    ) {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let department = root.make("Department", ["name": "d"])
        let tag = root.make("Tag", ["name": "t"])
        let ann = root.make("Person", ["name": "Ann", "department": department, "age": 40])
        ann.mutableSetValue(forKey: "tags").add(tag)
        try root.save()
        let here = child.object(with: ann.objectID)
        #expect(here.text("name") == "Ann")
        #expect(here.mutableSetValue(forKey: "tags").count == 1)
        here.setValue("Anna", forKey: "name")
        root.delete(ann)
        try root.save()
        return (stack, root, child, here)
    }

    @Test func a_change_of_an_object_that_the_root_has_deleted_is_a_conflict() throws {
        let (stack, root, child, _) = try lostAnn()
        try child.save()
        #expect(code { try root.save() } == 133020)
        #expect(root.hasChanges)
        root.rollback()
        try root.save()
        #expect(try stack.context.count("Person") == 0)
    }

    @Test(arguments: [
        (NSMergePolicy.mergeByPropertyStoreTrump, [String]()), (.rollback, []),
        (.mergeByPropertyObjectTrump, ["Anna 40 d t"]), (.overwrite, ["Anna 40 d t"]),
    ])
    func the_roots_policy_decides(policy: NSMergePolicy, people: [String]) throws {
        let (stack, root, child, here) = try lostAnn()
        root.mergePolicy = policy
        try child.save()
        try root.save()
        let found = try stack.context.all("Person").map { person in
            let tags = person.value(forKey: "tags") as? Set<NSManagedObject> ?? []
            let department = person.value(forKey: "department") as? NSManagedObject
            return "\(person.text("name")) \(person.value(forKey: "age") ?? "-") "
                + "\(department?.text("name") ?? "-") \(tags.map { $0.text("name") }.joined())"
        }
        #expect(found == people)
        guard !people.isEmpty else {
            #expect(code { _ = try root.existingObject(with: here.objectID) } == 133000)
            return
        }
        let kept = try root.existingObject(with: here.objectID)
        #expect(!kept.isDeleted)
        kept.setValue("again", forKey: "name")
        #expect(kept.mutableSetValue(forKey: "tags").count == 1)
        try root.save()
        #expect(try stack.context.names("Person", "TRUEPREDICATE") == ["again"])
    }

    @Test func a_grandchild_loses_an_object_in_the_same_way() throws {
        let (stack, root, child, here) = try lostAnn()
        let grandchild = Stack.child(of: child)
        let copy = grandchild.object(with: here.objectID)
        copy.setValue("Annie", forKey: "name")
        try grandchild.save()
        try child.save()
        root.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try root.save()
        #expect(try stack.context.names("Person", "age == 40") == ["Annie"])
    }
}
