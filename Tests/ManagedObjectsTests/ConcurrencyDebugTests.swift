// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// With `LODE_CONCURRENCY_DEBUG=1`, a use of a context or an object from a wrong queue traps.
@Suite struct ConcurrencyDebugTests {
    @Test func right_uses_run_through() async {
        await #expect(processExitsWith: .success) {
            setenv("LODE_CONCURRENCY_DEBUG", "1", 1)
            let stack = try Stack(ItemModel.make())
            let root = stack.container.newBackgroundContext()
            let child = Stack.child(of: root)
            try child.performAndWait {
                let item = child.make("Item", ["name": "a", "number": 1])
                try child.save()
                try root.performAndWait { try root.save() }
                child.refresh(item, mergeChanges: false)
                let found = try child.all("Item").map { $0.text("name") + "\($0.number("number"))" }
                guard found == ["a1"] else { exit(1) }
                child.delete(item)
                try child.save()
            }
            await child.perform { child.reset() }
            await root.perform { root.reset() }
            guard try await stack.context.perform({ try stack.context.count("Item") }) == 1 else {
                exit(2)
            }
            exit(0)
        }
    }

    @Test func a_fetch_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = try checkedPair().context.all("Item")
        }
        expect(["lode.context", "context mine", "was used on", "perform"], in: result)
    }

    @Test func an_insertion_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try checkedPair().context.make("Item")
        }
        expect(["Item", "context mine"], in: result)
    }

    @Test func reading_a_realised_object_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, item) = try checkedPair()
            _ = item.text("name")
            context.reset()
        }
        expect(["Item", "p1", "context mine"], in: result)
    }

    @Test func writing_from_another_contexts_queue() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, item) = try checkedPair()
            let other = NSManagedObjectContext(.privateQueue)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            other.name = "other"
            other.performAndWait { item.setValue("b", forKey: "name") }
        }
        expect(["Item", "context mine", "context other"], in: result)
    }

    @Test func changing_a_changed_object_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, item) = try checkedPair()
            context.performAndWait { item.setValue("b", forKey: "name") }
            item.setValue("c", forKey: "name")
            context.reset()
        }
        expect(["Item", "p1", "context mine"], in: result)
    }

    @Test func undoing_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, item) = try checkedPair()
            context.performAndWait {
                context.undoManager = UndoManager()
                item.setValue("b", forKey: "name")
            }
            context.undo()
        }
        expect(["context mine", "perform"], in: result)
    }

    @Test func redoing_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, item) = try checkedPair()
            context.performAndWait {
                context.undoManager = UndoManager()
                item.setValue("b", forKey: "name")
                context.undo()
            }
            context.redo()
        }
        expect(["context mine", "perform"], in: result)
    }

    @Test func refreshing_all_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (context, _) = try checkedPair()
            context.refreshAllObjects()
        }
        expect(["context mine", "perform"], in: result)
    }

    @Test func saving_from_outside() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try checkedPair().context.save()
        }
        expect(["context mine"], in: result)
    }

    private func expect(_ words: [String], in result: ExitTest.Result?) {
        // Optimised builds trap without a word.
        #if DEBUG
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            for word in words { #expect(text.contains(word), "\(word) in \(text.prefix(500))") }
        #endif
    }
}

/// A context that checks its uses, with a realised object.
private func checkedPair() throws -> (context: NSManagedObjectContext, item: NSManagedObject) {
    setenv("LODE_CONCURRENCY_DEBUG", "1", 1)
    let stack = try Stack(ItemModel.make())
    let context = stack.container.newBackgroundContext()
    context.name = "mine"
    return try context.performAndWait {
        let item = context.make("Item", ["name": "a"])
        try context.save()
        _ = item.text("name")
        return (context, item)
    }
}
