// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes what is called on it.
final class ChildSavingRecord: NSManagedObject {
    // One test at a time inserts records and reads the notes, on one thread.
    nonisolated(unsafe) static var notes: [String] = []

    private func note(_ what: String) {
        ChildSavingRecord.notes.append("\(managedObjectContext?.name ?? "-") \(what)")
    }

    override func awakeFromInsert() {
        note("insert")
        setPrimitiveValue("awake in \(managedObjectContext?.name ?? "-")", forKey: "origin")
    }
    override func willSave() { note("willSave") }
    override func didSave() { note("didSave") }
    override func prepareForDeletion() { note("delete") }
    override func validateForInsert() throws {
        note("validate")
        try super.validateForInsert()
    }
}

/// A child's save moves its changes one level up, in memory.
@Suite(.serialized, .inBothPlaces) struct ChildSavingTests {
    private func pair(_ model: NSManagedObjectModel = PeopleModel.make()) throws -> (
        stack: Stack, root: NSManagedObjectContext, child: NSManagedObjectContext
    ) {
        let stack = try Stack(model)
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        root.name = "root"
        child.name = "child"
        return (stack, root, child)
    }

    @Test func a_save_goes_up_one_level() throws {
        let (stack, root, child) = try pair()
        let grandchild = Stack.child(of: child)
        grandchild.make("Person", ["name": "Ann"])
        try grandchild.save()
        #expect(!grandchild.hasChanges && child.hasChanges && !root.hasChanges)
        #expect(child.insertedObjects.map { $0.text("name") } == ["Ann"])
        try child.save()
        #expect(!child.hasChanges && root.hasChanges)
        #expect(try stack.context.count("Person") == 0)
        try root.save()
        #expect(!root.hasChanges)
        #expect(try stack.context.names("Person", "TRUEPREDICATE") == ["Ann"])
    }

    @Test func updates_and_deletions_arrive() throws {
        let (stack, root, child) = try pair()
        let tag = root.make("Tag", ["name": "t"])
        let ann = root.make("Person", ["name": "Ann", "tags": Set([tag])])
        let bob = root.make("Person", ["name": "Bob", "age": 40])
        try root.save()
        let theirs = child.object(with: ann.objectID)
        theirs.setValue("Anne", forKey: "name")
        theirs.setValue(Set<NSManagedObject>(), forKey: "tags")
        child.delete(child.object(with: bob.objectID))
        try child.save()
        #expect(ann.text("name") == "Anne" && ann.isUpdated && ann.names("tags") == [])
        #expect(tag.isUpdated && tag.names("people") == [])
        #expect(bob.isDeleted && root.deletedObjects == [bob])
        #expect(!theirs.hasChanges && theirs.text("name") == "Anne" && theirs.names("tags") == [])
        try root.save()
        #expect(try stack.context.names("Person", "TRUEPREDICATE") == ["Anne"])
    }

    @Test func what_an_observer_of_the_parent_changes_in_the_child_is_kept() throws {
        let (stack, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann", "age": 1])
        try root.save()
        let theirs = child.object(with: ann.objectID)
        theirs.setValue(2, forKey: "age")
        let new = child.make("Person", ["name": "New"])
        let gone = child.make("Person", ["name": "Gone"])
        // Unsafe: only this thread posts.
        nonisolated(unsafe) var isFirst = true
        // As above.
        nonisolated(unsafe) let objects = (child: child, theirs: theirs, new: new, gone: gone)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: root, queue: nil
        ) { _ in
            if !isFirst { return }
            isFirst = false
            objects.theirs.setValue("Anne", forKey: "name")
            objects.new.setValue(7, forKey: "age")
            objects.child.delete(objects.gone)
            objects.child.make("Person", ["name": "Late"])
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try child.save()
        #expect(!isFirst && child.updatedObjects == [theirs, new])
        #expect(child.insertedObjects.map { $0.text("name") } == ["Late"])
        #expect(child.deletedObjects == [gone])
        #expect(theirs.text("name") == "Anne" && theirs.number("age") == 2)
        #expect(ann.text("name") == "Ann" && ann.number("age") == 2)
        #expect(root.insertedObjects.map { $0.text("name") }.sorted() == ["Gone", "New"])
        theirs.setValue(3, forKey: "age")
        try child.save()
        #expect(!child.hasChanges && ann.text("name") == "Anne" && ann.number("age") == 3)
        try root.save()
        #expect(
            try stack.context.names("Person", "TRUEPREDICATE") == ["Anne", "Late", "New"])
        #expect(try stack.context.names("Person", "age == 7") == ["New"])
    }

    @Test func the_last_save_wins_without_any_conflict() throws {
        let (_, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann", "age": 1])
        try root.save()
        let sibling = Stack.child(of: root)
        let mine = try child.existingObject(with: ann.objectID)
        let theirs = try sibling.existingObject(with: ann.objectID)
        mine.setValue("mine", forKey: "name")
        theirs.setValue("theirs", forKey: "name")
        ann.setValue(2, forKey: "age")
        try child.save()
        #expect(ann.text("name") == "mine" && ann.number("age") == 2)
        try sibling.save()
        #expect(ann.text("name") == "theirs" && ann.number("age") == 2)
        #expect(mine.text("name") == "mine")
        try root.save()
    }

    @Test func inverses_agree_where_the_parent_changed_the_other_side() throws {
        let (_, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann"])
        let (first, second, third) = (
            root.make("Department", ["name": "1"]), root.make("Department", ["name": "2"]),
            root.make("Department", ["name": "3"])
        )
        ann.setValue(first, forKey: "department")
        try root.save()
        let theirs = try child.existingObject(with: ann.objectID)
        theirs.setValue(child.object(with: third.objectID), forKey: "department")
        ann.setValue(second, forKey: "department")
        try child.save()
        #expect(ann.one("department") === third)
        #expect(first.names("employees") == [] && second.names("employees") == [])
        #expect(third.names("employees") == ["Ann"])
        #expect(try GraphOracle.disagreements(root).isEmpty)
    }

    @Test func hooks_and_notifications_run_at_each_level() throws {
        let entity = Build.entity(
            "Record", [Build.attribute("name"), Build.attribute("origin")],
            class: ChildSavingRecord.self)
        let (_, root, child) = try pair(Build.model(entity))
        let log = NotificationLog([child, root])
        ChildSavingRecord.notes = []
        let record = child.make("Record", ["name": "r"])
        try child.save()
        #expect(
            ChildSavingRecord.notes == [
                "child insert", "child willSave", "child validate", "root insert", "child didSave",
            ])
        #expect(record.text("origin") == "awake in child")
        let twin = root.object(with: record.objectID)
        #expect(twin.text("origin") == "awake in child" && twin !== record)
        #expect(
            log.entries == [
                "child change inserted", "child will", "root change inserted", "child did inserted",
            ])
        ChildSavingRecord.notes = []
        log.entries = []
        try root.save()
        #expect(ChildSavingRecord.notes == ["root willSave", "root validate", "root didSave"])
        #expect(log.entries == ["root will", "root did inserted"])
        ChildSavingRecord.notes = []
        log.entries = []
        child.delete(record)
        try child.save()
        #expect(
            ChildSavingRecord.notes == [
                "child delete", "child willSave", "root delete", "- didSave",
            ])
        #expect(
            log.entries == [
                "child change deleted", "child will", "root change deleted", "child did deleted",
            ])
    }

    @Test func a_save_that_fails_moves_nothing() throws {
        let (_, root, child) = try pair(
            Build.model(Build.entity("Item", [Build.attribute("name", isOptional: false)])))
        let item = child.make("Item")
        #expect(code { try child.save() } == 1570)
        #expect(item.isInserted && !root.hasChanges)
        item.setValue("a", forKey: "name")
        try child.save()
        #expect(root.insertedObjects.map { $0.text("name") } == ["a"])
    }

    @Test func rollback_and_reset_discard_only_the_childs_edits() throws {
        let (_, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        ann.setValue("parent", forKey: "name")
        let theirs = child.object(with: ann.objectID)
        theirs.setValue("child", forKey: "name")
        child.make("Person", ["name": "extra"])
        child.rollback()
        #expect(!child.hasChanges && theirs.text("name") == "parent")
        #expect(ann.text("name") == "parent" && root.hasChanges)
        theirs.setValue("saved", forKey: "name")
        try child.save()
        theirs.setValue("again", forKey: "name")
        child.rollback()
        #expect(theirs.text("name") == "saved")
        theirs.setValue("again", forKey: "name")
        child.reset()
        #expect(theirs.managedObjectContext == nil)
        #expect(child.object(with: ann.objectID).text("name") == "saved")
        #expect(ann.text("name") == "saved")
        root.rollback()
        #expect(ann.text("name") == "Ann")
        child.refreshAllObjects()
        #expect(child.object(with: ann.objectID).text("name") == "Ann")
    }

    @Test func an_object_that_was_inserted_above_can_be_deleted_below() throws {
        let (stack, root, child) = try pair()
        let ann = child.make("Person", ["name": "Ann"])
        try child.save()
        child.delete(ann)
        try child.save()
        #expect(!root.hasChanges && root.insertedObjects.isEmpty)
        try root.save()
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func delete_rules_run_in_the_child() throws {
        let (stack, root, child) = try pair(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let department = root.make("Department", ["name": "d"])
        root.make("Person", ["name": "Ann", "department": department])
        try root.save()
        root.make("Person", ["name": "unsaved", "department": department])
        child.delete(child.object(with: department.objectID))
        #expect(try child.count("Person") == 0)
        try child.save()
        try root.save()
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func a_conflict_shows_when_the_root_saves() throws {
        let (stack, root, child) = try pair()
        let ann = root.make("Person", ["name": "Ann"])
        try root.save()
        child.object(with: ann.objectID).setValue("child", forKey: "name")
        try child.save()
        try stack.context.existingObject(with: ann.objectID).setValue("other", forKey: "name")
        try stack.context.save()
        #expect(code { try root.save() } == 133020)
        #expect(ann.text("name") == "child" && root.hasChanges)
    }

    @Test func saving_without_changes_leaves_the_parent_alone() throws {
        let (_, root, child) = try pair()
        let log = NotificationLog([child, root])
        try child.save()
        #expect(log.entries.count == 1 && log.entries[0].hasSuffix("did"))
        #expect(!root.hasChanges && root.registeredObjects.isEmpty)
    }
}

/// The notifications of contexts, in order, by name and keys.
// Sendable because one thread posts and reads.
final class NotificationLog: @unchecked Sendable {
    var entries: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ contexts: [NSManagedObjectContext]) {
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextWillSave, "will"), (.NSManagedObjectContextDidSave, "did"),
            (.NSManagedObjectContextObjectsDidChange, "change"),
        ]
        for context in contexts {
            let title = context.name ?? "-"
            for (name, short) in names {
                tokens.append(
                    NotificationCenter.default.addObserver(
                        forName: name, object: context, queue: nil
                    ) { [unowned self] note in
                        let keys = (note.userInfo ?? [:]).keys.map { "\($0)" }.sorted()
                        entries.append(([title, short] + keys).joined(separator: " "))
                    })
            }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
