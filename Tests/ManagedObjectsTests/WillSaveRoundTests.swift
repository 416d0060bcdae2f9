// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Writes an entry of a log whenever it is saved, however often it is asked.
final class LoggedItem: NSManagedObject {
    override func willSave() {
        super.willSave()
        let event = isDeleted ? "deleted" : isInserted ? "inserted" : "updated"
        managedObjectContext?.make("Entry", ["text": "\(text("name")) \(event)"])
        // The other one may have been asked before.
        if isUpdated, let other = one("other"), other.number("seen") == 0 {
            other.setValue(1, forKey: "seen")
        }
    }
}

/// Inserts another one whenever it is saved.
final class EndlessNode: NSManagedObject {
    override func willSave() { managedObjectContext?.make("Node") }
}

/// `willSave()` is called again for what has changed since its call, and for nothing else.
@Suite struct WillSaveRoundTests {
    private func stack() throws -> Stack {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name", isOptional: false),
                Build.attribute("seen", .integer64AttributeType, default: 0),
            ], class: LoggedItem.self)
        _ = Build.relationship("other", of: item, to: item, max: 1)
        return try Stack(Build.model(item, Build.entity("Entry", [Build.attribute("text")])))
    }

    /// What the log has by now, which begins anew.
    private func log(_ context: NSManagedObjectContext) throws -> [String] {
        let entries = try context.all("Entry")
        defer { for entry in entries { context.delete(entry) } }
        return entries.map { $0.text("text") }.sorted()
    }

    @Test(arguments: [false, true]) func a_log_of_each_save_is_written_once(
        isChild: Bool
    ) throws {
        let stack = try stack()
        let context = isChild ? Stack.child(of: stack.context) : stack.context
        let a = context.make("Item", ["name": "a"])
        try context.save()
        #expect(try log(context) == ["a inserted"])
        a.setValue(2, forKey: "seen")
        try context.save()
        #expect(try log(context) == ["a updated"])
        context.delete(a)
        try context.save()
        #expect(try log(context) == ["a deleted"])
    }

    @Test func what_another_one_changes_is_asked_again() throws {
        let stack = try stack()
        let context = stack.context
        let a = context.make("Item", ["name": "a"])
        let b = context.make("Item", ["name": "b", "other": a])
        a.setValue(b, forKey: "other")
        try context.save()
        _ = try log(context)
        a.setValue("A", forKey: "name")
        try context.save()
        // It changes the other one, whose call changes it once more.
        #expect(try log(context) == ["A updated", "A updated", "b updated"])
        #expect(a.number("seen") == 1 && b.number("seen") == 1)
    }

    @Test func one_that_a_hook_deletes_is_asked_again() throws {
        let stack = try stack()
        let context = stack.context
        let a = context.make("Item", ["name": "a"])
        try context.save()
        _ = try log(context)
        a.setValue(2, forKey: "seen")
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            // The first round of hooks is over once the log has an entry.
            let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
            guard let context = note.object as? NSManagedObjectContext,
                inserted.contains(where: { $0.text("text") == "a updated" })
            else { return }
            for item in context.updatedObjects { context.delete(item) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try context.save()
        #expect(try log(context) == ["a deleted", "a updated"])
        #expect(try context.count("Item") == 0)
    }

    @Test func an_endless_chain_of_insertions_traps() async {
        await #expect(processExitsWith: .failure) {
            let node = Build.entity("Node", [], class: EndlessNode.self)
            let stack = try Stack(Build.model(node))
            stack.context.make("Node")
            try stack.context.save()
        }
    }
}
