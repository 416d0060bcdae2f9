// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Contexts that merge by themselves what is saved beneath them.
@Suite(.inBothPlaces) struct AutomaticMergingTests {
    private func merging(_ context: NSManagedObjectContext) -> NSManagedObjectContext {
        context.automaticallyMergesChangesFromParent = true
        return context
    }

    /// The values of an item, read once the context has merged what waits for it.
    private func name(
        _ id: NSManagedObjectID, _ context: NSManagedObjectContext
    ) async -> String {
        await context.perform(schedule: .enqueued) { context.object(with: id).text("name") }
    }

    @Test func it_is_off_at_first() throws {
        let stack = try Stack(ItemModel.make())
        #expect(!stack.context.automaticallyMergesChangesFromParent)
        #expect(!stack.container.newBackgroundContext().automaticallyMergesChangesFromParent)
    }

    @Test func siblings_follow_each_other() async throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let reader = merging(stack.container.newBackgroundContext())
        let stubborn = stack.container.newBackgroundContext()
        let id = try await writer.perform {
            let item = writer.make("Item", ["name": "a", "number": 1])
            try writer.save()
            return item.objectID
        }
        let held = await reader.perform { Held(reader.object(with: id)) }
        let ignored = await stubborn.perform { Held(stubborn.object(with: id)) }
        #expect(await name(id, reader) == "a")
        #expect(await name(id, stubborn) == "a")
        await reader.perform { held.object.setValue(5, forKey: "number") }
        try await writer.perform {
            writer.object(with: id).setValue("b", forKey: "name")
            writer.object(with: id).setValue(9, forKey: "number")
            try writer.save()
        }
        #expect(await name(id, reader) == "b")
        #expect(await name(id, stubborn) == "a")
        let number = await reader.perform { held.object.number("number") }
        #expect(number == 5, "own unsaved changes win")
        await reader.perform { reader.rollback() }
        reader.automaticallyMergesChangesFromParent = false
        try await writer.perform {
            writer.object(with: id).setValue("c", forKey: "name")
            try writer.save()
        }
        #expect(await name(id, reader) == "b")
        await reader.perform { held.drop() }
        await stubborn.perform { ignored.drop() }
    }

    @Test func children_follow_the_parents_saves_and_their_siblings() async throws {
        let stack = try Stack(ItemModel.make())
        let root = merging(stack.container.newBackgroundContext())
        let child = merging(Stack.child(of: root))
        let sibling = Stack.child(of: root)
        let id = try await root.perform {
            let item = root.make("Item", ["name": "a"])
            try root.save()
            return item.objectID
        }
        let held = await child.perform { Held(child.object(with: id)) }
        #expect(await name(id, child) == "a")
        await root.perform { root.object(with: id).setValue("b", forKey: "name") }
        #expect(await name(id, child) == "a", "an unsaved change does not show")
        try await root.perform { try root.save() }
        #expect(await name(id, child) == "b")
        try await sibling.perform {
            sibling.object(with: id).setValue("c", forKey: "name")
            try sibling.save()
        }
        #expect(await name(id, child) == "c")
        try await root.perform { try root.save() }
        let other = stack.container.newBackgroundContext()
        try await other.perform {
            other.object(with: id).setValue("d", forKey: "name")
            try other.save()
        }
        await root.perform(schedule: .enqueued) {}
        #expect(await name(id, child) == "d", "what the parent merges goes on to its children")
        await child.perform { held.drop() }
    }

    @Test func deletions_arrive_and_leave_nothing_to_save() async throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let reader = merging(stack.container.newBackgroundContext())
        let id = try await writer.perform {
            let item = writer.make("Item", ["name": "a"])
            try writer.save()
            return item.objectID
        }
        let held = await reader.perform { Held(reader.object(with: id)) }
        #expect(await name(id, reader) == "a")
        try await writer.perform {
            writer.delete(writer.object(with: id))
            try writer.save()
        }
        await reader.perform(schedule: .enqueued) {
            #expect(held.object.managedObjectContext == nil && !reader.hasChanges)
            held.drop()
        }
    }

    @Test func a_block_that_runs_sees_no_merge() async throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        let reader = merging(stack.container.newBackgroundContext())
        let id = try await writer.perform {
            let item = writer.make("Item", ["name": "a"])
            try writer.save()
            return item.objectID
        }
        try await reader.perform {
            let item = reader.object(with: id)
            #expect(item.text("name") == "a")
            try writer.performAndWait {
                writer.object(with: id).setValue("b", forKey: "name")
                try writer.save()
            }
            _ = try reader.all("Item")
            #expect(item.text("name") == "a")
        }
        #expect(await name(id, reader) == "b")
    }

    /// A child's new object that others' deletion takes along in the parent, where it was never
    /// saved.
    @Test(arguments: [false, true])
    func a_child_learns_what_its_parent_lost_unsaved(_ isRollback: Bool) async throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let department = stack.context.make("Department", ["name": "d"])
        try stack.context.save()
        let id = department.objectID
        let parent = merging(stack.container.newBackgroundContext())
        let child = merging(Stack.child(of: parent))
        let held = try await child.perform {
            let person = child.make("Person", ["name": "p"])
            person.setValue(try child.existingObject(with: id), forKey: "department")
            try child.save()
            return Held(person)
        }
        if isRollback { await parent.perform { parent.rollback() } }
        let other = stack.container.newBackgroundContext()
        try await other.perform {
            other.delete(try other.existingObject(with: id))
            try other.save()
        }
        await parent.perform(schedule: .enqueued) {}
        try await child.perform(schedule: .enqueued) {
            let found = try child.all("Person")
            #expect(found.isEmpty)
            #expect(held.object.managedObjectContext == nil)
        }
        try await parent.perform { try parent.save() }
        #expect(try stack.reading { try $0.count("Person") } == 0)
    }

    @Test func a_context_that_went_away_is_no_trouble() async throws {
        let stack = try Stack(ItemModel.make())
        let writer = stack.container.newBackgroundContext()
        for _ in 0..<3 { _ = merging(stack.container.newBackgroundContext()) }
        try await writer.perform {
            writer.make("Item")
            try writer.save()
        }
        #expect(try stack.context.count("Item") == 1)
    }
}

/// An object that is handed from one block of its context to the next.
// Sendable because it is used inside the context's blocks only.
private final class Held: @unchecked Sendable {
    private var held: NSManagedObject?

    init(_ object: NSManagedObject) { held = object }

    var object: NSManagedObject {
        guard let held else { preconditionFailure("the object was dropped") }
        return held
    }

    /// On the context's queue the object leaves the context at once.
    func drop() { held = nil }
}
