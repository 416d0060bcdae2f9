// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What a child context sees: its parent's unsaved state, never the store past it.
@Suite(.inBothPlaces) struct ChildReadingTests {
    private func pair() throws -> (
        stack: Stack, root: NSManagedObjectContext, child: NSManagedObjectContext
    ) {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        return (stack, root, Stack.child(of: root))
    }

    @Test func a_child_has_its_ancestors_coordinator() throws {
        let (stack, root, child) = try pair()
        let grandchild = Stack.child(of: child)
        #expect(child.parent === root && grandchild.parent === child && root.parent == nil)
        #expect(
            grandchild.persistentStoreCoordinator === stack.container.persistentStoreCoordinator)
        let early = NSManagedObjectContext(.privateQueue)
        let later = Stack.child(of: early)
        #expect(later.persistentStoreCoordinator == nil)
        early.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        #expect(later.persistentStoreCoordinator === stack.container.persistentStoreCoordinator)
    }

    @Test func fetches_see_the_parents_insertions_updates_and_deletions() throws {
        let (stack, root, child) = try pair()
        let updated = root.make("Person", ["name": "old", "age": 30])
        let deleted = root.make("Person", ["name": "gone"])
        try root.save()
        updated.setValue("new", forKey: "name")
        root.delete(deleted)
        root.make("Person", ["name": "fresh", "age": 20])
        for context in [child, Stack.child(of: child)] {
            #expect(try context.names("Person", "TRUEPREDICATE") == ["fresh", "new"])
            #expect(try context.names("Person", "name == 'old'") == [])
            #expect(try context.names("Person", "age < 25") == ["fresh"])
            #expect(try context.count("Person") == 2)
            #expect(!context.hasChanges)
        }
        #expect(try stack.context.names("Person", "TRUEPREDICATE") == ["gone", "old"])
    }

    @Test func order_offset_and_limit_count_the_parents_changes() throws {
        let (_, root, child) = try pair()
        for number in 0..<10 { root.make("Person", ["name": "p\(number)", "age": number]) }
        try root.save()
        root.make("Person", ["name": "between", "age": 3])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "age", ascending: true),
            NSSortDescriptor(key: "name", ascending: true),
        ]
        request.fetchOffset = 2
        request.fetchLimit = 3
        #expect(try child.fetch(request).map { $0.text("name") } == ["p2", "between", "p3"])
        child.make("Person", ["name": "child", "age": 2])
        #expect(try child.fetch(request).map { $0.text("name") } == ["child", "p2", "between"])
        #expect(try root.fetch(request).map { $0.text("name") } == ["p2", "between", "p3"])
    }

    @Test func without_pending_changes_a_fetch_finds_what_is_stored() throws {
        let (_, root, child) = try pair()
        root.make("Person", ["name": "stored"])
        try root.save()
        root.make("Person", ["name": "parent"])
        child.make("Person", ["name": "child"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.includesPendingChanges = false
        #expect(try child.fetch(request).map { $0.text("name") } == ["stored"])
        #expect(try child.count(for: request) == 1)
        request.includesPendingChanges = true
        #expect(try child.count(for: request) == 3)
    }

    @Test func faults_fire_with_the_parents_unsaved_values() throws {
        let (_, root, child) = try pair()
        let department = root.make("Department", ["name": "d"])
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        ann.setValue("Anne", forKey: "name")
        ann.setValue(department, forKey: "department")
        let theirs = child.object(with: ann.objectID)
        #expect(theirs.isFault && theirs.text("name") == "Anne")
        #expect(theirs.one("department")?.objectID == department.objectID)
        #expect(theirs.one("department")?.names("employees") == ["Anne"])
        #expect(!theirs.hasChanges && theirs.changedValues().isEmpty)
        #expect(theirs.committedValues(forKeys: ["name"])["name"] as? String == "Anne")
    }

    @Test func realised_objects_keep_their_values_until_refreshed() throws {
        let (_, root, child) = try pair()
        let tag = root.make("Tag", ["name": "t"])
        let ann = root.make("Person", ["name": "Ann", "age": 30, "tags": Set([tag])])
        try root.save()
        let theirs = try child.existingObject(with: ann.objectID)
        #expect(theirs.names("tags") == ["t"])
        ann.setValue("Anne", forKey: "name")
        ann.setValue(Set<NSManagedObject>(), forKey: "tags")
        #expect(theirs.text("name") == "Ann" && theirs.names("tags") == ["t"])
        #expect(try child.named("Anne", "Person") === theirs)
        #expect(theirs.text("name") == "Ann")
        theirs.setValue(31, forKey: "age")
        child.refresh(theirs, mergeChanges: true)
        #expect(theirs.text("name") == "Anne" && theirs.number("age") == 31)
        #expect(theirs.names("tags") == [])
        child.refresh(theirs, mergeChanges: false)
        #expect(theirs.isFault && theirs.number("age") == 30)
    }

    @Test func what_the_parent_keeps_is_what_the_child_sees() throws {
        let (stack, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        #expect(ann.text("name") == "Ann")
        try stack.context.existingObject(with: ann.objectID).setValue("Zoe", forKey: "name")
        try stack.context.save()
        _ = try root.count("Person")
        #expect(child.object(with: ann.objectID).text("name") == "Ann")
        root.refresh(ann, mergeChanges: true)
        #expect(child.object(with: ann.objectID).text("name") == "Zoe")
    }

    @Test func objects_that_the_parent_deleted_are_gone() throws {
        let (_, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        root.delete(ann)
        let ghost = child.object(with: ann.objectID)
        #expect(ghost.value(forKey: "name") == nil)
        #expect(code { _ = try child.existingObject(with: ann.objectID) } == 133000)
    }

    @Test func a_fetch_does_not_realise_the_parents_objects() throws {
        let (stack, root, child) = try pair()
        stack.context.make("Person", ["name": "Ann"])
        try stack.context.save()
        let held = try root.all("Person")
        #expect(try child.all("Person").map { $0.text("name") } == ["Ann"])
        #expect(held.map(\.isFault) == [true])
    }

    @Test func large_values_come_along() throws {
        let stack = try Stack(
            Build.model(
                Build.entity(
                    "File",
                    [Build.attribute("name"), Build.attribute("data", .binaryDataAttributeType)])))
        let root = stack.container.newBackgroundContext()
        let stored = Data(repeating: 7, count: 100_000)
        let unsaved = Data(repeating: 9, count: 50_000)
        let first = root.make("File", ["name": "1", "data": stored])
        let second = root.make("File", ["name": "2", "data": stored])
        try root.save()
        second.setValue(unsaved, forKey: "data")
        let child = Stack.child(of: Stack.child(of: root))
        let mine = child.object(with: first.objectID)
        #expect(mine.value(forKey: "data") as? Data == stored)
        #expect(child.object(with: second.objectID).value(forKey: "data") as? Data == unsaved)
        mine.setValue("renamed", forKey: "name")
        try child.save()
        try child.parent?.save()
        try root.save()
        #expect(mine.value(forKey: "data") as? Data == stored)
        let other = stack.container.newBackgroundContext()
        #expect(
            try other.all("File").map { ($0.value(forKey: "data") as? Data)?.count ?? 0 }
                == [100_000, 50_000])
    }

    @Test func mistakes_in_the_wiring_trap() async {
        await #expect(processExitsWith: .failure) {
            let context = NSManagedObjectContext(.privateQueue)
            context.parent = context
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            stack.container.newBackgroundContext().parent = stack.context
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let child = Stack.child(of: stack.context)
            child.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            Stack.child(of: stack.context).parent = stack.container.newBackgroundContext()
        }
    }
}
