// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// A notification with types, as people wrap it.
struct ContextDidSave {
    private let notification: Notification

    init?(_ notification: Notification) {
        guard notification.name == .NSManagedObjectContextDidSave else { return nil }
        self.notification = notification
    }

    var inserted: Set<NSManagedObject> { objects(NSInsertedObjectsKey) }
    var updated: Set<NSManagedObject> { objects(NSUpdatedObjectsKey) }
    var deleted: Set<NSManagedObject> { objects(NSDeletedObjectsKey) }
    var context: NSManagedObjectContext? { notification.object as? NSManagedObjectContext }

    private func objects(_ key: String) -> Set<NSManagedObject> {
        (notification.userInfo?[key] as? Set<NSManagedObject>) ?? []
    }
}

extension NSManagedObjectContext {
    func addContextDidSaveObserver(
        _ handler: @escaping (ContextDidSave) -> Void
    ) -> any NSObjectProtocol {
        // Posted on the thread that saves, which is the test's.
        nonisolated(unsafe) let handler = handler
        return NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: self, queue: nil
        ) { note in
            if let save = ContextDidSave(note) { handler(save) }
        }
    }
}

final class Tally {
    var texts: [String] = []
}

@Suite struct ObserverTests {
    @Test func a_predicate_finds_what_a_save_deleted() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let tally = Tally()
        let named = NSPredicate(format: "entity.name == %@ AND name BEGINSWITH %@", "Author", "A")
        let token = context.addContextDidSaveObserver { save in
            tally.texts += save.deleted.filter { named.evaluate(with: $0) }
                .map { ($0 as? Author)?.name ?? "nil" }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let authors = ["Ann", "Bob"].map { name in
            let author = Author(context: context)
            author.name = name
            return author
        }
        try context.save()
        authors.forEach(context.delete)
        try context.save()
        #expect(tally.texts == ["Ann"])
        #expect(authors[0].name == nil && authors[0].managedObjectContext == nil)
    }

    @Test func large_values_are_not_read_for_observers() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        var sizes: [Int?] = []
        let token = context.addContextDidSaveObserver { save in
            sizes = save.deleted.compactMap { $0 as? Author }
                .sorted { ($0.name ?? "") < ($1.name ?? "") }.map { $0.favourite?.count }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let authors = [10, 10_000].map { count in
            let author = Author(context: context)
            author.name = "\(count)"
            author.favourite = Data(count: count)
            return author
        }
        try context.save()
        context.refreshAllObjects()
        authors.forEach(context.delete)
        try context.save()
        #expect(sizes == [10, nil])
    }

    @Test func a_child_tells_of_what_it_deleted() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let author = Author(context: context)
        author.name = "Ann"
        try context.save()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        let tally = Tally()
        let token = child.addContextDidSaveObserver { save in
            tally.texts += save.deleted.map { ($0 as? Author)?.name ?? "nil" }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        child.delete(child.object(with: author.objectID))
        try child.save()
        #expect(tally.texts == ["Ann"])
    }

    @Test func hears_of_an_object_that_came_and_went() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let tally = Tally()
        // Posted on the thread that changes, which is the test's.
        nonisolated(unsafe) let texts = tally
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            for (key, value) in note.userInfo ?? [:] {
                texts.texts.append("\(key) \((value as? NSSet)?.count ?? 0)")
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let author = Author(context: context)
        context.delete(author)
        context.processPendingChanges()
        #expect(tally.texts == ["deleted 1"])
        #expect(!context.hasChanges && context.deletedObjects.isEmpty)
        try context.save()
        #expect(tally.texts == ["deleted 1"])
    }

    @Test func hears_of_saves() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let tally = Tally()
        let token = context.addContextDidSaveObserver { save in
            tally.texts.append(
                "\(save.inserted.count) \(save.updated.count) \(save.deleted.count) "
                    + "\(save.context === context)")
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let author = Author(context: context)
        try context.save()
        author.name = "Ann"
        try context.save()
        context.delete(author)
        try context.save()
        #expect(tally.texts == ["1 0 0 true", "0 1 0 true", "0 0 1 true"])
    }

    @Test func merges_what_a_notification_tells() throws {
        let container = NSPersistentContainer.inMemory()
        let context = container.viewContext
        let author = Author(context: context)
        author.name = "Ann"
        try context.save()
        let other = container.newBackgroundContext()
        // Called on the thread that saves, which is this one.
        nonisolated(unsafe) let reader = context
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: other, queue: nil
        ) { note in
            reader.mergeChanges(fromContextDidSave: note)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let id = author.objectID
        try other.performAndWait {
            (try other.existingObject(with: id) as? Author)?.name = "Bob"
            try other.save()
        }
        #expect(author.name == "Bob")
    }

    @Test func hears_of_changes_before_the_save() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        // Called on the thread that changes the context, which is this one.
        nonisolated(unsafe) let tally = Tally()
        let center = NotificationCenter.default
        let token = center.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            let objects = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
            tally.texts += objects.compactMap { ($0 as? Author)?.name }
        }
        defer { center.removeObserver(token) }
        Author(context: context).name = "Ann"
        context.processPendingChanges()
        #expect(tally.texts == ["Ann"])
    }
}
