// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects
@testable import Store

/// Bytes of the map are read at the state only that they were found in.
@Suite struct StampTests {
    /// Takes all places of the store's readers.
    private func occupyReaders(_ context: NSManagedObjectContext) throws -> [StoreSnapshot] {
        let store = try context.requireStore()
        while store.spares.take() != nil {}
        var snapshots: [StoreSnapshot] = []
        while let next = try? store.makeSnapshot() { snapshots.append(next) }
        return snapshots
    }

    private func filled() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        let context = stack.container.newBackgroundContext()
        for number in 0..<50 { context.make("Item", ["name": "old", "number": number]) }
        try context.save()
        return stack
    }

    @Test func a_fault_bound_before_a_failed_move_is_read_anew() throws {
        let stack = try filled()
        let context = stack.container.newBackgroundContext()
        let other = stack.container.newBackgroundContext()
        let items = try context.all("Item", NSPredicate(format: "number < 25"))
        let read = items.prefix(5).map { ($0, $0.text("name")) }
        #expect(items.count == 25 && read.allSatisfy { $0.1 == "old" })
        let mine = try #require(try context.all("Item", NSPredicate(format: "number == 40")).first)
        mine.setValue("mine", forKey: "name")
        for item in try other.all("Item", NSPredicate(format: "number < 25")) {
            item.setValue("new", forKey: "name")
        }
        try other.save()
        let before = context.stamp
        var occupied = try occupyReaders(context)
        #expect(occupied.count > 100)
        try context.save()
        #expect(context.lastReadError != nil && context.snapshot == nil)
        occupied = []
        #expect(context.stamp > before)
        // The next snapshot is the context's second one: its stamp is no former one.
        _ = try context.requireSnapshot()
        #expect(context.stamp > before)
        for item in items.dropFirst(5) { #expect(item.text("name") == "new") }
        for (item, text) in read { #expect(item.text("name") == text) }
        #expect(mine.text("name") == "mine")
    }

    @Test func no_two_states_of_a_context_have_a_stamp_in_common() throws {
        let stack = try filled()
        let context = stack.container.newBackgroundContext()
        let other = stack.container.newBackgroundContext()
        var seen: [UInt32] = [context.stamp]
        func note() { seen.append(context.stamp) }
        _ = try context.all("Item")
        note()
        #expect(context.parkForRemap(0))
        note()
        _ = try context.all("Item")
        note()
        other.make("Item", ["name": "next"])
        try other.save()
        let held = try context.all("Item")
        note()
        context.reset()
        note()
        _ = try context.all("Item")
        note()
        context.make("Item", ["name": "own"])
        try context.save()
        note()
        #expect(held.count == 51 && seen.count == 8)
        #expect(seen == Set(seen).sorted(), "\(seen)")
    }

    @Test func stamps_that_begin_again_leave_no_object_bound() throws {
        let stack = try filled()
        let context = stack.container.newBackgroundContext()
        context.readPoint.stamp = .max - 1
        let items = try context.all("Item")
        #expect(context.stamp == .max && items.allSatisfy { $0.boundStamp == .max })
        let read = items[0]
        #expect(read.text("name") == "old" && read.readStamp == .max)
        #expect(context.parkForRemap(0))
        #expect(context.stamp == 1)
        #expect(items.allSatisfy { $0.boundStamp == 0 && $0.readStamp == 0 })
        #expect(read.text("name") == "old" && items[1].text("name") == "old")
    }
}
