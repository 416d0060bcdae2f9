// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Contexts that are not in use while others save.
@Suite struct IdleContextTests {
    private func size(_ stack: Stack) throws -> Int {
        let path = stack.url.path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }

    private func fill(_ stack: Stack, count: Int) throws -> [NSManagedObjectID] {
        let context = stack.container.newBackgroundContext()
        return try context.performAndWait {
            let items = (0..<count).map { number in
                context.make("Item", ["name": "item \(number)", "number": number])
            }
            try context.save()
            return items.map(\.objectID)
        }
    }

    /// Saves of 100 updates each, spread over all objects.
    private func update(
        _ container: NSPersistentContainer, _ identifiers: [NSManagedObjectID], saves: Int
    ) throws {
        let context = container.newBackgroundContext()
        var position = 0
        for round in 0..<saves {
            try context.performAndWait {
                for _ in 0..<100 {
                    position = (position + 7_919) % identifiers.count
                    context.object(with: identifiers[position]).setValue(round, forKey: "number")
                }
                try context.save()
            }
        }
    }

    /// Saves on a thread of its own.
    private func startSaving(
        _ container: NSPersistentContainer, _ identifiers: [NSManagedObjectID]
    ) -> Thread {
        let thread = Thread {
            do { try update(container, identifiers, saves: 200) } catch { Issue.record(error) }
        }
        thread.start()
        return thread
    }

    @Test func an_idle_view_context_does_not_make_the_file_grow() throws {
        let stack = try Stack(ItemModel.make())
        let identifiers = try fill(stack, count: 100_000)
        let before = try size(stack)
        let held = try stack.context.existingObject(with: identifiers[7_919])
        #expect(held.number("number") == 7_919)
        try update(stack.container, identifiers, saves: 1_000)
        let ratio = Double(try size(stack)) / Double(before)
        #expect(ratio < 1.3, "the file grew by a factor of \(ratio)")
        // Moved along, and yet the object has the value that was read.
        #expect(held.number("number") == 7_919)
        #expect(held.text("name") == "item 7919")
    }

    @Test func a_context_that_runs_batch_requests_does_not_make_the_file_grow() throws {
        let stack = try Stack(ItemModel.make())
        let identifiers = try fill(stack, count: 50_000)
        let before = try size(stack)
        let held = try stack.context.existingObject(with: identifiers[7_919])
        #expect(held.text("name") == "item 7919")
        for round in 0..<200 {
            let request = NSBatchUpdateRequest(entityName: "Item")
            let first = round * 7_919 % 48_000
            request.predicate = NSPredicate(
                format: "number >= %d AND number < %d", first, first + 2_000)
            request.propertiesToUpdate = ["name": "changed"]
            try stack.context.execute(request)
        }
        let ratio = Double(try size(stack)) / Double(before)
        #expect(ratio < 1.5, "the file grew by a factor of \(ratio)")
        // Moved along, and yet the object has the value that was read.
        #expect(held.text("name") == "item 7919")
        stack.context.refresh(held, mergeChanges: false)
        #expect(held.text("name") == "changed")
    }

    @Test func a_pinned_context_keeps_what_it_sees_and_lets_go_when_unpinned() throws {
        let stack = try Stack(ItemModel.make())
        let identifiers = try fill(stack, count: 20_000)
        try stack.context.setQueryGenerationFrom(.current)
        try update(stack.container, identifiers, saves: 300)
        let fault = stack.context.object(with: identifiers[7_919])
        #expect(fault.number("number") == 7_919)
        let grown = try size(stack)
        try stack.context.setQueryGenerationFrom(nil)
        try update(stack.container, identifiers, saves: 300)
        #expect(try size(stack) <= grown + grown / 4)
    }

    @Test func objects_of_idle_contexts_on_other_threads_keep_their_values() throws {
        let stack = try Stack(ItemModel.make())
        let identifiers = try fill(stack, count: 200)
        let idle = stack.container.newBackgroundContext()
        let held = idle.performAndWait { identifiers.map { idle.object(with: $0) } }
        idle.performAndWait {
            for (number, item) in held.enumerated() { #expect(item.number("number") == number) }
        }
        let saver = startSaving(stack.container, identifiers)
        while !saver.isFinished {
            idle.performAndWait {
                for (number, item) in held.enumerated() {
                    #expect(item.number("number") == number)
                }
            }
        }
        idle.performAndWait {
            idle.refreshAllObjects()
            #expect(held.map { $0.number("number") }.contains { $0 > 100 })
        }
    }

    @Test func a_fetch_beside_another_threads_saves_sees_whole_commits_only() throws {
        let stack = try Stack(ItemModel.make())
        let identifiers = try fill(stack, count: 100)
        let reader = stack.container.newBackgroundContext()
        let saver = startSaving(stack.container, identifiers)
        while !saver.isFinished {
            try reader.performAndWait {
                reader.reset()
                let numbers = try reader.all("Item").map { $0.number("number") }
                // Each save sets all hundred objects to its round.
                #expect(Set(numbers).count == 1 || numbers.sorted() == Array(0..<100))
            }
        }
    }
}
