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
