// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A store of the program's own that is in memory as a whole.
@Suite struct AtomicStoreTests {
    init() { PropertyListStore.register() }

    /// Two authors with three books in a property list.
    private func filled(_ folder: StoreFolder) throws -> NSManagedObjectContext {
        let context = try folder.open([("books.plist", "Catalogue")])
        let austen = context.make("Author", ["name": "Austen"])
        let emma = context.make("Book", ["title": "Emma", "year": 1815])
        let persuasion = context.make("Book", ["title": "Persuasion", "year": 1817])
        context.make("Author", ["name": "Stoker"])
        emma.setValue(austen, forKey: "author")
        persuasion.setValue(austen, forKey: "author")
        emma.setValue(NSOrderedSet(array: [persuasion]), forKey: "sequels")
        try context.save()
        return context
    }

    @Test func objects_are_written_and_read_again() throws {
        let folder = try StoreFolder()
        let first = try filled(folder)
        #expect(!first.hasChanges)
        let identifier = try folder.store("books.plist").identifier
        let context = try folder.open([("books.plist", "Catalogue")])
        let store = try folder.store("books.plist")
        #expect(store.identifier == identifier && store.type == "PropertyList")
        #expect(try context.values("title", of: "Book", by: "year") == ["Emma", "Persuasion"])
        let austen = try #require(try context.named("Austen", "Author"))
        #expect(austen.many("books").map { $0.text("title") }.sorted() == ["Emma", "Persuasion"])
        let emma = try #require(try context.all("Book", NSPredicate(format: "year < 1816")).first)
        #expect(emma.one("author") == austen)
        #expect((emma.value(forKey: "sequels") as? NSOrderedSet)?.count == 1)
        #expect(
            try context.values("title", of: "Book", NSPredicate(format: "author == %@", austen))
                == ["Emma", "Persuasion"])
        #expect(emma.objectID.uriRepresentation().path == "/Book/pBook Emma")
        #expect(
            folder.coordinator.managedObjectID(
                forURIRepresentation: emma.objectID.uriRepresentation()) == emma.objectID)
    }

    @Test func updates_and_deletions_reach_the_file() throws {
        let folder = try StoreFolder()
        let context = try filled(folder)
        let other = folder.makeContext()
        let twin = try #require(
            try other.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        #expect(twin.number("year") == 1815)
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        emma.setValue(1816, forKey: "year")
        context.delete(try #require(try context.named("Stoker", "Author")))
        try context.save()
        twin.setValue(1, forKey: "year")
        #expect(code { try other.save() } == 133020)
        other.rollback()
        other.refresh(twin, mergeChanges: false)
        #expect(twin.number("year") == 1816)
        let again = try folder.open([("books.plist", "Catalogue")])
        #expect(try again.values("name", of: "Author") == ["Austen"])
        #expect(try again.all("Book", NSPredicate(format: "year == 1816")).count == 1)
    }

    /// The same book in two contexts, the first of which has saved another year.
    private func conflict(
        _ folder: StoreFolder, _ policy: NSMergePolicy
    ) throws -> (context: NSManagedObjectContext, emma: NSManagedObject) {
        let first = try filled(folder)
        let second = folder.makeContext()
        second.mergePolicy = policy
        let isEmma = NSPredicate(format: "title == 'Emma'")
        let emma = try #require(try second.all("Book", isEmma).first)
        #expect(emma.number("year") == 1815)
        let other = try #require(try first.all("Book", isEmma).first)
        other.setValue(1816, forKey: "year")
        other.setValue(Data([1]), forKey: "cover")
        try first.save()
        return (second, emma)
    }

    /// The book as the file has it, in a context of its own.
    private func written(
        _ folder: StoreFolder
    ) throws -> (context: NSManagedObjectContext, emma: NSManagedObject?) {
        let context = try folder.open([("books.plist", "Catalogue")])
        return (context, try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
    }

    @Test(arguments: [
        (NSMergePolicy.mergeByPropertyStoreTrump, 1816, 1 as Int?),
        (NSMergePolicy.mergeByPropertyObjectTrump, 1, 1),
        (NSMergePolicy.overwrite, 1, nil),
        (NSMergePolicy.rollback, 1816, 1),
    ])
    func a_merged_object_is_written_as_the_policy_left_it(
        policy: NSMergePolicy, year: Int, coverCount: Int?
    ) throws {
        let folder = try StoreFolder()
        let (context, emma) = try conflict(folder, policy)
        emma.setValue(1, forKey: "year")
        let sequel = context.make("Book", ["title": "Sequel", "year": 1820])
        sequel.setValue(emma.one("author"), forKey: "author")
        try context.save()
        #expect(emma.number("year") == year)
        let (reader, found) = try self.written(folder)
        let written = try #require(found)
        #expect(written.number("year") == year)
        #expect((written.value(forKey: "cover") as? Data)?.count == coverCount)
        #expect((written.value(forKey: "sequels") as? NSOrderedSet)?.count == 1)
        #expect(written.one("author")?.many("books").count == 3)
        #expect(try reader.count("Book") == 3)
    }

    @Test func a_deletion_that_the_policy_takes_back_is_not_written() throws {
        let folder = try StoreFolder()
        let (context, emma) = try conflict(folder, .mergeByPropertyStoreTrump)
        context.delete(emma)
        try context.save()
        #expect(!emma.isDeleted && !context.hasChanges)
        #expect(emma.managedObjectContext === context && emma.number("year") == 1816)
        let (reader, found) = try self.written(folder)
        let written = try #require(found)
        #expect(written.number("year") == 1816)
        #expect(written.one("author")?.many("books").count == 2)
        #expect(try reader.count("Book") == 2)
    }

    @Test(arguments: [
        (NSMergePolicy.mergeByPropertyStoreTrump, false),
        (NSMergePolicy.mergeByPropertyObjectTrump, true),
    ])
    func an_object_that_was_deleted_meanwhile(policy: NSMergePolicy, isWritten: Bool) throws {
        let folder = try StoreFolder()
        let first = try filled(folder)
        let second = folder.makeContext()
        second.mergePolicy = policy
        let isEmma = NSPredicate(format: "title == 'Emma'")
        let emma = try #require(try second.all("Book", isEmma).first)
        emma.setValue(1, forKey: "year")
        first.delete(try #require(try first.all("Book", isEmma).first))
        try first.save()
        try second.save()
        #expect((emma.managedObjectContext != nil) == isWritten)
        let (reader, found) = try self.written(folder)
        #expect(found?.number("year") == (isWritten ? 1 : nil))
        #expect(try reader.count("Book") == (isWritten ? 2 : 1))
    }

    @Test func a_save_that_fails_leaves_everything_pending() throws {
        let folder = try StoreFolder()
        let context = try filled(folder)
        let path = folder.url("books.plist").path
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        emma.setValue(1, forKey: "year")
        let new = context.make("Book", ["title": "Sanditon"])
        _ = PropertyListStore.isBroken.withLock { $0.insert(path) }
        #expect(code { try context.save() } == -1)
        #expect(emma.isUpdated && new.isInserted)
        #expect(try folder.makeContext().count("Book") == 2)
        let store = try #require(try folder.store("books.plist") as? PropertyListStore)
        #expect(store.cacheNodes().count == 4)
        #expect(store.cacheNode(for: emma.objectID)?.value(forKey: "year") as? Int == 1815)
        _ = PropertyListStore.isBroken.withLock { $0.remove(path) }
        try context.save()
        #expect(store.cacheNodes().count == 5)
        #expect(try folder.makeContext().count("Book") == 3)
        #expect(store.referenceObject(for: new.objectID) as? String == "Book Sanditon")
    }

    @Test func it_stands_beside_a_file() throws {
        let folder = try StoreFolder()
        _ = try filled(folder)
        let context = try folder.open([("user.lode", nil), ("books.plist", "Catalogue")])
        context.make("Book", ["title": "Ulysses", "year": 1922])
        context.make("Note", ["text": "a"])
        try context.save()
        #expect(
            try context.values("title", of: "Book", by: "year")
                == ["Emma", "Persuasion", "Ulysses"])
        let new = context.make("Book", ["title": "Sanditon", "year": 1817])
        context.assign(new, to: try folder.store("books.plist"))
        try context.save()
        let alone = try folder.open([("books.plist", "Catalogue")])
        #expect(
            try alone.values("title", of: "Book") == ["Emma", "Persuasion", "Sanditon"])
    }

    @Test func metadata_is_the_stores_own() throws {
        let folder = try StoreFolder()
        let context = try filled(folder)
        let store = try folder.store("books.plist")
        folder.coordinator.setMetadata(["colour": "red", NSStoreUUIDKey: "other"], for: store)
        #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
        context.make("Author", ["name": "Eliot"])
        try context.save()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: "PropertyList", at: folder.url("books.plist"))
        #expect(read["colour"] as? String == "red")
        #expect(read[NSStoreUUIDKey] as? String == store.identifier)
        #expect(read[NSStoreTypeKey] as? String == "PropertyList")
    }

    @Test func batches_are_refused() throws {
        let folder = try StoreFolder()
        let context = try filled(folder)
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = ["year": 1]
        #expect(code { try context.execute(request) } == 134091)
    }

    @Test func types_are_registered_and_forgotten() throws {
        typealias Coordinator = NSPersistentStoreCoordinator
        Coordinator.registerStoreClass(PropertyListStore.self, type: .init(rawValue: "Other"))
        #expect(Coordinator.registeredStoreTypes["Other"] == PropertyListStore.self)
        #expect(Coordinator.registeredStoreTypes[NSSQLiteStoreType] == NSPersistentStore.self)
        Coordinator.registerStoreClass(nil, forStoreType: "Other")
        #expect(Coordinator.registeredStoreTypes["Other"] == nil)
        let coordinator = Coordinator(managedObjectModel: LibraryModel.make())
        let url = URL(fileURLWithPath: "/nowhere")
        #expect(
            code {
                try coordinator.addPersistentStore(
                    ofType: "Other", configurationName: nil, at: url)
            } == 134000)
    }
}
