// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// What libraries around a stack rely on: permanent IDs before a save, merges of URIs.
@Suite struct StackLibraryTests {
    @Test func an_observer_gives_permanent_ids_before_each_save() throws {
        let root = NSPersistentContainer.inMemory().newBackgroundContext()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = root
        // Posted on the thread that saves, which is the test's.
        nonisolated(unsafe) let contexts = [root, child]
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
        ) { note in
            guard let context = contexts.first(where: { $0 === note.object as AnyObject? })
            else { return }
            do {
                try context.obtainPermanentIDs(for: Array(context.insertedObjects))
            } catch {
                Issue.record(error)
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let id = try child.performAndWait {
            let author = Author(context: child)
            author.name = "Ann"
            let book = Book(context: child)
            book.author = author
            try child.save()
            return author.objectID
        }
        #expect(!id.isTemporaryID)
        try root.performAndWait {
            let author = try root.existingObject(with: id) as? Author
            #expect(author?.isInserted == true && author?.books?.count == 1)
            try root.save()
            #expect(author?.objectID == id)
        }
        #expect(child.performAndWait { (child.object(with: id) as? Author)?.name } == "Ann")
    }

    @Test func a_merge_takes_uris_for_object_ids() throws {
        let container = NSPersistentContainer.inMemory()
        let (reader, writer) = (container.viewContext, container.newBackgroundContext())
        let authors = ["Ann", "Bob"].map { name in
            let author = Author(context: reader)
            author.name = name
            return author
        }
        try reader.save()
        let ids = authors.map(\.objectID)
        let new = try writer.performAndWait {
            (writer.object(with: ids[0]) as? Author)?.name = "Amy"
            writer.delete(writer.object(with: ids[1]))
            let author = Author(context: writer)
            try writer.save()
            return author.objectID
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [ids[0].uriRepresentation()],
                NSDeletedObjectsKey: [ids[1].uriRepresentation()],
                NSInsertedObjectsKey: [new.uriRepresentation()],
            ], into: [reader])
        #expect(authors[0].name == "Amy" && authors[1].managedObjectContext == nil)
        #expect(!reader.hasChanges)
    }
}
