// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Changes that go with a store which another thread removes.
@Suite struct LostChangesTests {
    enum Change: CaseIterable {
        case update, processed, deletion, read, child
    }

    private func change(_ change: Change, _ context: NSManagedObjectContext) throws {
        let book = try #require(try context.all("Book").first)
        if change == .deletion { context.delete(book) } else { book.setValue("B", forKey: "title") }
        if change == .processed { context.processPendingChanges() }
    }

    @Test("A save does not return as if it had written what went with the store meanwhile")
    func saves_throw_until_the_changes_are_rolled_back() throws {
        for change in Change.allCases {
            for isBack in [false, true] { try run(change, isBack) }
        }
    }

    private func run(_ kind: Change, _ isBack: Bool) throws {
        let folder = try StoreFolder()
        let first = try folder.open([("a.lode", nil)])
        first.make("Book", ["title": "A"])
        try first.save()
        let root = folder.makeContext()
        let context = kind == .child ? NSManagedObjectContext(.privateQueue) : root
        if kind == .child { context.parent = root }
        let changed = DispatchSemaphore(value: 0)
        let removed = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        context.perform {
            #expect(throws: Never.self) { try change(kind, context) }
            changed.signal()
            removed.wait()
            if kind == .read { _ = try? context.all("Book") }
            #expect(code { try context.save() } == 134070)
            #expect(code { try context.save() } == 134070)
            context.rollback()
            #expect(code { try context.save() } == nil)
            finished.signal()
        }
        changed.wait()
        try folder.coordinator.remove(try folder.store("a.lode"))
        if isBack { try folder.add("a.lode") }
        removed.signal()
        finished.wait()
        if !isBack { try folder.add("a.lode") }
        #expect(try folder.makeContext().values("title", of: "Book") == ["A"])
        try context.performAndWait {
            try change(.update, context)
            try context.save()
        }
        if kind == .child { try root.performAndWait { try root.save() } }
        #expect(try folder.makeContext().values("title", of: "Book") == ["B"])
    }
}
