// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Misuse of a controller ends the program with a message.
@Suite struct FetchedResultsTrapTests {
    private final class Meddler: NSObject, NSFetchedResultsControllerDelegate {
        var meddle: (AnyController) -> Void = { _ in }

        func controllerDidChangeContent(_ controller: AnyController) { meddle(controller) }
    }

    /// Changes an item while the meddler is told.
    private static func run(_ meddle: @escaping (AnyController) -> Void) throws {
        let stack = try Stack(ItemModel.make())
        let controller = stack.context.controller("Item", by: ["name"])
        let meddler = Meddler()
        meddler.meddle = meddle
        controller.delegate = meddler
        try controller.performFetch()
        stack.context.make("Item", ["name": "a"])
        stack.context.processPendingChanges()
        #expect(controller.lines == [": a"])
    }

    @Test func a_delegate_may_look() throws {
        try Self.run { controller in
            #expect(controller.fetchedObjects?.count == 1)
            #expect((try? controller.managedObjectContext.all("Item"))?.count == 1)
        }
    }

    @Test func a_delegate_that_inserts() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { $0.managedObjectContext.make("Item") }
        }
    }

    @Test func a_delegate_that_changes_and_processes() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { controller in
                let context = controller.managedObjectContext
                (try? context.all("Item"))?.first?.setValue("b", forKey: "name")
                context.processPendingChanges()
            }
        }
    }

    @Test func a_delegate_that_saves() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { try? $0.managedObjectContext.save() }
        }
    }

    @Test func a_delegate_that_saves_while_the_context_saves() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let item = stack.context.make("Item", ["name": "a"])
            let controller = stack.context.controller("Item", by: ["name"])
            let meddler = Meddler()
            meddler.meddle = { try? $0.managedObjectContext.save() }
            controller.delegate = meddler
            try stack.context.save()
            try controller.performFetch()
            item.setValue("b", forKey: "name")
            try stack.context.save()
        }
    }

    @Test func a_delegate_that_rolls_back() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { $0.managedObjectContext.rollback() }
        }
    }

    @Test func a_delegate_that_resets() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { $0.managedObjectContext.reset() }
        }
    }

    @Test func a_delegate_that_changes_later() async throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let controller = context.controller("Item", by: ["name"])
        let meddler = Meddler()
        meddler.meddle = { _ in
            guard context.insertedObjects.count == 1 else { return }
            context.perform { context.make("Item", ["name": "b"]) }
        }
        controller.delegate = meddler
        try controller.performFetch()
        await context.perform(schedule: .enqueued) {
            _ = context.make("Item", ["name": "a"])
        }
        await context.perform(schedule: .enqueued) {}
        let lines = await context.perform { controller.lines }
        #expect(lines == [": a b"])
    }

    @Test func a_delegate_that_fetches_anew() async {
        await #expect(processExitsWith: .failure) {
            try Self.run { try? $0.performFetch() }
        }
    }

    @Test func an_index_path_out_of_range() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let controller = stack.context.controller("Item", by: ["name"])
            try controller.performFetch()
            _ = controller.object(at: IndexPath(item: 0, section: 0))
        }
    }
}
