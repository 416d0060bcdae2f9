// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An undo manager of several contexts, some of which go on other threads.
@Suite struct SharedUndoManagerTests {
    /// Hands the last reference to a context to another thread.
    private final class Parcel: @unchecked Sendable {
        // Unchecked: one thread fills it before another empties it.
        var context: NSManagedObjectContext?
    }

    @Test func a_context_that_goes_on_another_thread_takes_its_actions_along() throws {
        let stack = try Stack(ItemModel.make())
        let manager = UndoManager()
        stack.context.undoManager = manager
        for round in 1...60 {
            let parcel = makeParcel(stack, manager)
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { parcel.context = nil }
            for number in 0..<20 {
                stack.context.make("Item", ["name": "\(round) \(number)"])
                manager.beginUndoGrouping()
                manager.endUndoGrouping()
            }
            group.wait()
            #expect(manager.undoCount == 20 * round)
        }
        for _ in 0..<(20 * 60) { manager.undo() }
        #expect(!manager.canUndo)
        #expect(stack.context.insertedObjects.isEmpty)
    }

    /// A context with a change that can be undone, and no other reference to it.
    private func makeParcel(_ stack: Stack, _ manager: UndoManager) -> Parcel {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        context.undoManager = manager
        context.make("Item", ["name": "going"])
        context.processPendingChanges()
        let parcel = Parcel()
        parcel.context = context
        return parcel
    }
}
