// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Records the notifications of a context.
// Sendable because the thread that changes the context is the only one that posts and reads.
private final class Recorder: @unchecked Sendable {
    private(set) var entries: [[String: Any]] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { [unowned self] note in record(note) }
    }

    private func record(_ note: Notification) {
        var entry: [String: Any] = [:]
        for (key, value) in note.userInfo ?? [:] { entry["\(key)"] = value }
        entries.append(entry)
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }

    func objects(_ key: String) -> Set<NSManagedObject>? {
        entries.last?[key] as? Set<NSManagedObject>
    }
    var keys: [[String]] { entries.map { $0.keys.sorted() } }
}

@Suite struct NotificationTests {
    @Test func did_save_names_only_what_changed() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let saves = Recorder(.NSManagedObjectContextDidSave, context)
        let wills = Recorder(.NSManagedObjectContextWillSave, context)
        try context.save()
        #expect(saves.keys == [[]] && wills.entries.isEmpty)
        let one = context.make("Item")
        let two = context.make("Item")
        try context.save()
        #expect(saves.keys == [[], ["inserted"]])
        #expect(saves.objects("inserted") == [one, two])
        one.setValue("x", forKey: "name")
        try context.save()
        #expect(saves.keys.last == ["updated"])
        #expect(saves.objects("updated") == [one])
        context.delete(two)
        one.setValue("y", forKey: "name")
        let three = context.make("Item")
        try context.save()
        #expect(saves.keys.last == ["deleted", "inserted", "updated"])
        #expect(saves.objects("deleted") == [two])
        #expect(saves.objects("inserted") == [three])
        #expect(three.objectID.isTemporaryID == false)
        #expect(wills.entries.count == 3)
    }

    @Test func a_failed_save_posts_no_did_save() throws {
        let stack = try Stack(
            Build.model(Build.entity("Item", [Build.attribute("name", isOptional: false)])))
        let saves = Recorder(.NSManagedObjectContextDidSave, stack.context)
        let item = stack.context.make("Item")
        #expect(code { try stack.context.save() } == 1570)
        #expect(saves.entries.isEmpty)
        item.setValue("a", forKey: "name")
        try stack.context.save()
        #expect(saves.entries.count == 1)
    }

    @Test func did_change_comes_once_an_event() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, context)
        let item = context.make("Item")
        item.setValue("a", forKey: "name")
        #expect(changes.entries.isEmpty)
        context.processPendingChanges()
        #expect(changes.keys == [["inserted"]])
        context.processPendingChanges()
        #expect(changes.entries.count == 1)
        item.setValue("b", forKey: "name")
        try context.save()
        item.setValue("c", forKey: "name")
        item.setValue("d", forKey: "name")
        _ = try context.count("Item")
        #expect(changes.keys.last == ["updated"])
        #expect(changes.objects("updated") == [item])
        context.delete(item)
        context.processPendingChanges()
        #expect(changes.keys.last == ["deleted"])
    }

    @Test func a_new_object_that_changes_again_is_an_updated_one() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        context.undoManager = UndoManager()
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, context)
        let saves = Recorder(.NSManagedObjectContextDidSave, context)
        let item = context.make("Item", ["name": "a"])
        context.processPendingChanges()
        item.setValue("b", forKey: "name")
        context.processPendingChanges()
        #expect(changes.keys == [["inserted"], ["updated"]])
        #expect(changes.objects("updated") == [item])
        context.undo()
        #expect(item.text("name") == "a" && changes.keys.last == ["updated"])
        item.setValue("c", forKey: "name")
        try context.save()
        #expect(changes.keys.last == ["updated"])
        #expect(saves.keys == [["inserted"]] && saves.objects("inserted") == [item])
    }

    @Test func a_deleted_object_is_not_refreshed() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let (one, two) = (context.make("Item"), context.make("Item"))
        try context.save()
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, context)
        context.delete(one)
        context.processPendingChanges()
        context.refreshAllObjects()
        context.processPendingChanges()
        #expect(changes.keys == [["deleted"], ["refreshed"]])
        #expect(changes.objects("refreshed") == [two])
    }

    @Test func refresh_reset_and_empty_events() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let item = context.make("Item")
        try context.save()
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, context)
        context.refresh(item, mergeChanges: true)
        context.processPendingChanges()
        #expect(changes.keys == [["refreshed"]])
        #expect(item.text("name") == "-")
        context.refresh(item, mergeChanges: false)
        context.rollback()
        context.refresh(item, mergeChanges: false)
        context.processPendingChanges()
        #expect(changes.keys.last == ["refreshed"])
        #expect(changes.entries.count == 2)
        let trace = context.make("Item")
        context.delete(trace)
        context.processPendingChanges()
        #expect(changes.entries.count == 3)
        #expect(changes.objects("deleted") == [trace])
        context.reset()
        #expect(changes.keys.last == ["invalidatedAll"])
    }

    @Test func cascaded_deletions_are_part_of_the_event() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let context = stack.context
        let department = context.make("Department")
        let ann = context.make("Person", ["department": department])
        let bob = context.make("Person", ["spouse": ann])
        try context.save()
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, context)
        let saves = Recorder(.NSManagedObjectContextDidSave, context)
        context.delete(department)
        #expect(!ann.isDeleted)
        context.processPendingChanges()
        #expect(changes.objects("deleted") == [department, ann])
        #expect(changes.objects("updated") == [bob])
        try context.save()
        #expect(saves.objects("deleted") == [department, ann])
        #expect(saves.objects("updated") == [bob])
    }
}
