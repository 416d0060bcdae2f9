// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Objects of an incremental store keep what was saved of them.
@Suite struct KeptValuesTests {
    private let folder: StoreFolder
    private let context: NSManagedObjectContext
    private let table: TableStore

    init() throws {
        TableStore.register()
        folder = try StoreFolder()
        context = try folder.open([("main.lode", "Notes"), ("books.table", "Catalogue")])
        table = try #require(try folder.store("books.table") as? TableStore)
    }

    @Test func new_objects_keep_their_values() throws {
        let cover = Data(repeating: 7, count: 100_000)
        let author = context.make("Author", ["name": "Austen"])
        let emma = context.make("Book", ["title": "Emma", "year": 1815, "cover": cover])
        let sanditon = context.make("Book", ["title": "Sanditon", "author": author])
        emma.setValue(author, forKey: "author")
        emma.setValue(NSOrderedSet(array: [sanditon]), forKey: "sequels")
        try context.save()
        #expect(!author.isFault && !emma.isFault && !author.objectID.isTemporaryID)
        table.log = []
        #expect(author.text("name") == "Austen" && author.many("books") == [emma, sanditon])
        #expect(emma.text("title") == "Emma" && emma.number("year") == 1815)
        #expect(emma.value(forKey: "cover") as? Data == cover)
        #expect(emma.one("author") === author && sanditon.one("author") === author)
        #expect((emma.value(forKey: "sequels") as? NSOrderedSet)?.array.count == 1)
        #expect(table.log.isEmpty)
        // A commit to the main store moves the context on.
        context.make("Note", ["text": "n"])
        try context.save()
        #expect(emma.text("title") == "Emma" && sanditon.value(forKey: "cover") == nil)
        #expect(table.log.isEmpty)
    }

    @Test func updated_objects_keep_their_values() throws {
        let author = context.make("Author", ["name": "Austen"])
        let emma = context.make("Book", ["title": "Emma", "author": author])
        try context.save()
        let other = folder.makeContext()
        let twin = try other.existingObject(with: emma.objectID)
        let writer = try #require(twin.one("author"))
        #expect(writer.many("books") == [twin])
        twin.setValue("EMMA", forKey: "title")
        let second = other.make("Book", ["title": "Sanditon", "author": writer])
        try other.save()
        table.log = []
        #expect(!twin.isFault && twin.text("title") == "EMMA" && twin.one("author") === writer)
        #expect(writer.many("books") == [twin, second])
        #expect(table.log.isEmpty)
        // Another context's save is read by a refresh.
        context.refresh(emma, mergeChanges: true)
        #expect(emma.text("title") == "EMMA")
    }

    @Test func saves_of_others_conflict_with_kept_values() throws {
        let author = context.make("Author", ["name": "Austen"])
        try context.save()
        let other = folder.makeContext()
        let twin = other.object(with: author.objectID)
        for name in ["b", "c"] {
            twin.setValue(name, forKey: "name")
            try other.save()
        }
        author.setValue("mine", forKey: "name")
        #expect(code { try context.save() } == 133020)
        context.refresh(author, mergeChanges: true)
        try context.save()
        #expect(table.rows["Author"]?[1]?.values["name"] as? String == "mine")
        twin.setValue("d", forKey: "name")
        #expect(code { try other.save() } == 133020)
    }

    @Test func a_child_reads_what_its_parent_has_kept() throws {
        let author = context.make("Author", ["name": "Austen"])
        try context.save()
        table.log = []
        let child = Stack.child(of: context)
        #expect(child.object(with: author.objectID).text("name") == "Austen")
        #expect(table.log.isEmpty)
    }
}
