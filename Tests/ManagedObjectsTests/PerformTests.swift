// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// `perform` and `performAndWait`, alone and nested.
@Suite struct PerformTests {
    @Test func perform_and_wait_nests_and_returns() throws {
        let stack = try Stack(ItemModel.make())
        for context in [stack.context, stack.container.newBackgroundContext()] {
            let result = context.performAndWait {
                context.performAndWait { context.performAndWait { 6 } * 7 }
            }
            #expect(result == 42)
        }
    }

    @Test func perform_and_wait_rethrows_and_unlocks() throws {
        let stack = try Stack(ItemModel.make())
        #expect(throws: CocoaError.self) {
            try stack.context.performAndWait { throw CocoaError(.coreData) }
        }
        #expect(stack.context.performAndWait { 1 } == 1)
    }

    @Test func one_context_inside_another() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        try stack.context.performAndWait {
            stack.context.make("Item", ["name": "a"])
            try stack.context.save()
            try other.performAndWait {
                #expect(try other.count("Item") == 1)
                other.make("Item", ["name": "b"])
                try other.save()
            }
            #expect(try stack.context.count("Item") == 2)
        }
    }

    @Test func execute_runs_in_the_innermost_context() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        try stack.context.performAndWait {
            stack.context.make("Item", ["name": "unsaved"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            #expect(try request.execute().count == 1)
            let theirs = try other.performAndWait { try request.execute() }
            #expect(theirs.isEmpty)
            #expect(try request.execute().count == 1)
        }
    }

    @Test func asynchronous_perform_returns_values_and_errors() async throws {
        let stack = try Stack(ItemModel.make())
        for context in [stack.context, stack.container.newBackgroundContext()] {
            let sum = await context.perform { 1 + 1 }
            #expect(sum == 2)
            let later = await context.perform(schedule: .enqueued) { "later" }
            #expect(later == "later")
            await #expect(throws: CocoaError.self) {
                try await context.perform { throw CocoaError(.coreData) }
            }
        }
    }

    @Test func perform_processes_pending_changes_at_its_end() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        await context.perform {
            let item = context.make("Item")
            context.delete(item)
        }
        #expect(context.performAndWait { !context.hasChanges })
        await withCheckedContinuation { continuation in
            context.perform {
                let item = context.make("Item")
                context.delete(item)
                #expect(context.hasChanges)
            }
            context.perform {
                #expect(!context.hasChanges)
                continuation.resume()
            }
        }
    }

    @Test func blocks_of_one_context_never_overlap() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        context.performAndWait { _ = context.make("Item", ["name": "n", "number": 0]) }
        // Handed over unchecked, as `perform` is what makes the use of one context safe.
        nonisolated(unsafe) let shared = context
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let context = shared
                    await context.perform {
                        let item = context.insertedObjects.first!
                        item.setValue(item.number("number") + 1, forKey: "number")
                    }
                }
            }
        }
        #expect(context.performAndWait { context.insertedObjects.first?.number("number") } == 50)
    }

    @Test func blocks_run_in_the_order_of_arrival() async throws {
        let stack = try Stack(ItemModel.make())
        for context in [stack.context, stack.container.newBackgroundContext()] {
            let order = Order()
            order.fill(context)
            await context.perform(schedule: .enqueued) { order.add(200) }
            #expect(order.numbers == Array(0...200))
        }
    }

    @Test func performAndWait_follows_the_blocks_that_wait() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        let order = Order()
        for number in 0..<100 {
            context.perform { order.add(2 * number) }
            context.performAndWait { order.add(2 * number + 1) }
        }
        #expect(order.numbers == Array(0..<200))
    }

    @Test func what_a_block_holds_may_use_the_context_as_it_goes() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        let order = Order()
        let gate = DispatchSemaphore(value: 0)
        do {
            let importer = Importer(context, order)
            context.perform {
                gate.wait()
                order.add(importer.number)
            }
        }
        context.perform { order.add(3) }
        gate.signal()
        context.performAndWait { order.add(4) }
        #expect(order.numbers == [1, 2, 3, 4])
    }

    @Test func a_waiting_block_keeps_its_context() async throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let saved = await withCheckedContinuation { continuation in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            context.perform { context.make("Item", ["name": "kept"]) }
            context.perform {
                continuation.resume(returning: code { try context.save() } == nil)
            }
        }
        #expect(saved)
        #expect(
            try stack.container.newBackgroundContext().names("Item", "TRUEPREDICATE") == ["kept"])
    }

    @Test func nesting_from_one_context_through_another_and_back() throws {
        let stack = try Stack(ItemModel.make())
        let first = stack.container.newBackgroundContext()
        for second in [stack.container.newBackgroundContext(), stack.context] {
            let result = first.performAndWait {
                second.performAndWait { first.performAndWait { second.performAndWait { 42 } } }
            }
            #expect(result == 42)
        }
    }

    @MainActor @Test func the_main_actor_is_on_the_main_queue() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        await context.perform {}
        let background = stack.container.newBackgroundContext()
        let count = try context.performAndWait {
            context.make("Item")
            try context.save()
            return try background.performAndWait {
                try context.performAndWait { try context.count("Item") }
            }
        }
        #expect(count == 1)
        var isInline = false
        await context.perform(schedule: .immediate) { isInline = true }
        #expect(isInline)
    }

    @Test func a_child_of_a_main_queue_context_works_from_any_thread() async throws {
        let stack = try Stack(ItemModel.make())
        let parent = stack.context
        await parent.perform { () -> Void in parent.make("Item", ["name": "a"]) }
        let child = Stack.child(of: parent)
        try await child.perform {
            let item = try child.named("a", "Item")
            item?.setValue("b", forKey: "name")
            try child.save()
        }
        let names = try await parent.perform { try parent.names("Item", "TRUEPREDICATE") }
        #expect(names == ["b"])
    }
}

/// Numbers in the order in which they come.
// Sendable because the blocks of one context add to it, one at a time.
private final class Order: @unchecked Sendable {
    private(set) var numbers: [Int] = []

    func add(_ number: Int) { numbers.append(number) }

    /// Hands over blocks without waiting for them.
    func fill(_ context: NSManagedObjectContext) {
        for number in 0..<200 { context.perform { self.add(number) } }
    }
}

/// Uses its context once more as it goes.
private final class Importer: @unchecked Sendable {
    // Unchecked: used in blocks of the context alone.
    private let context: NSManagedObjectContext
    private let order: Order
    let number = 1

    init(_ context: NSManagedObjectContext, _ order: Order) {
        (self.context, self.order) = (context, order)
    }

    deinit { context.performAndWait { order.add(2) } }
}
