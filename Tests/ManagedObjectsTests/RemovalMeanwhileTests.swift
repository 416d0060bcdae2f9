// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Stores that go, or give way to others, before a context looks what has become of them.
@Suite struct RemovalMeanwhileTests {
    enum Event: CaseIterable, Sendable { case removal, returning, exchange }

    /// Takes the store away on another thread, and adds it again or another one.
    private func happen(_ event: Event, in folder: StoreFolder) throws {
        let coordinator = folder.coordinator
        let store = try folder.store("a.lode")
        let url = folder.url(event == .returning ? "a.lode" : "other.lode")
        let finished = DispatchSemaphore(value: 0)
        // The semaphore orders the accesses.
        nonisolated(unsafe) var failure: (any Error)?
        Thread.detachNewThread {
            do {
                try coordinator.remove(store)
                if event != .removal {
                    _ = try coordinator.addPersistentStore(
                        type: .sqlite, at: url, options: [LodeDurabilityOption: "none"])
                }
            } catch {
                failure = error
            }
            finished.signal()
        }
        finished.wait()
        if let failure { throw failure }
    }

    private func filled(_ folder: StoreFolder) throws -> NSManagedObjectContext {
        let context = try folder.open([("a.lode", nil)])
        for title in ["a", "b", "c"] { context.make("Book", ["title": title, "year": 1]) }
        try context.save()
        return context
    }

    @Test("A child's save does not end the program if the store has gone meanwhile")
    func a_child_saves_into_its_parent() throws {
        for event in Event.allCases {
            let folder = try StoreFolder()
            let root = try filled(folder)
            let child = Stack.child(of: root)
            try child.performAndWait {
                let books = try child.all("Book")
                for book in books { book.setValue(2, forKey: "year") }
                try happen(event, in: folder)
                // None of the changes is left that it would write.
                #expect(code { try child.save() } == 134070)
                child.rollback()
                #expect(!child.hasChanges)
                try child.save()
                // The next read says what has become of the store.
                let found = try? child.all("Book").count
                #expect(found == [.removal: nil, .returning: 3, .exchange: 0][event])
                #expect(books.allSatisfy { $0.managedObjectContext == nil })
            }
            #expect(!root.hasChanges)
        }
    }

    @Test("Refreshing all objects does not end the program if their store has gone meanwhile")
    func all_objects_are_refreshed() throws {
        for event in Event.allCases {
            for isChild in [false, true] {
                let folder = try StoreFolder()
                let root = try filled(folder)
                let context = isChild ? Stack.child(of: root) : root
                try context.performAndWait {
                    let books = try context.all("Book")
                    #expect(books.map { $0.text("title") }.sorted() == ["a", "b", "c"])
                    try happen(event, in: folder)
                    context.refreshAllObjects()
                    #expect(books.allSatisfy { $0.managedObjectContext == nil })
                    #expect(context.registeredObjects.isEmpty)
                }
            }
        }
    }

    @Test("What a child fetches once its store has moved are objects with values")
    func a_child_fetches_from_a_store_that_moved() throws {
        let folder = try StoreFolder()
        let root = try filled(folder)
        let child = Stack.child(of: root)
        let before = try child.all("Book")
        #expect(before.map { $0.text("title") }.sorted() == ["a", "b", "c"])
        try folder.coordinator.migratePersistentStore(
            try folder.store("a.lode"), to: folder.url("moved.lode"), type: .sqlite)
        let after = try child.all("Book")
        #expect(after.map { $0.text("title") }.sorted() == ["a", "b", "c"])
        #expect(after.allSatisfy { $0.managedObjectContext === child })
        #expect(before.allSatisfy { $0.managedObjectContext == nil })
        let store = try folder.store("moved.lode")
        #expect(after.allSatisfy { $0.objectID.persistentStore === store })
    }
}
