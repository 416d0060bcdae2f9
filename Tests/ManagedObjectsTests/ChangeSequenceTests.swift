// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// The asynchronous sequence of a context's changes.
@Suite struct ChangeSequenceTests {
    @Test func changes_arrive_in_order_and_end_with_the_context() async throws {
        let stack = try Stack(ItemModel.make())
        var context: NSManagedObjectContext? = stack.container.newBackgroundContext()
        let sequence = try #require(context?.changeSequence())
        let ids = try work(try #require(context))
        context = nil
        var found: [String] = []
        var last: NSManagedObjectContextChange?
        for await change in sequence {
            found.append(
                "\(change.kind) +\(change.inserted.count) ~\(change.updated.count) "
                    + "-\(change.deleted.count) <\(change.refreshed.count) \(change.missedCount)")
            if change.kind == .saved { last = change }
        }
        #expect(
            found == [
                "changed +2 ~0 -0 <0 0", "saved +2 ~0 -0 <0 0", "changed +0 ~1 -1 <0 0",
                "saved +0 ~1 -1 <0 0", "changed +0 ~0 -0 <1 0", "merged +0 ~0 -0 <1 0",
                "reset +0 ~0 -0 <0 0",
            ])
        #expect(last?.updated == [ids[0]] && last?.deleted == [ids[1]])
    }

    private func work(_ context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        let items = [context.make("Item"), context.make("Item")]
        try context.save()
        items[0].setValue("a", forKey: "name")
        context.delete(items[1])
        try context.save()
        context.refresh(items[0], mergeChanges: true)
        context.processPendingChanges()
        #expect(items[0].text("name") == "a")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [items[0].objectID]], into: [context])
        let ids = items.map(\.objectID)
        context.reset()
        return ids
    }

    @Test func an_object_that_came_and_went_is_in_no_change() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        var iterator = context.changeSequence().makeAsyncIterator()
        context.delete(context.make("Item"))
        let kept = context.make("Item")
        context.processPendingChanges()
        let change = await iterator.next()
        #expect(change?.inserted == [kept.objectID] && change?.deleted == [])
    }

    @Test func a_slow_reader_learns_what_it_missed() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        var iterator = context.changeSequence(bufferingLimit: 2).makeAsyncIterator()
        for _ in 0..<5 {
            context.make("Item")
            context.processPendingChanges()
        }
        #expect(await iterator.next()?.missedCount == 0)
        #expect(await iterator.next()?.missedCount == 0)
        context.make("Item")
        context.processPendingChanges()
        let change = await iterator.next()
        #expect(change?.missedCount == 3 && change?.inserted.count == 1)
    }
}
