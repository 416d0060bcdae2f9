// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saved deletions that are undone, of objects that others write anew before the save.
@Suite(.inBothPlaces) struct UndoneDeletionConflictTests {
    /// Ann of the department "d" is deleted, saved and undone in one context, and then written
    /// anew as Bea, 8, by another one.
    private struct Scene {
        let stack: Stack
        let context: NSManagedObjectContext
        let other: NSManagedObjectContext
        let ann: NSManagedObject

        init() throws {
            stack = try Stack(PeopleModel.make())
            context = stack.context
            context.undoManager = UndoManager()
            let department = context.make("Department", ["name": "d"])
            ann = context.make("Person", ["name": "Ann", "age": 7, "department": department])
            context.make("Department", ["name": "e"])
            try context.save()
            other = stack.container.newBackgroundContext()
            other.mergePolicy = NSMergePolicy.overwrite
            let theirs = try other.existingObject(with: ann.objectID)
            theirs.setValue("Bea", forKey: "name")
            theirs.setValue(8, forKey: "age")
            theirs.setValue(try other.named("e", "Department"), forKey: "department")
            context.delete(ann)
            try context.save()
            context.undo()
            try other.save()
        }

        /// What the store has: the person, and the members of the departments "d" and "e".
        func stored() throws -> [String] {
            try stack.reading { context in
                let people = try context.all("Person").map {
                    "\($0.text("name")) \($0.number("age")) of "
                        + "\($0.one("department")?.text("name") ?? "-")"
                }
                return try people
                    + ["d", "e"].map { name in
                        let department = try #require(try context.named(name, "Department"))
                        return department.names("employees").joined(separator: ",")
                    }
            }
        }
    }

    @Test(arguments: MergePolicyTests.Policy.allCases)
    func a_policy_decides(_ policy: MergePolicyTests.Policy) throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        let id = ann.objectID
        context.mergePolicy = policy.policy
        try context.save()
        #expect(!context.hasChanges && !ann.isDeleted && ann.objectID == id)
        #expect(context.object(with: id) === ann)
        let isOwn = policy == .objectTrump || policy == .overwrite
        #expect(ann.text("name") == (isOwn ? "Ann" : "Bea"))
        #expect(
            try scene.stored()
                == (isOwn ? ["Ann 7 of d", "Ann", ""] : ["Bea 8 of e", "", "Bea"]))
        try scene.stack.reopenChecked()
    }

    @Test func without_a_policy_the_save_names_the_object_until_it_is_refreshed() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        for _ in 0..<2 {
            do {
                try context.save()
                Issue.record("the save took no notice of the other's")
            } catch let error as CocoaError {
                #expect(error.errorCode == 133020)
                let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
                #expect(conflicts?.contains { $0.sourceObject === ann } == true)
            }
        }
        #expect(try scene.stored() == ["Bea 8 of e", "", "Bea"])
        #expect(!ann.isInserted && ann.isUpdated && !ann.isDeleted)
        #expect(try context.all("Person") == [ann])
        for object in try context.all("Department") + [ann] {
            context.refresh(object, mergeChanges: true)
        }
        try context.save()
        #expect(try scene.stored() == ["Ann 7 of d", "Ann", ""])
        try scene.stack.reopenChecked()
    }

    @Test func a_rollback_reads_what_others_have_written() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        #expect(code { try context.save() } == 133020)
        context.rollback()
        #expect(ann.text("name") == "Bea" && ann.one("department")?.text("name") == "e")
        ann.setValue("Cid", forKey: "name")
        try context.save()
        #expect(try scene.stored() == ["Cid 8 of e", "", "Cid"])
        try scene.stack.reopenChecked()
    }

    @Test func a_refresh_that_merges_nothing_reads_what_others_have_written() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        let id = ann.objectID
        context.refresh(ann, mergeChanges: false)
        #expect(ann.text("name") == "Bea" && ann.one("department")?.text("name") == "e")
        #expect(!ann.isInserted && !ann.hasChanges && ann.objectID == id)
        #expect(try context.all("Person") == [ann])
        #expect(try context.named("d", "Department")?.names("employees") == [])
        ann.setValue("Cid", forKey: "name")
        try context.save()
        #expect(try scene.stored() == ["Cid 8 of e", "", "Cid"])
        try scene.stack.reopenChecked()
    }

    /// A child that had it knows that it is gone.
    @Test(arguments: [false, true])
    func a_refresh_that_merges_nothing_drops_it_where_nobody_has_written_it(
        _ isKnownToChild: Bool
    ) throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        context.undoManager = UndoManager()
        let ann = context.make("Person", ["name": "Ann"])
        try context.save()
        let id = ann.objectID
        context.delete(ann)
        try context.save()
        context.undo()
        let child = Stack.child(of: context)
        child.automaticallyMergesChangesFromParent = true
        let theirs = isKnownToChild ? try child.named("Ann", "Person") : nil
        context.refresh(ann, mergeChanges: false)
        #expect(try context.all("Person") == [] && child.all("Person") == [])
        #expect(!context.hasChanges)
        try context.save()
        child.performAndWait {}
        #expect(theirs?.managedObjectContext == nil)
        // The row is free for what others write under it.
        #expect(code { _ = try context.existingObject(with: id) } == 133000)
        #expect(code { _ = try child.existingObject(with: id) } == 133000)
        try stack.reopenChecked()
    }

    @Test func fetches_before_the_save_find_it_once() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        #expect(try context.count("Person") == 1)
        #expect(try context.all("Person") == [ann])
        #expect(try context.names("Person", "name == 'Bea'") == [])
        #expect(try context.names("Person", "name == 'Ann'") == ["Ann"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == 'Bea'")
        #expect(try context.count(for: request) == 0)
        request.predicate = nil
        request.fetchLimit = 1
        #expect(try context.fetch(request) == [ann])
        request.fetchOffset = 1
        #expect(try context.fetch(request) == [])
    }

    @Test func children_know_it_by_its_id_again() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = Stack.child(of: context)
        let theirs = try #require(try child.named("Ann", "Person"))
        try context.save()
        #expect(theirs.objectID == ann.objectID && !theirs.objectID.isTemporaryID)
        theirs.setValue(9, forKey: "age")
        #expect(theirs.one("department")?.names("employees") == ["Ann"])
        try child.save()
        try context.save()
        #expect(try scene.stored() == ["Ann 9 of d", "Ann", ""])
        try scene.stack.reopenChecked()
    }

    @Test func a_child_undoes_it() throws {
        let scene = try Scene()
        let child = Stack.child(of: scene.context)
        scene.context.rollback()
        scene.context.undoManager = nil
        child.undoManager = UndoManager()
        let theirs = try #require(try child.named("Bea", "Person"))
        child.delete(theirs)
        try child.save()
        let other = try #require(try scene.other.all("Person").first)
        other.setValue("Dan", forKey: "name")
        try scene.context.save()
        child.undo()
        #expect(theirs.managedObjectContext === child && theirs.isInserted)
        #expect(try child.all("Person").map { $0.text("name") } == ["Bea"])
        #expect(try child.all("Person") == [theirs])
        try scene.other.save()
        try child.save()
        scene.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try scene.context.save()
        #expect(try scene.stored() == ["Dan 8 of e", "", "Dan"])
        #expect(!theirs.objectID.isTemporaryID)
        try scene.stack.reopenChecked()
    }

    @Test func a_redo_deletes_what_others_have_written() throws {
        let scene = try Scene()
        let (context, ann) = (scene.context, scene.ann)
        #expect(code { try context.save() } == 133020)
        context.redo()
        #expect(context.deletedObjects == [ann])
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(try scene.stored() == ["", ""])
        try scene.stack.reopenChecked()
    }
}
