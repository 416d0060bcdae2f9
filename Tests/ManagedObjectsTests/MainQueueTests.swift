// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Blocks and merges of a main-queue context wait for the main queue, from the first one on.
///
/// Each test is a process of its own: the first context finds out who serves the main queue.
@Suite struct MainQueueTests {
    @Test func blocks_wait_for_the_end_of_the_turn_that_made_the_context() async {
        await #expect(processExitsWith: .success) { try await blocksOfTheFirstTurn() }
    }

    @Test func saves_of_the_first_turn_are_merged_behind_it() async {
        await #expect(processExitsWith: .success) { try await mergesOfTheFirstTurn() }
    }

    @Test func other_threads_wait_for_the_end_of_the_first_turn() async {
        await #expect(processExitsWith: .success) { try await threadBesideTheFirstTurn() }
    }

    @Test func a_main_queue_that_nobody_serves_yet_stops_nobody() async {
        await #expect(processExitsWith: .success) { try await entersBesideABlockedMainQueue() }
    }

    @Test func contexts_that_wait_for_the_main_queue_to_merge_can_end() async {
        await #expect(processExitsWith: .success) { try await contextEndsBesideABlockedMainQueue() }
    }
}

/// Ends the process unless something is as it should be.
private func check(_ isRight: Bool, _ message: String = "") { precondition(isRight, message) }

/// `perform` without a result, which an asynchronous function has to ask for like that.
private func later(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
    context.perform(block)
}

/// Waits until the main queue has run what it was given so far.
private func turnOfTheMainQueue() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}

@MainActor private func blocksOfTheFirstTurn() async throws {
    let stack = try Stack(ItemModel.make())
    let context = stack.context
    var ran = 0
    for round in 0..<200 {
        later(context) { ran += 1 }
        for number in 0..<50 { context.make("Item", ["name": "\(round)", "number": number]) }
        check(ran == 0, "a block ran in round \(round)")
    }
    check(try context.count("Item") == 10_000)
    check(ran == 0)
    await context.perform(schedule: .enqueued) {}
    check(ran == 200)
    withExtendedLifetime(stack) {}
}

@MainActor private func mergesOfTheFirstTurn() async throws {
    let stack = try Stack(ItemModel.make())
    let view = stack.context
    view.automaticallyMergesChangesFromParent = true
    let item = view.make("Item", ["name": "a"])
    try view.save()
    check(item.text("name") == "a")
    let other = stack.container.newBackgroundContext()
    for name in ["b", "c"] {
        try other.performAndWait {
            try other.existingObject(with: item.objectID).setValue(name, forKey: "name")
            try other.save()
        }
    }
    check(item.text("name") == "a")
    await turnOfTheMainQueue()
    // A realised object's values: reading one does not make the context look for saves.
    check(item.text("name") == "c")
    withExtendedLifetime(stack) {}
}

@MainActor private func threadBesideTheFirstTurn() async throws {
    let stack = try Stack(ItemModel.make())
    // Used inside `performAndWait` and on the main queue.
    nonisolated(unsafe) let context = stack.context
    let started = DispatchSemaphore(value: 0)
    // Set and read on the main queue.
    nonisolated(unsafe) var ran = false
    let thread = Thread {
        started.signal()
        context.performAndWait {
            context.make("Item", ["name": "thread"])
            ran = true
        }
    }
    thread.start()
    started.wait()
    for number in 0..<20_000 { context.make("Item", ["name": "turn", "number": number]) }
    check(!ran, "another thread was in the context")
    while !ran { await turnOfTheMainQueue() }
    check(try context.count("Item") == 20_001)
    withExtendedLifetime(stack) {}
}

private func entersBesideABlockedMainQueue() async throws {
    let gate = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { gate.wait() }
    let stack = try Stack(ItemModel.make())
    let context = stack.context
    let hasRun = Atomic(false)
    later(context) { hasRun.store(true, ordering: .relaxed) }
    context.performAndWait { _ = context.make("Item", ["name": "a"]) }
    check(try context.performAndWait { try context.count("Item") } == 1)
    check(!hasRun.load(ordering: .relaxed))
    gate.signal()
    await context.perform(schedule: .enqueued) {}
    check(hasRun.load(ordering: .relaxed))
    withExtendedLifetime(stack) {}
}

private func contextEndsBesideABlockedMainQueue() async throws {
    let gate = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { gate.wait() }
    let stack = try Stack(ItemModel.make())
    weak var ended: NSManagedObjectContext?
    func saveBesideAMergingContext() throws {
        let merging = NSManagedObjectContext(.mainQueue)
        merging.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        merging.automaticallyMergesChangesFromParent = true
        ended = merging
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            for name in ["a", "b"] {
                other.make("Item", ["name": name])
                try other.save()
            }
        }
        withExtendedLifetime(merging) {}
    }
    try saveBesideAMergingContext()
    check(ended == nil)
    gate.signal()
    await turnOfTheMainQueue()
    withExtendedLifetime(stack) {}
}
