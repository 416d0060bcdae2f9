// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A store of the program's own that is asked for what is needed.
@Suite struct IncrementalStoreTests {
    init() { TableStore.register() }

    /// An author with two books in a table.
    private func filled(
        _ folder: StoreFolder
    ) throws -> (context: NSManagedObjectContext, table: TableStore) {
        let context = try folder.open([("books.table", nil)])
        let table = try #require(try folder.store("books.table") as? TableStore)
        let austen = context.make("Author", ["name": "Austen"])
        for (title, year) in [("Emma", 1815), ("Persuasion", 1817)] {
            let book = context.make("Book", ["title": title, "year": year])
            book.setValue(austen, forKey: "author")
        }
        try context.save()
        return (context, table)
    }

    @Test func a_save_asks_for_identifiers_and_then_for_one_request() throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        #expect(table.log == ["save 3 0 0"] && table.lockedCounts == [nil])
        #expect(!context.hasChanges)
        #expect(table.rows["Book"]?.count == 2 && table.rows["Author"]?.count == 1)
        let author = try #require(table.rows["Author"]?.first)
        #expect(author.value.links["books"]?.count == 2)
        let made = context.make("Author", ["name": "Stoker"])
        try context.obtainPermanentIDs(for: [made])
        let id = made.objectID
        #expect(id.uriRepresentation().path == "/Author/p4" && made.isInserted)
        try context.save()
        #expect(made.objectID == id && table.rows["Author"]?[4] != nil)
    }

    @Test func a_fetch_can_be_handed_on_to_a_context_of_another_store() throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "year > 1815")
        #expect(try context.fetch(request).count == 1)
        let arrived = try #require(table.lastFetch)
        #expect(arrived.affectedStores == nil && arrived.entityName == "Book")
        let model = try #require(context.persistentStoreCoordinator?.managedObjectModel.copied)
        let backing = try Stack(model)
        backing.context.make("Book", ["title": "Emma", "year": 1815])
        backing.context.make("Book", ["title": "Ivanhoe", "year": 1819])
        try backing.context.save()
        let found = try backing.context.fetch(arrived).compactMap { $0 as? NSManagedObject }
        #expect(found.map { $0.text("title") } == ["Ivanhoe"])
    }

    @Test func a_fetch_makes_faults_that_ask_for_their_values() throws {
        let folder = try StoreFolder()
        let (_, table) = try filled(folder)
        let context = folder.makeContext()
        table.log = []
        let authors = try context.all("Author")
        #expect(table.log == ["fetch Author"])
        #expect(authors.count == 1 && authors[0].isFault)
        let number = try #require(table.rows["Author"]?.keys.first)
        #expect(authors[0].text("name") == "Austen")
        #expect(authors[0].text("name") == "Austen")
        #expect(table.log == ["fetch Author", "values \(number)"])
        let books = authors[0].many("books")
        #expect(table.log.last == "books \(number)" && table.log.count == 3)
        #expect(books.map { $0.text("title") }.sorted() == ["Emma", "Persuasion"])
        #expect(books.allSatisfy { $0.one("author") === authors[0] })
        #expect(
            try context.values("title", of: "Book", NSPredicate(format: "year > 1816"))
                == ["Persuasion"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        request.fetchLimit = 1
        #expect(try context.fetch(request).map { $0.text("title") } == ["Persuasion"])
        #expect(try context.count("Book") == 2)
        let found = folder.coordinator.managedObjectID(
            forURIRepresentation: authors[0].objectID.uriRepresentation())
        #expect(found == authors[0].objectID)
    }

    @Test func updates_deletions_and_unsaved_changes() throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        emma.setValue("EMMA", forKey: "title")
        let new = context.make("Book", ["title": "Sanditon", "year": 1817])
        #expect(
            try context.values("title", of: "Book") == ["EMMA", "Persuasion", "Sanditon"])
        new.setValue(emma.one("author"), forKey: "author")
        context.delete(
            try #require(
                try context.all("Book", NSPredicate(format: "title == 'Persuasion'")).first))
        table.log = []
        try context.save()
        // The author's books are others now.
        #expect(table.log.filter { $0.hasPrefix("save") } == ["save 1 2 1"])
        #expect(emma.text("title") == "EMMA" && emma.one("author")?.many("books").count == 2)
        #expect(
            try folder.makeContext().values("title", of: "Book") == ["EMMA", "Sanditon"])
    }

    @Test func versions_find_conflicts_between_contexts() throws {
        let folder = try StoreFolder()
        let (context, _) = try filled(folder)
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        #expect(emma.number("year") == 1815)
        let other = folder.makeContext()
        let twin = other.object(with: emma.objectID)
        #expect(twin.text("title") == "Emma")
        emma.setValue(1816, forKey: "year")
        try context.save()
        twin.setValue("EMMA", forKey: "title")
        #expect(code { try other.save() } == 133020)
        #expect(twin.isUpdated)
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try other.save()
        #expect(twin.text("title") == "EMMA" && twin.number("year") == 1816)
        context.refresh(emma, mergeChanges: true)
        #expect(emma.text("title") == "EMMA" && emma.number("year") == 1816)
    }

    @Test(arguments: [true, false])
    func errors_of_the_store_keep_their_domain(_ hasChanges: Bool) throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        if hasChanges { context.make("Book", ["title": "new"]) }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "year > 1815")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let ask: [() throws -> Void] = [
            { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
            {
                context.make("Author", ["name": "Eliot"])
                try context.save()
            },
        ]
        for body in ask {
            table.failure = NSError(domain: "service", code: 503, userInfo: ["host": "here"])
            let error = try #require(#expect(throws: (any Error).self) { try body() }) as NSError
            #expect(error.domain == "service" && error.code == 503)
            #expect(error.userInfo["host"] as? String == "here")
        }
    }

    @Test func a_code_of_another_domain_does_not_mean_that_the_object_is_gone() throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        let id = try #require(try context.all("Author").first).objectID
        let fresh = folder.makeContext()
        let fault = fresh.object(with: id)
        table.failure = NSError(domain: "service", code: 133000)
        #expect(fault.value(forKey: "name") == nil)
        #expect((fresh.lastReadError as NSError?)?.domain == "service")
        #expect(!fault.isDeleted && fault.text("name") == "Austen")
    }

    @Test func errors_of_the_store_reach_the_caller() throws {
        let folder = try StoreFolder()
        let (context, table) = try filled(folder)
        table.failure = CocoaError(.persistentStoreTimeout)
        #expect(code { _ = try context.all("Book") } == 134090)
        let new = context.make("Author", ["name": "Eliot"])
        table.failure = CocoaError(.persistentStoreSave)
        #expect(code { try context.save() } == 134030)
        #expect(new.isInserted && table.rows["Author"]?.count == 1)
        try context.save()
        #expect(table.rows["Author"]?.count == 2)
        // A getter cannot throw: it reads nil, and the context keeps the error.
        let fresh = folder.makeContext()
        let fault = fresh.object(with: new.objectID)
        table.failure = CocoaError(.persistentStoreTimeout)
        #expect(fault.value(forKey: "name") == nil)
        #expect((fresh.lastReadError as? CocoaError)?.code == .persistentStoreTimeout)
        let gone = folder.makeContext().object(with: new.objectID)
        table.rows["Author"]?[number(new, table)] = nil
        #expect(gone.value(forKey: "name") == nil)
        #expect(
            code { _ = try folder.makeContext().existingObject(with: new.objectID) } == 133000)
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = ["year": 1]
        #expect(code { try context.execute(request) } == 134091)
    }

    private func number(_ object: NSManagedObject, _ table: TableStore) -> Int {
        (table.referenceObject(for: object.objectID) as? NSNumber)?.intValue ?? 0
    }

    @Test func the_store_knows_which_objects_contexts_have() throws {
        let folder = try StoreFolder()
        let (_, table) = try filled(folder)
        let context = folder.makeContext()
        let before = table.registered
        var books: [NSManagedObject]? = try context.all("Book")
        #expect(table.registered == before + 2 && books?.count == 2)
        books = nil
        #expect(table.registered == before)
    }

    @Test func children_and_files_beside_it() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("notes.lode", "Notes"), ("books.table", "Catalogue")])
        let table = try #require(try folder.store("books.table") as? TableStore)
        let child = Stack.child(of: context)
        child.make("Note", ["text": "a"])
        let author = child.make("Author", ["name": "Austen"])
        try child.save()
        try context.save()
        #expect(table.rows["Author"]?.count == 1 && table.rows["Note"] == nil)
        #expect(author.objectID.persistentStore === table)
        author.setValue("AUSTEN", forKey: "name")
        try child.save()
        try context.save()
        #expect(table.rows["Author"]?.values.first?.values["name"] as? String == "AUSTEN")
        #expect(try child.values("text", of: "Note") == ["a"])
    }
}

extension NSManagedObjectModel {
    /// A model of its own, as a store makes one for what is behind it.
    fileprivate var copied: NSManagedObjectModel? { copy() as? NSManagedObjectModel }
}
