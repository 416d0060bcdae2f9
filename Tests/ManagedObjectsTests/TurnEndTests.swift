// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import ManagedObjects
import Testing

/// What happens to a main-queue context in one turn of the main queue is one event.
@MainActor @Suite struct TurnEndTests {
    private func endOfTurn() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    private func changes(_ context: NSManagedObjectContext) -> SetRecorder {
        SetRecorder(.NSManagedObjectContextObjectsDidChange, context)
    }

    @Test func insertions_of_a_turn_are_told_at_its_end() async throws {
        let stack = try Stack(ItemModel.make())
        let changes = changes(stack.context)
        let (one, two) = (stack.context.make("Item"), stack.context.make("Item"))
        #expect(changes.sets.isEmpty)
        await endOfTurn()
        #expect(changes.sets == [["inserted": [one, two]]])
        await endOfTurn()
        #expect(changes.sets.count == 1)
    }

    @Test func each_turn_is_an_event() async throws {
        let stack = try Stack(ItemModel.make())
        let changes = changes(stack.context)
        let item = stack.context.make("Item")
        await endOfTurn()
        item.setValue("a", forKey: "name")
        item.setValue("b", forKey: "name")
        await endOfTurn()
        stack.context.delete(item)
        #expect(changes.sets.count == 2)
        await endOfTurn()
        #expect(
            changes.sets == [["inserted": [item]], ["updated": [item]], ["deleted": [item]]])
    }

    @Test func updates_deletions_and_refreshes_of_saved_objects() async throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<3).map { stack.context.make("Item", ["number": $0]) }
        try stack.context.save()
        let changes = changes(stack.context)
        await endOfTurn()
        #expect(changes.sets.isEmpty)
        items[0].setValue(7, forKey: "number")
        await endOfTurn()
        stack.context.delete(items[1])
        await endOfTurn()
        #expect(items[2].number("number") == 2)
        stack.context.refresh(items[2], mergeChanges: false)
        await endOfTurn()
        #expect(
            changes.sets == [
                ["updated": [items[0]]], ["deleted": [items[1]]], ["refreshed": [items[2]]],
            ])
    }

    @Test func delete_rules_run_at_the_end_of_the_turn() async throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let person = stack.context.make("Person", ["name": "p", "department": department])
        try stack.context.save()
        stack.context.delete(department)
        #expect(person.one("department") === department)
        await endOfTurn()
        #expect(person.one("department") == nil)
    }

    @Test func live_results_follow_without_a_save() async throws {
        let stack = try Stack(ItemModel.make())
        let controller = stack.context.controller("Item", by: ["name"])
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        stack.context.make("Item", ["name": "a"])
        #expect(recorder.take().isEmpty)
        await endOfTurn()
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["a"])
        #expect(recorder.take() == ["will", "insert a - 0.0", "did"])
    }

    @Test func a_child_on_the_main_queue_ends_its_events_too() async throws {
        let stack = try Stack(ItemModel.make())
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        let changes = changes(child)
        let parents = self.changes(stack.context)
        let item = child.make("Item")
        await endOfTurn()
        #expect(changes.sets == [["inserted": [item]]])
        #expect(parents.sets.isEmpty)
    }

    @Test func blocks_run_at_once_belong_to_the_turn() async throws {
        let stack = try Stack(ItemModel.make())
        let changes = changes(stack.context)
        let one = stack.context.performAndWait { stack.context.make("Item") }
        let two = stack.context.make("Item")
        #expect(changes.sets.isEmpty)
        await endOfTurn()
        #expect(changes.sets == [["inserted": [one, two]]])
    }

    @Test func a_block_of_another_thread_is_a_turn_of_its_own() async throws {
        let stack = try Stack(ItemModel.make())
        let changes = changes(stack.context)
        await stack.context.perform {}
        // Used inside `performAndWait` only.
        nonisolated(unsafe) let context = stack.context
        let name = await Task.detached {
            context.performAndWait { context.make("Item", ["name": "a"]).text("name") }
        }.value
        #expect(name == "a")
        #expect(changes.sets.map(\.keys).map(Array.init) == [["inserted"]])
    }

    @Test func what_was_processed_within_the_turn_is_not_told_again() async throws {
        let stack = try Stack(ItemModel.make())
        let changes = changes(stack.context)
        for _ in 0..<3 {
            stack.context.make("Item")
            stack.context.processPendingChanges()
        }
        let last = stack.context.make("Item")
        await endOfTurn()
        #expect(changes.sets.count == 4)
        #expect(changes.sets.last == ["inserted": [last]])
    }

    @Test func a_context_ends_before_its_turn_does() async throws {
        weak var ended: NSManagedObjectContext?
        do {
            let stack = try Stack(ItemModel.make())
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
            context.make("Item")
            ended = context
        }
        #expect(ended == nil)
        await endOfTurn()
    }

    @Test func a_private_context_waits_for_the_end_of_its_block() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        let changes = changes(context)
        context.performAndWait { _ = context.make("Item") }
        await endOfTurn()
        #expect(changes.sets.isEmpty)
        await context.perform { _ = context.make("Item") }
        #expect(changes.sets.map { $0["inserted"]?.count } == [2])
    }

    /// Changes another object whenever one object was changed.
    private func follow(
        _ context: NSManagedObjectContext, _ leader: NSManagedObject, _ follower: NSManagedObject
    ) -> any NSObjectProtocol {
        // All of it happens on the main thread.
        nonisolated(unsafe) let (leader, follower) = (leader, follower)
        return NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            let updated = note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
            guard updated.contains(leader) else { return }
            follower.setValue(follower.number("number") + 1, forKey: "number")
        }
    }

    @Test(arguments: ["turn", "performAndWait", "value", "perform"])
    func what_an_observer_changes_is_told_with_the_next_turn(_ way: String) async throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<2).map { stack.context.make("Item", ["number": $0]) }
        try stack.context.save()
        let observer = follow(stack.context, items[0], items[1])
        defer { NotificationCenter.default.removeObserver(observer) }
        let changes = changes(stack.context)
        for round in 1...3 {
            switch way {
            case "turn": items[0].setValue(round + 10, forKey: "number")
            case "performAndWait":
                stack.context.performAndWait { items[0].setValue(round + 10, forKey: "number") }
            case "value":
                let run: (() -> Void) -> Void = stack.context.performAndWait
                run { items[0].setValue(round + 10, forKey: "number") }
            default:
                // As above.
                nonisolated(unsafe) let item = items[0]
                await stack.context.perform { item.setValue(round + 10, forKey: "number") }
            }
            await endOfTurn()
            await endOfTurn()
            #expect(items[1].number("number") == 1 + round)
            #expect(changes.sets.count == 2 * round, "\(way), round \(round)")
        }
        #expect(changes.sets.last == ["updated": [items[1]]])
    }

    @Test func what_an_observer_of_a_merge_changes_is_told() async throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<2).map { stack.context.make("Item", ["number": $0]) }
        try stack.context.save()
        stack.context.automaticallyMergesChangesFromParent = true
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { [item = UncheckedBox(items[1])] note in
            guard note.userInfo?[NSRefreshedObjectsKey] != nil else { return }
            item.value.setValue(5, forKey: "number")
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let id = items[0].objectID
        let background = stack.container.newBackgroundContext()
        try await background.perform {
            try background.existingObject(with: id).setValue(9, forKey: "number")
            try background.save()
        }
        for _ in 0..<4 { await endOfTurn() }
        #expect(items[0].number("number") == 9)
        let changes = changes(stack.context)
        items[0].setValue(10, forKey: "number")
        await endOfTurn()
        #expect(changes.sets == [["updated": [items[0]]]])
    }
}

/// An object for a closure that has to be sendable, and runs on the main thread.
private struct UncheckedBox: @unchecked Sendable {
    // Used on the main thread only.
    let value: NSManagedObject

    init(_ value: NSManagedObject) { self.value = value }
}
