// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Fetches over two files in one coordinator: merged, ordered, limited to some.
@Suite struct SeveralFilesFetchTests {
    @Test func a_fetch_merges_both_files_in_order() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Middlemarch", "year": 1871])
        context.make("Book", ["title": "Ulysses", "year": 1922])
        try context.save()
        #expect(
            try context.values("title", of: "Book", by: "year")
                == ["Emma", "Persuasion", "Middlemarch", "Dracula", "Ulysses"])
        #expect(try context.count("Book") == 5)
        let after = NSPredicate(format: "year > 1850")
        #expect(
            try context.values("title", of: "Book", by: "year", after)
                == ["Middlemarch", "Dracula", "Ulysses"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: false)]
        (request.fetchOffset, request.fetchLimit) = (1, 2)
        #expect(try context.fetch(request).map { $0.text("title") } == ["Dracula", "Middlemarch"])
        #expect(try context.count(for: request) == 2)
        // Unsaved changes count, wherever they will go.
        context.make("Book", ["title": "Frankenstein", "year": 1818])
        #expect(
            try context.values("title", of: "Book", by: "year")
                == ["Emma", "Persuasion", "Frankenstein", "Middlemarch", "Dracula", "Ulysses"])
    }

    /// Two files with notes, those of the second one behind and between those of the first.
    private func twoFiles() throws -> (StoreFolder, NSManagedObjectContext) {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        for (number, name) in [(1, "a"), (4, "a"), (6, "a"), (3, "b"), (5, "b")] {
            let note = context.make("Note", ["text": "\(number)", "number": number])
            context.assign(note, to: try folder.store("\(name).lode"))
        }
        try context.save()
        return (folder, context)
    }

    @Test func an_unsaved_change_moves_no_other_object() throws {
        let (_, context) = try twoFiles()
        let first = try #require(try context.all("Note", NSPredicate(format: "number == 1")).first)
        first.setValue(7, forKey: "number")
        #expect(
            try context.values("text", of: "Note", by: "number") == ["3", "4", "5", "6", "1"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        (request.fetchOffset, request.fetchLimit) = (1, 2)
        #expect(try context.fetch(request).map { $0.text("text") } == ["4", "5"])
        // As the stores have it.
        request.includesPendingChanges = false
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        #expect(
            try context.fetch(request).map { $0.text("text") } == ["1", "3", "4", "5", "6"])
    }

    @Test func an_object_with_former_values_moves_no_other_object() throws {
        let (folder, context) = try twoFiles()
        let known = try #require(try context.all("Note", NSPredicate(format: "number == 6")).first)
        #expect(known.number("number") == 6)
        let other = folder.makeContext()
        try other.all("Note", NSPredicate(format: "number == 6")).first?
            .setValue(0, forKey: "number")
        try other.save()
        #expect(
            try context.values("text", of: "Note", by: "number") == ["6", "1", "3", "4", "5"])
        context.make("Note", ["text": "new", "number": 2])
        #expect(
            try context.values("text", of: "Note", by: "number")
                == ["6", "1", "new", "3", "4", "5"])
    }

    @Test func affected_stores_limit_a_fetch() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Ulysses", "year": 1922])
        try context.save()
        context.make("Book", ["title": "Unsaved", "year": 2000])
        let (own, other) = (try folder.store("user.lode"), try folder.store("shipped.lode"))
        #expect(
            try context.values("title", of: "Book", in: [other])
                == ["Dracula", "Emma", "Persuasion"])
        #expect(try context.values("title", of: "Book", in: [own]) == ["Ulysses", "Unsaved"])
        #expect(try context.values("title", of: "Book", in: [own, other]).count == 5)
        let foreign = try StoreFolder()
        _ = try foreign.open([("x.lode", nil)])
        let stranger = try foreign.store("x.lode")
        #expect(code { _ = try context.values("title", of: "Book", in: [stranger]) } == 134070)
    }

    @Test func predicates_with_objects_find_those_of_their_file() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        let eliot = context.make("Author", ["name": "Eliot"])
        context.make("Book", ["title": "Middlemarch"]).setValue(eliot, forKey: "author")
        try context.save()
        let austen = try #require(try context.named("Austen", "Author"))
        func titles(_ format: String, _ argument: Any) throws -> [String] {
            try context.values(
                "title", of: "Book", NSPredicate(format: format, argumentArray: [argument]))
        }
        #expect(try titles("author == %@", austen) == ["Emma", "Persuasion"])
        #expect(try titles("author == %@", eliot) == ["Middlemarch"])
        #expect(try titles("author IN %@", [austen.objectID, eliot.objectID]).count == 3)
        #expect(try titles("author.name BEGINSWITH %@", "E") == ["Middlemarch"])
        #expect(austen.many("books").map { $0.text("title") }.sorted() == ["Emma", "Persuasion"])
    }

    @Test func dictionaries_of_one_file_or_of_both() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Ulysses", "year": 1922])
        try context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title", "author"]
        let rows = try context.fetch(request)
        #expect(
            rows.compactMap { $0["title"] as? String }.sorted()
                == ["Dracula", "Emma", "Persuasion", "Ulysses"])
        let ids = Set(rows.compactMap { $0["author"] as? NSManagedObjectID })
        #expect(
            try Set(ids.map { try context.existingObject(with: $0).text("name") })
                == ["Austen", "Stoker"])
        request.returnsDistinctResults = true
        #expect(code { _ = try context.fetch(request) } == 134070)
        request.affectedStores = [try folder.store("shipped.lode")]
        request.propertiesToFetch = ["author"]
        #expect(try context.fetch(request).count == 2)
    }

    @Test func an_aggregate_of_both_files_is_an_error_and_not_one_row_each() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Ulysses", "year": 1922])
        try context.save()
        let number = NSExpressionDescription()
        number.name = "number"
        number.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
        number.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [number]
        #expect(code { _ = try context.fetch(request) } == 134070)
        request.affectedStores = [try folder.store("shipped.lode")]
        #expect(try context.fetch(request).map { $0["number"] as? Int } == [3])
    }
}
