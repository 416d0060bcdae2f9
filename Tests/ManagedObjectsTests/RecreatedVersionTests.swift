// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An object whose saved deletion is undone has a newer version than any that was read before.
@Suite struct RecreatedVersionTests {
    private let stack: Stack
    private let stale: NSManagedObjectContext

    init() throws {
        stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        stale = stack.container.newBackgroundContext()
    }

    /// A change based on the first version is a conflict.
    private func expectConflict(_ item: NSManagedObject) {
        item.setValue(9, forKey: "number")
        #expect(code { try stale.save() } == 133020)
    }

    @Test func a_deletion_that_is_undone() throws {
        let old = try #require(try stale.named("a", "Item"))
        let context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        let item = try #require(try context.named("a", "Item"))
        context.delete(item)
        try context.save()
        context.undo()
        item.setValue(2, forKey: "number")
        try context.save()
        expectConflict(old)
        #expect(try stack.reading { try $0.named("a", "Item")?.number("number") } == 2)
    }

    @Test func an_insertion_that_is_redone() throws {
        let context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        let item = context.make("Item", ["name": "b"])
        try context.save()
        let old = try #require(try stale.named("b", "Item"))
        context.undo()
        try context.save()
        context.redo()
        try context.save()
        #expect(!item.isInserted)
        expectConflict(old)
    }

    @Test func a_deletion_that_a_child_undoes() throws {
        let old = try #require(try stale.named("a", "Item"))
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        child.undoManager = UndoManager()
        child.delete(try #require(try child.named("a", "Item")))
        try child.save()
        try root.save()
        child.undo()
        try child.save()
        try root.save()
        #expect(try stack.reading { try $0.count("Item") } == 1)
        expectConflict(old)
    }

    @Test func again_and_again() throws {
        let context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        let item = try #require(try context.named("a", "Item"))
        for round in 0..<3 {
            let reader = stack.container.newBackgroundContext()
            let old = try #require(try reader.named("a", "Item"))
            context.delete(item)
            try context.save()
            context.undo()
            try context.save()
            old.setValue(10 + round, forKey: "number")
            #expect(code { try reader.save() } == 133020)
        }
    }
}
