// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Live results over objects of several files.
@Suite struct SeveralFilesResultsTests {
    /// Counts what it is told.
    private final class Counter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controllerWillChangeContent(_ controller: AnyController) { count += 1 }
    }

    private func texts(_ controller: ObjectController, _ key: String = "text") -> [String]? {
        controller.fetchedObjects?.map { $0.text(key) }
    }

    @Test func a_predicate_may_name_an_object_before_its_first_save() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let author = context.make("Author", ["name": "Stoker"])
        context.assign(author, to: try folder.store("b.lode"))
        let controller = context.controller("Book", by: ["title"])
        controller.fetchRequest.predicate = NSPredicate(format: "author == %@", author)
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        let book = context.make("Book", ["title": "Dracula"])
        book.setValue(author, forKey: "author")
        try context.save()
        #expect(texts(controller, "title") == ["Dracula"])
        book.setValue("Lair", forKey: "title")
        context.processPendingChanges()
        #expect(texts(controller, "title") == ["Lair"])
    }

    @Test func affected_stores_limit_what_is_followed() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let (first, second) = (try folder.store("a.lode"), try folder.store("b.lode"))
        let controller = context.controller("Note", by: ["text"])
        controller.fetchRequest.affectedStores = [second]
        controller.delegate = Counter()
        try controller.performFetch()
        let writer = folder.makeContext()
        let saved = ChangeRecorder(writer, .NSManagedObjectContextDidSave)
        for (text, store) in [("1", first), ("2", second)] {
            writer.assign(writer.make("Note", ["text": text]), to: store)
        }
        try writer.save()
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: writer, userInfo: saved.entries[0]))
        #expect(texts(controller) == ["2"])
        for (text, store) in [("3", first), ("4", second)] {
            context.assign(context.make("Note", ["text": text]), to: store)
        }
        context.processPendingChanges()
        #expect(texts(controller) == ["2", "4"])
        for note in try context.all("Note") {
            note.setValue("\(note.text("text"))!", forKey: "text")
        }
        try context.save()
        #expect(texts(controller) == ["2!", "4!"])
    }

    @Test func an_object_leaves_the_results_of_stores_that_a_save_does_not_choose() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let (first, second) = (
            try follow([try folder.store("a.lode")], context),
            try follow([try folder.store("b.lode")], context)
        )
        let all = try follow(nil, context)
        context.make("Note", ["text": "1"])
        context.processPendingChanges()
        #expect(texts(first.list) == ["1"] && texts(second.list) == ["1"])
        let told = all.counter.count
        try context.save()
        #expect(texts(first.list) == ["1"] && texts(second.list) == [])
        #expect(second.counter.count == 2)
        #expect(first.counter.count == 1 && all.counter.count == told)
    }

    @Test func an_object_leaves_the_results_of_stores_that_it_is_not_assigned_to() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let stores = (try folder.store("a.lode"), try folder.store("b.lode"))
        let (first, second) = (try follow([stores.0], context), try follow([stores.1], context))
        let note = context.make("Note", ["text": "1"])
        context.processPendingChanges()
        context.assign(note, to: stores.1)
        #expect(texts(first.list) == [] && texts(second.list) == ["1"])
        // While other changes wait, too.
        context.make("Author", ["name": "Austen"])
        context.assign(note, to: stores.0)
        context.processPendingChanges()
        #expect(texts(first.list) == ["1"] && texts(second.list) == [])
        try context.save()
        #expect(texts(first.list) == ["1"] && texts(second.list) == [])
    }

    @Test func children_follow_where_their_objects_were_saved() async throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let child = Stack.child(of: context)
        child.automaticallyMergesChangesFromParent = true
        let (first, second) = (
            try follow([try folder.store("a.lode")], child),
            try follow([try folder.store("b.lode")], child)
        )
        child.make("Note", ["text": "1"])
        try child.save()
        #expect(texts(first.list) == ["1"] && texts(second.list) == ["1"])
        try context.save()
        child.performAndWait {}
        #expect(texts(first.list) == ["1"] && texts(second.list) == [])
    }

    private func follow(
        _ stores: [NSPersistentStore]?, _ context: NSManagedObjectContext
    ) throws -> (list: ObjectController, counter: Counter) {
        let controller = context.controller("Note", by: ["text"])
        controller.fetchRequest.affectedStores = stores
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        return (controller, counter)
    }

    @Test func a_window_moves_with_unknown_objects_of_the_second_file() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let writer = folder.makeContext()
        let notes = try ["1", "2", "3"].map { text in
            let note = writer.make("Note", ["text": text])
            writer.assign(note, to: try folder.store("b.lode"))
            return note
        }
        try writer.save()
        let controller = context.controller("Note", by: ["text"], offset: 1)
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        #expect(texts(controller) == ["2", "3"])
        let gone = notes[0].objectID
        writer.delete(notes[0])
        try writer.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: [gone]], into: [context])
        #expect(texts(controller) == ["3"])
    }

    @Test func nothing_is_told_when_the_only_store_goes() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil)])
        context.make("Note", ["text": "1"])
        try context.save()
        let controller = context.controller("Note", by: ["text"])
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        try folder.coordinator.remove(try folder.store("a.lode"))
        #expect(controller.fetchedObjects == nil)
        #expect(counter.count == 0)
        try folder.add("a.lode")
        try controller.performFetch()
        #expect(texts(controller) == ["1"])
    }
}
