// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Merges that meet undo, a pinned generation, unsaved edits and pending deletions.
@Suite struct MergeCombinationTests {
    private let stack: Stack
    private let mine: NSManagedObjectContext
    private let theirs: NSManagedObjectContext

    init() throws {
        stack = try Stack(PeopleModel.make())
        let research = stack.context.make("Department", ["name": "Research"])
        stack.context.make("Person", ["name": "Ann", "department": research])
        stack.context.make("Person", ["name": "Bob"])
        try stack.context.save()
        mine = stack.container.newBackgroundContext()
        theirs = stack.container.newBackgroundContext()
    }

    /// Saves the other context and merges what it saved.
    private func merge() throws {
        let recorder = NotificationKeeper(.NSManagedObjectContextDidSave, theirs)
        try theirs.save()
        mine.mergeChanges(fromContextDidSave: try #require(recorder.last))
    }

    @Test func undo_after_a_merge_takes_back_only_what_was_done_here() throws {
        mine.undoManager = UndoManager()
        let ann = try #require(try mine.named("Ann", "Person"))
        ann.setValue("Anna", forKey: "name")
        mine.processPendingChanges()
        try #require(try theirs.named("Ann", "Person")).setValue(40, forKey: "age")
        try merge()
        #expect(ann.text("name") == "Anna" && ann.number("age") == 40)
        #expect(mine.undoManager?.undoCount == 1)
        mine.undo()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 40)
        mine.redo()
        try mine.save()
        #expect(try stack.reading { try $0.named("Anna", "Person")?.number("age") } == 40)
    }

    @Test func undo_skips_what_others_have_deleted() throws {
        mine.undoManager = UndoManager()
        let ann = try #require(try mine.named("Ann", "Person"))
        let bob = try #require(try mine.named("Bob", "Person"))
        ann.setValue("Anna", forKey: "name")
        bob.setValue("Rob", forKey: "name")
        mine.processPendingChanges()
        theirs.delete(try #require(try theirs.named("Ann", "Person")))
        try merge()
        #expect(ann.managedObjectContext == nil)
        mine.undo()
        #expect(ann.managedObjectContext == nil && bob.text("name") == "Bob")
        try mine.save()
        #expect(try stack.reading { try $0.names("Person", "TRUEPREDICATE") } == ["Bob"])
    }

    @Test func a_deletion_undone_after_others_deleted_it_too_inserts_it_again() throws {
        mine.undoManager = UndoManager()
        let ann = try #require(try mine.named("Ann", "Person"))
        mine.delete(ann)
        mine.processPendingChanges()
        theirs.delete(try #require(try theirs.named("Ann", "Person")))
        try merge()
        #expect(mine.deletedObjects.isEmpty && mine.insertedObjects.isEmpty)
        mine.undo()
        #expect(ann.isInserted && ann.one("department")?.text("name") == "Research")
        try mine.save()
        try stack.reading { context in
            let found = try #require(try context.named("Ann", "Person"))
            #expect(found.objectID == ann.objectID)
            #expect(found.one("department")?.names("employees") == ["Ann"])
        }
    }

    @Test(arguments: [false, true])
    func a_merge_moves_the_pin(isNotified: Bool) throws {
        let ann = try #require(try mine.named("Ann", "Person"))
        #expect(ann.number("age") == 18)
        try mine.setQueryGenerationFrom(.current)
        let pin = mine.queryGenerationToken
        try #require(try theirs.named("Ann", "Person")).setValue(40, forKey: "age")
        theirs.make("Person", ["name": "Cid"])
        if isNotified {
            try merge()
        } else {
            try theirs.save()
            #expect(try mine.count("Person") == 2)
            let ids = [ann.objectID]
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [mine])
        }
        #expect(try ann.number("age") == 40 && mine.count("Person") == 3)
        #expect(mine.queryGenerationToken != nil && mine.queryGenerationToken != pin)
        theirs.make("Person", ["name": "Dan"])
        try theirs.save()
        #expect(try mine.count("Person") == 3)
    }

    @Test func a_pending_deletion_reaches_members_that_others_added() throws {
        mine.delete(try #require(try mine.named("Research", "Department")))
        mine.processPendingChanges()
        let bob = try #require(try theirs.named("Bob", "Person"))
        bob.setValue(try theirs.named("Research", "Department"), forKey: "department")
        try merge()
        try mine.save()
        let context = stack.container.newBackgroundContext()
        #expect(try context.count("Department") == 0)
        #expect(try context.names("Person", "department != nil") == [])
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, NSMergePolicy.overwrite])
    func a_winning_deletion_reaches_members_that_others_added(policy: NSMergePolicy) throws {
        mine.mergePolicy = policy
        mine.delete(try #require(try mine.named("Research", "Department")))
        mine.processPendingChanges()
        let bob = try #require(try theirs.named("Bob", "Person"))
        bob.setValue(try theirs.named("Research", "Department"), forKey: "department")
        try theirs.save()
        try mine.save()
        let context = stack.container.newBackgroundContext()
        #expect(try context.count("Department") == 0)
        #expect(try context.names("Person", "department != nil") == [])
    }

    @Test func a_rollback_after_a_merge_keeps_what_was_merged() throws {
        let ann = try #require(try mine.named("Ann", "Person"))
        ann.setValue("Anna", forKey: "name")
        try #require(try theirs.named("Ann", "Person")).setValue(40, forKey: "age")
        try merge()
        mine.rollback()
        #expect(ann.text("name") == "Ann" && ann.number("age") == 40)
        ann.setValue(41, forKey: "age")
        try mine.save()
        #expect(try stack.reading { try $0.named("Ann", "Person")?.number("age") } == 41)
    }

    @Test func new_objects_lose_what_others_deleted() throws {
        let cid = mine.make("Person", ["name": "Cid"])
        cid.setValue(try mine.named("Research", "Department"), forKey: "department")
        theirs.delete(try #require(try theirs.named("Research", "Department")))
        try merge()
        #expect(cid.one("department") == nil)
        try mine.save()
        let context = stack.container.newBackgroundContext()
        #expect(try context.names("Person", "department != nil") == [])
        #expect(try context.count("Person") == 3)
    }
}

/// The last notification of a name.
// Sendable because the thread of the test posts and reads.
final class NotificationKeeper: @unchecked Sendable {
    private(set) var last: Notification?
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { [unowned self] in last = $0 }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}
