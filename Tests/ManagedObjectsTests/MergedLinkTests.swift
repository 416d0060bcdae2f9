// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Relationships that were changed here and by others: a merge makes both sides agree.
@Suite(.inBothPlaces) struct MergedLinkTests {
    /// People, a department and a passport, seen by two contexts of one store or of one parent.
    private struct Scene {
        let stack: Stack
        let root: NSManagedObjectContext
        let mine: NSManagedObjectContext
        let theirs: NSManagedObjectContext

        init(areChildren: Bool = false) throws {
            stack = try Stack(PeopleModel.make())
            root = stack.container.newBackgroundContext()
            mine = areChildren ? Stack.child(of: root) : root
            theirs =
                areChildren ? Stack.child(of: root) : stack.container.newBackgroundContext()
            for name in ["ann", "bob"] { root.make("Person", ["name": name]) }
            for name in ["A", "B"] { root.make("Department", ["name": name]) }
            root.make("Passport", ["name": "P"])
            try root.save()
            for entity in ["Person", "Department", "Passport"] {
                for object in try mine.all(entity) { _ = object.text("name") }
            }
        }

        /// Their object of a name.
        func theirs(_ name: String, _ entity: String) throws -> NSManagedObject {
            try #require(try theirs.named(name, entity))
        }

        func mine(_ name: String, _ entity: String) throws -> NSManagedObject {
            try #require(try mine.named(name, entity))
        }

        /// Saves their changes and merges them into mine.
        func merge() throws {
            var ids: [AnyHashable: Any] = [:]
            let sets = [
                (NSInsertedObjectsKey, theirs.insertedObjects),
                (NSUpdatedObjectsKey, theirs.updatedObjects),
                (NSDeletedObjectsKey, theirs.deletedObjects),
            ]
            for (key, objects) in sets where !objects.isEmpty {
                ids[key] = objects.map(\.objectID)
            }
            try theirs.save()
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [mine])
        }
    }

    @Test(arguments: [false, true]) func a_passport_given_to_two(areChildren: Bool) throws {
        let scene = try Scene(areChildren: areChildren)
        let (ann, bob) = try (scene.mine("ann", "Person"), scene.mine("bob", "Person"))
        let passport = try scene.mine("P", "Passport")
        passport.setValue(ann, forKey: "holder")
        try scene.theirs("P", "Passport").setValue(scene.theirs("bob", "Person"), forKey: "holder")
        scene.theirs.processPendingChanges()
        try scene.merge()
        #expect(passport.one("holder") === ann && ann.one("passport") === passport)
        #expect(bob.one("passport") == nil)
        scene.mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try scene.mine.save()
        try scene.root.save()
        try scene.stack.reopenChecked()
        let stored = try #require(try scene.stack.context.named("P", "Passport"))
        #expect(stored.one("holder")?.text("name") == "ann")
    }

    @Test(arguments: [false, true]) func an_equal_value_is_no_change(areChildren: Bool) throws {
        let scene = try Scene(areChildren: areChildren)
        let (ann, a) = try (scene.mine("ann", "Person"), scene.mine("A", "Department"))
        ann.setValue(nil, forKey: "department")
        ann.setValue("ann", forKey: "name")
        ann.setValue(30, forKey: "age")
        let other = try scene.theirs("ann", "Person")
        other.setValue(try scene.theirs("A", "Department"), forKey: "department")
        other.setValue("anna", forKey: "name")
        scene.theirs.processPendingChanges()
        try scene.merge()
        #expect(ann.one("department") === a && a.names("employees") == ["anna"])
        #expect(ann.text("name") == "anna" && ann.number("age") == 30)
        try scene.mine.save()
        try scene.root.save()
        try scene.stack.reopenChecked()
        #expect(
            try scene.stack.context.names("Person", "department.name == 'A' AND age == 30")
                == ["anna"])
    }

    @Test func a_passport_that_was_deleted_here_and_given_to_another() throws {
        let scene = try Scene()
        let bob = try scene.mine("bob", "Person")
        scene.mine.delete(try scene.mine("P", "Passport"))
        scene.mine.processPendingChanges()
        try scene.theirs("P", "Passport").setValue(scene.theirs("bob", "Person"), forKey: "holder")
        scene.theirs.processPendingChanges()
        let changes = ChangeRecorder(scene.mine)
        try scene.merge()
        #expect(bob.one("passport") == nil)
        #expect(changes.entries.allSatisfy { $0.values.joined().allSatisfy { !$0.isDeleted } })
        scene.mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try scene.mine.save()
        try scene.stack.reopenChecked()
        #expect(try scene.stack.context.count("Passport") == 0)
    }

    @Test func what_a_merge_does_to_changes_is_not_undone() throws {
        let scene = try Scene()
        let (ann, bob) = try (scene.mine("ann", "Person"), scene.mine("bob", "Person"))
        let manager = UndoManager()
        scene.mine.undoManager = manager
        let (a, passport) = try (scene.mine("A", "Department"), scene.mine("P", "Passport"))
        ann.setValue(a, forKey: "department")
        passport.setValue(ann, forKey: "holder")
        scene.mine.processPendingChanges()
        scene.theirs.delete(try scene.theirs("A", "Department"))
        try scene.theirs("P", "Passport").setValue(scene.theirs("bob", "Person"), forKey: "holder")
        scene.theirs.processPendingChanges()
        try scene.merge()
        #expect(ann.one("department") == nil && bob.one("passport") == nil)
        scene.mine.processPendingChanges()
        #expect(manager.undoCount == 1)
    }

    @Test func a_deleted_object_leads_to_what_others_have_deleted() throws {
        let scene = try Scene()
        let ann = try scene.mine("ann", "Person")
        ann.setValue(try scene.mine("A", "Department"), forKey: "department")
        scene.mine.processPendingChanges()
        scene.mine.delete(ann)
        scene.mine.processPendingChanges()
        try scene.theirs("ann", "Person").setValue("anna", forKey: "name")
        scene.theirs.delete(try scene.theirs("A", "Department"))
        scene.theirs.processPendingChanges()
        try scene.merge()
        #expect(scene.mine.updatedObjects.isEmpty && scene.mine.deletedObjects == [ann])
        scene.mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try scene.mine.save()
        #expect(try scene.mine.names("Person", "TRUEPREDICATE") == ["bob"])
    }

    @Test func a_new_object_that_is_deleted_here_before_the_root_saves_it() throws {
        let scene = try Scene(areChildren: true)
        let cid = scene.mine.make("Person", ["name": "cid"])
        try scene.mine.save()
        scene.mine.delete(cid)
        scene.mine.processPendingChanges()
        scene.mine.automaticallyMergesChangesFromParent = true
        let changes = ChangeRecorder(scene.mine)
        try scene.root.save()
        scene.mine.performAndWait {}
        #expect(changes.entries.allSatisfy { $0.values.joined().allSatisfy { $0 !== cid } })
    }

    @Test func overwriting_one_object_keeps_what_others_changed_in_its_partner() throws {
        let scene = try Scene()
        let ann = try scene.mine("ann", "Person")
        ann.setValue(try scene.mine("A", "Department"), forKey: "department")
        try scene.mine.save()
        ann.setValue(91, forKey: "age")
        let b = try scene.theirs("B", "Department")
        b.setValue("b", forKey: "name")
        try scene.theirs("ann", "Person").setValue(b, forKey: "department")
        try scene.theirs.save()
        scene.mine.mergePolicy = NSOverwriteMergePolicy
        try scene.mine.save()
        try scene.stack.reopenChecked()
        let context = scene.stack.context
        #expect(try context.names("Department", "TRUEPREDICATE") == ["A", "b"])
        #expect(try context.named("ann", "Person")?.one("department")?.text("name") == "A")
    }
}
