// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves into several stores of which one fails, and saves of many contexts at a time.
@Suite struct PartialSaveTests {
    init() {
        PropertyListStore.register()
        TableStore.register()
    }

    @Test func what_one_store_refuses_stays_pending() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("books.plist", "Catalogue")])
        let list = try folder.store("books.plist")
        let saved = context.make("Note", ["text": "saved"])
        let pending = context.make("Book", ["title": "pending"])
        context.assign(pending, to: list)
        let path = folder.url("books.plist").path
        _ = PropertyListStore.isBroken.withLock { $0.insert(path) }
        do {
            try context.save()
            Issue.record("the save should fail")
        } catch let error as CocoaError {
            #expect(error.errorCode == 134040)
            #expect(error.affectedStores?.count == 1 && error.affectedStores?[0] === list)
            #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
        }
        #expect(!saved.hasChanges && !saved.objectID.isTemporaryID)
        #expect(pending.isInserted && context.insertedObjects == [pending])
        #expect(try folder.makeContext().values("text", of: "Note") == ["saved"])
        _ = PropertyListStore.isBroken.withLock { $0.remove(path) }
        try context.save()
        #expect(!context.hasChanges)
        #expect(try folder.makeContext().values("title", of: "Book") == ["pending"])
    }

    @Test func contexts_save_into_further_stores_at_the_same_time() throws {
        let folder = try StoreFolder()
        _ = try folder.open([("a.lode", nil), ("b.lode", nil), ("c.table", nil)])
        let coordinator = folder.coordinator
        let stores = coordinator.persistentStores
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            context.performAndWait {
                for round in 0..<25 {
                    for store in stores {
                        let note = context.make("Note", ["text": "\(worker)", "number": round])
                        context.assign(note, to: store)
                    }
                    if code({ try context.save() }) != nil { Issue.record("a save failed") }
                }
            }
        }
        let context = folder.makeContext()
        #expect(try context.count("Note") == 300)
        for store in stores {
            #expect(try context.values("text", of: "Note", in: [store]).count == 100)
        }
        #expect(try context.all("Note", NSPredicate(format: "number == 24")).count == 12)
    }

    @Test func live_results_follow_both_files() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        // A controller follows its context while it has a delegate.
        let follower = Follower()
        controller.delegate = follower
        try controller.performFetch()
        func titles() -> [String] { controller.fetchedObjects?.map { $0.text("title") } ?? [] }
        #expect(titles() == ["Emma", "Persuasion", "Dracula"])
        let book = context.make("Book", ["title": "Middlemarch", "year": 1871])
        context.processPendingChanges()
        #expect(titles() == ["Emma", "Persuasion", "Middlemarch", "Dracula"])
        try context.save()
        book.setValue(1900, forKey: "year")
        context.processPendingChanges()
        #expect(titles() == ["Emma", "Persuasion", "Dracula", "Middlemarch"])
        try folder.coordinator.remove(try folder.store("shipped.lode"))
        #expect(titles() == ["Middlemarch"])
        withExtendedLifetime(follower) {}
    }

    @Test func changes_are_undone_in_further_stores() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let second = try folder.store("b.lode")
        let note = context.make("Note", ["text": "first"])
        context.assign(note, to: second)
        try context.save()
        context.undoManager = UndoManager()
        note.setValue("second", forKey: "text")
        try context.save()
        context.undo()
        #expect(note.text("text") == "first" && note.isUpdated)
        try context.save()
        context.delete(note)
        try context.save()
        #expect(try context.count("Note") == 0)
        context.undo()
        #expect(try context.values("text", of: "Note") == ["first"])
        try context.save()
        #expect(try folder.makeContext().values("text", of: "Note") == ["first"])
    }
}

/// A delegate that is told nothing.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {}
