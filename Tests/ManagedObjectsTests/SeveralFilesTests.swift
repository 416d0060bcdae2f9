// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Two files in one coordinator: where objects are and how they are named.
@Suite struct SeveralFilesTests {
    @Test func each_configuration_goes_to_its_file() throws {
        let folder = try StoreFolder()
        var context = try folder.open([("catalogue.lode", "Catalogue"), ("notes.lode", "Notes")])
        let author = context.make("Author", ["name": "Austen"])
        let book = context.make("Book", ["title": "Emma", "year": 1815])
        book.setValue(author, forKey: "author")
        context.make("Note", ["text": "a"])
        try context.save()
        #expect(book.objectID.persistentStore === (try folder.store("catalogue.lode")))
        context = try folder.open([("catalogue.lode", "Catalogue")])
        let found = try #require(try context.all("Book").first)
        #expect(found.text("title") == "Emma" && found.number("year") == 1815)
        #expect(found.one("author")?.text("name") == "Austen")
        #expect(found.one("author")?.many("books") == [found])
        #expect(try context.count("Note") == 0)
        context = try folder.open([("notes.lode", "Notes")])
        #expect(try context.values("text", of: "Note") == ["a"])
    }

    @Test func identifiers_tell_the_files_apart() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        let own = context.make("Author", ["name": "Eliot"])
        try context.save()
        let austen = try #require(try context.named("Austen", "Author"))
        let (first, second) = (own.objectID, austen.objectID)
        #expect(first.persistentStore === (try folder.store("user.lode")))
        #expect(second.persistentStore === (try folder.store("shipped.lode")))
        #expect(first != second)
        let uri = second.uriRepresentation()
        #expect(uri.path == "/Author/p1" && first.uriRepresentation().path == "/Author/p1")
        #expect(uri.host?.lowercased() == second.persistentStore?.identifier.lowercased())
        for id in [first, second] {
            let found = folder.coordinator.managedObjectID(
                forURIRepresentation: id.uriRepresentation())
            #expect(found == id)
        }
        let other = folder.makeContext()
        let found = try other.existingObject(with: second)
        #expect(found.text("name") == "Austen")
        #expect(other.object(with: first).text("name") == "Eliot")
        #expect(other.registeredObject(for: second) === found)
        // The same file as the only store of another coordinator.
        let alone = try folder.open([("shipped.lode", nil)])
        #expect(try alone.existingObject(with: second).text("name") == "Austen")
        #expect(alone.object(with: second).objectID.uriRepresentation() == uri)
    }

    @Test func children_read_and_save_objects_of_both_files() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Ulysses", "year": 1922])
        try context.save()
        let child = Stack.child(of: context)
        #expect(
            try child.values("title", of: "Book", by: "year")
                == ["Emma", "Persuasion", "Dracula", "Ulysses"])
        let emma = try #require(
            try child.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        #expect(emma.one("author")?.text("name") == "Austen")
        #expect(emma.one("author")?.many("books").count == 2)
        let ulysses = try #require(
            try child.all("Book", NSPredicate(format: "year == 1922")).first)
        ulysses.setValue(1923, forKey: "year")
        let added = child.make("Book", ["title": "Added", "year": 1])
        try child.save()
        try context.save()
        #expect(!added.objectID.isTemporaryID)
        #expect(
            try folder.makeContext().values("title", of: "Book", by: "year")
                == ["Added", "Emma", "Persuasion", "Dracula", "Ulysses"])
    }

    @Test func batches_run_in_the_affected_files() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let second = try folder.store("b.lode")
        let insertion = NSBatchInsertRequest(
            entityName: "Note", objects: [["text": "x"], ["text": "y"]])
        try context.execute(insertion)
        insertion.affectedStores = [second]
        insertion.resultType = .objectIDs
        let inserted = try #require(
            (try context.execute(insertion) as? NSBatchInsertResult)?.result
                as? [NSManagedObjectID])
        #expect(inserted.map { $0.persistentStore === second } == [true, true])
        #expect(try context.existingObject(with: inserted[0]).text("text") == "x")
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "text == 'x'")
        update.propertiesToUpdate = ["number": 5]
        update.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
        #expect(try context.all("Note", NSPredicate(format: "number == 5")).count == 2)
        let deletion = NSBatchDeleteRequest(objectIDs: [inserted[1]])
        deletion.resultType = .resultTypeCount
        #expect((try context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 1)
        #expect(try folder.makeContext().values("text", of: "Note") == ["x", "x", "y"])
    }

    @Test func a_child_assigns_new_objects_too() throws {
        let stores = try StoreFolder()
        let context = try stores.open([("all.lode", nil), ("notes.lode", "Notes")])
        let notes = try stores.store("notes.lode")
        let child = Stack.child(of: context)
        let grandchild = Stack.child(of: child)
        try grandchild.performAndWait {
            let first = grandchild.make("Note", ["text": "before the save"])
            grandchild.assign(first, to: notes)
            let second = grandchild.make("Note", ["text": "after it"])
            try grandchild.save()
            grandchild.assign(second, to: notes)
            try child.performAndWait { try child.save() }
            try context.save()
            #expect(first.objectID.persistentStore === notes)
            #expect(second.objectID.persistentStore === notes)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.affectedStores = [notes]
        #expect(
            try context.fetch(request).map { $0.text("text") }.sorted()
                == ["after it", "before the save"])
    }
}
