// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Stores that go while contexts hold their objects.
@Suite struct StoreRemovalTests {
    private func filled(
        _ folder: StoreFolder, _ names: [String]
    ) throws -> (NSManagedObjectContext, [NSManagedObject]) {
        let context = try folder.open(names.map { ($0, nil) })
        let objects = try names.map { name in
            let object = context.make("Book", ["title": name])
            context.assign(object, to: try folder.store(name))
            return object
        }
        try context.save()
        return (context, objects)
    }

    @Test func objects_of_a_removed_store_have_no_values() throws {
        let folder = try StoreFolder()
        let (context, books) = try filled(folder, ["a.lode", "b.lode"])
        #expect(books.map { $0.text("title") } == ["a.lode", "b.lode"])
        let other = folder.makeContext()
        let fault = other.object(with: books[1].objectID)
        let id = books[1].objectID
        let recorder = ChangeCounter(context)
        try folder.coordinator.remove(try folder.store("b.lode"))
        #expect(folder.coordinator.persistentStores.count == 1)
        #expect(recorder.invalidated == [books[1]])
        #expect(books[0].text("title") == "a.lode")
        #expect(books[1].managedObjectContext == nil && books[1].value(forKey: "title") == nil)
        #expect(fault.value(forKey: "title") == nil)
        #expect(id.persistentStore?.persistentStoreCoordinator == nil)
        #expect(code { _ = try context.existingObject(with: id) } != nil)
        #expect(context.object(with: id).value(forKey: "title") == nil)
        #expect(try context.values("title", of: "Book") == ["a.lode"])
        #expect(
            folder.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == nil)
    }

    @Test("What a context remembers of fetches does not keep the file of a removed store open")
    func a_removed_file_can_be_replaced() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.uniquenessConstraints = [["title"]]
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil)], model: model)
        _ = context.make("Book", ["title": "one"])
        try context.save()
        for format in ["title == 'one'", "title == 'one' AND title != 'two'"] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format)
            #expect(try context.fetch(request).count == 1)
        }
        try folder.coordinator.remove(try folder.store("a.lode"))
        // The context looks what has become of its store.
        _ = context.hasChanges
        #expect(context.registeredObjects.isEmpty)
        try FileManager.default.removeItem(at: folder.url("a.lode"))
        try folder.add("a.lode")
        #expect(try context.values("title", of: "Book").isEmpty)
    }

    @Test("Nor do contexts that were told of no removal, as they have read nothing")
    func a_removed_file_can_be_opened_otherwise() throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.uniquenessConstraints = [["title"]]
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil)], model: model)
        _ = context.make("Book", ["title": "one"])
        try context.save()
        let predicate = NSPredicate(format: "title IN {'one', 'two'} AND year < 9")
        let (writer, reset) = (folder.makeContext(), folder.makeContext())
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = folder.makeContext()
        // Twice, as the second time finds the plan of the first.
        for _ in 0..<2 {
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = predicate
            update.propertiesToUpdate = ["year": 3]
            update.resultType = .updatedObjectsCountResultType
            #expect((try writer.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Book")
            rows.resultType = .dictionaryResultType
            rows.predicate = predicate
            #expect(try child.fetch(rows).count == 1)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = predicate
            #expect(try reset.fetch(request).count == 1)
        }
        try folder.coordinator.remove(try folder.store("a.lode"))
        reset.reset()
        _ = context.hasChanges
        // One file has one set of options in a process for as long as it is open.
        try folder.add("a.lode", options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try folder.makeContext().values("title", of: "Book") == ["one"])
        withExtendedLifetime((writer, reset, child)) {}
    }

    @Test func changes_of_the_other_store_and_new_objects_stay() throws {
        let folder = try StoreFolder()
        let (context, books) = try filled(folder, ["a.lode", "b.lode"])
        books[0].setValue("A", forKey: "title")
        books[1].setValue("B", forKey: "title")
        let new = context.make("Book", ["title": "new"])
        context.assign(new, to: try folder.store("b.lode"))
        try folder.coordinator.remove(try folder.store("b.lode"))
        #expect(context.updatedObjects == [books[0]] && context.insertedObjects == [new])
        try context.save()
        #expect(try folder.makeContext().values("title", of: "Book") == ["A", "new"])
        // The file is as it was, and its objects are there again.
        try folder.add("b.lode")
        #expect(try context.values("title", of: "Book") == ["A", "b.lode", "new"])
        #expect(try context.existingObject(with: books[1].objectID).text("title") == "b.lode")
    }

    @Test func the_only_store() throws {
        let folder = try StoreFolder()
        let (context, books) = try filled(folder, ["a.lode"])
        let recorder = ChangeCounter(context)
        let fault = folder.makeContext()
        let id = books[0].objectID
        let elsewhere = fault.object(with: id)
        books[0].setValue("A", forKey: "title")
        try folder.coordinator.remove(try folder.store("a.lode"))
        #expect(recorder.invalidatedAll == [id])
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        #expect(books[0].value(forKey: "title") == nil)
        #expect(elsewhere.value(forKey: "title") == nil)
        #expect(code { _ = try context.all("Book") } == 134070)
        context.make("Book", ["title": "new"])
        #expect(code { try context.save() } == 134070)
        #expect(code { try folder.coordinator.remove(NSPersistentStore.other()) } == 134070)
        try folder.add("a.lode")
        try context.save()
        #expect(try context.values("title", of: "Book") == ["a.lode", "new"])
    }

    @Test func a_context_that_another_thread_uses_follows_with_its_next_read() throws {
        let folder = try StoreFolder()
        let (_, books) = try filled(folder, ["a.lode", "b.lode"])
        let context = folder.makeContext()
        let id = books[1].objectID
        let entered = DispatchSemaphore(value: 0)
        let removed = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        // The semaphores order the accesses.
        nonisolated(unsafe) var titles: [String?] = []
        context.perform {
            let book = context.object(with: id)
            titles.append(book.value(forKey: "title") as? String)
            entered.signal()
            removed.wait()
            titles.append(book.value(forKey: "title") as? String)
            titles.append(try? context.values("title", of: "Book").joined())
            titles.append(book.value(forKey: "title") as? String)
            finished.signal()
        }
        entered.wait()
        try folder.coordinator.remove(try folder.store("b.lode"))
        removed.signal()
        finished.wait()
        #expect(titles == ["b.lode", "b.lode", "a.lode", nil])
    }

    /// Removes the main store and adds another one, whose objects have the same keys.
    private func replaceMainStore(_ folder: StoreFolder) throws {
        try folder.coordinator.remove(try folder.store("a.lode"))
        try folder.add("b.lode")
    }

    /// Two files with a book each, of which the first one is added.
    private func pair(_ folder: StoreFolder) throws -> NSManagedObjectID {
        _ = try filled(folder, ["b.lode"])
        let (context, books) = try filled(folder, ["a.lode"])
        return withExtendedLifetime(context) { books[0].objectID }
    }

    @Test(arguments: [false, true])
    func a_fault_does_not_lead_to_the_next_main_store(hasRead: Bool) throws {
        let folder = try StoreFolder()
        let id = try pair(folder)
        let context = folder.makeContext()
        let book = context.object(with: id)
        if hasRead { #expect(book.text("title") == "a.lode") }
        try replaceMainStore(folder)
        #expect(book.value(forKey: "title") == nil && book.managedObjectContext == nil)
        #expect(code { _ = try context.existingObject(with: id) } == 133000)
        #expect(try context.values("title", of: "Book") == ["b.lode"])
        let reader = folder.makeContext()
        let new = try #require(try reader.all("Book").first)
        let other = folder.makeContext()
        #expect(other.object(with: new.objectID).text("title") == "b.lode")
    }

    @Test func a_new_main_stores_object_comes_first() throws {
        let folder = try StoreFolder()
        let id = try pair(folder)
        let context = folder.makeContext()
        let book = context.object(with: id)
        try replaceMainStore(folder)
        let reader = folder.makeContext()
        let new = try #require(try reader.all("Book").first)
        let same = context.object(with: new.objectID)
        #expect(same !== book && same.text("title") == "b.lode")
        #expect(book.value(forKey: "title") == nil)
    }

    @Test func a_change_is_not_written_into_the_next_main_store() throws {
        let folder = try StoreFolder()
        let id = try pair(folder)
        let context = folder.makeContext()
        let book = context.object(with: id)
        book.setValue("changed", forKey: "title")
        let entered = DispatchSemaphore(value: 0)
        let replaced = DispatchSemaphore(value: 0)
        context.perform {
            entered.signal()
            replaced.wait()
            #expect(code { try context.save() } == 134070)
            context.rollback()
            #expect(code { try context.save() } == nil)
            entered.signal()
        }
        entered.wait()
        try replaceMainStore(folder)
        replaced.signal()
        entered.wait()
        #expect(try folder.makeContext().values("title", of: "Book") == ["b.lode"])
    }

    @Test func a_childs_fault_does_not_lead_to_the_next_main_store() throws {
        let folder = try StoreFolder()
        let id = try pair(folder)
        let parent = folder.makeContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        let book = child.object(with: id)
        try replaceMainStore(folder)
        #expect(book.value(forKey: "title") == nil)
        #expect(try child.values("title", of: "Book") == ["b.lode"])
    }

    @Test func notifications_tell_of_stores() throws {
        let folder = try StoreFolder()
        _ = try folder.open([("a.lode", nil)])
        let coordinator = folder.coordinator
        let store = try folder.store("a.lode")
        // Notifications come on the test's own thread.
        nonisolated(unsafe) var told: [String] = []
        let names: [Notification.Name] = [
            .NSPersistentStoreCoordinatorWillRemoveStore,
            .NSPersistentStoreCoordinatorStoresDidChange,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(
                forName: name,
                object: name == .NSPersistentStoreCoordinatorWillRemoveStore ? store : coordinator,
                queue: nil
            ) { note in
                for key in [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey] {
                    guard let stores = note.userInfo?[key] as? [NSPersistentStore] else { continue }
                    told.append("\(key) \(stores.count) \(coordinator.persistentStores.count)")
                }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        try coordinator.remove(store)
        try folder.add("a.lode")
        #expect(told == ["removed 1 1", "removed 1 0", "added 1 1"])
    }
}

extension NSPersistentStore {
    /// A store of another coordinator.
    fileprivate static func other() throws -> NSPersistentStore {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        return try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
}

/// Notes which objects a context loses.
// Sendable because only the test's thread uses it.
private final class ChangeCounter: @unchecked Sendable {
    var invalidated: Set<NSManagedObject> = []
    var invalidatedAll: [NSManagedObjectID] = []
    private var observer: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [unowned self] note in
            let objects = note.userInfo?[NSInvalidatedObjectsKey] as? Set<NSManagedObject>
            invalidated.formUnion(objects ?? [])
            invalidatedAll +=
                note.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] ?? []
        }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
