// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Testing

@testable import ManagedObjects

/// Fetch indexes with a predicate: unsaved changes, children, batch requests, other models.
@Suite struct PartialIndexTests {
    private static func model(_ format: String? = "isRead == NO") -> NSManagedObjectModel {
        let book = Build.entity(
            "Book",
            [
                Build.attribute("title"), Build.attribute("year", .integer16AttributeType),
                Build.attribute("isRead", .booleanAttributeType),
            ])
        let comic = Build.entity("Comic", [])
        book.subentities = [comic]
        Build.index(book, "year")
        book.indexes[0].partialIndexPredicate = format.map { NSPredicate(format: $0) }
        return Build.model(book, comic)
    }

    private static func filled() throws -> Stack {
        let stack = try Stack(model())
        for (title, year, isRead) in [
            ("a", 1950, false), ("b", 1960, true), ("c", 1970, false), ("d", 1980, true),
        ] {
            stack.context.make(
                title == "c" ? "Comic" : "Book", ["title": title, "year": year, "isRead": isRead])
        }
        stack.context.make("Book", ["title": "e", "year": 1990])
        try stack.context.save()
        return stack
    }

    private static func titles(
        _ context: NSManagedObjectContext, _ format: String = "isRead == NO AND year > 1900"
    ) throws -> String {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        #expect(try context.count(for: request) == context.fetch(request).count)
        return try context.fetch(request).map { $0.text("title") }.joined()
    }

    private static func explained(
        _ context: NSManagedObjectContext, _ format: String
    ) throws -> String {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format)
        return try context.explain(request)
    }

    @Test func fetches_that_ask_for_less_use_it() throws {
        let stack = try Self.filled()
        let line = "index range year where isRead == 0: year > 1960"
        let text = try Self.explained(stack.context, "isRead == NO AND year > 1960")
        #expect(text.contains(line))
        #expect(!text.contains("filter"))
        #expect(try Self.explained(stack.context, "year > 1960").contains("scan Book, Comic"))
        #expect(
            try Self.explained(stack.context, "isRead != YES AND year > 1960").contains("scan"))
        #expect(try Self.titles(stack.context) == "ac")
        #expect(try Self.titles(stack.context, "isRead != YES") == "ace")
    }

    @Test func what_is_not_saved_counts() throws {
        let stack = try Self.filled()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.context
        try stack.context.all("Book", NSPredicate(format: "title == 'a'")).first?
            .setValue(true, forKey: "isRead")
        try stack.context.all("Book", NSPredicate(format: "title == 'd'")).first?
            .setValue(false, forKey: "isRead")
        stack.context.make("Comic", ["title": "f", "year": 1940, "isRead": false])
        for context in [stack.context, child] { #expect(try Self.titles(context) == "fcd") }
        try child.all("Book", NSPredicate(format: "title == 'c'")).forEach { child.delete($0) }
        #expect(try Self.titles(child) == "fd")
        try child.save()
        try stack.context.save()
        #expect(try Self.titles(stack.context) == "fd")
        try stack.reopenChecked()
        #expect(try Self.titles(stack.context) == "fd")
        #expect(try Self.titles(stack.context, "isRead == YES") == "ab")
    }

    @Test func batch_requests_maintain_it() throws {
        let stack = try Self.filled()
        let insert = NSBatchInsertRequest(
            entityName: "Book",
            objects: (0..<50).map {
                ["title": "x", "year": 1900 + $0, "isRead": $0.isMultiple(of: 5)]
            })
        try stack.context.execute(insert)
        #expect(try Self.titles(stack.context).count == 42)
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.predicate = NSPredicate(format: "isRead == NO AND year >= 1910")
        update.propertiesToUpdate = ["isRead": true]
        try stack.context.execute(update)
        #expect(try Self.titles(stack.context) == "xxxxxxxx")
        let delete = NSBatchDeleteRequest(
            fetchRequest: {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
                request.predicate = NSPredicate(format: "isRead == NO AND year < 1905")
                return request
            }())
        try stack.context.execute(delete)
        try stack.reopenChecked()
        #expect(try Self.titles(stack.context) == "xxxx")
        #expect(try stack.context.all("Book").count == 51)
    }

    @Test func a_file_keeps_the_predicate() throws {
        let stack = try Self.filled()
        let stored = try NSManagedObjectModel.stored(at: stack.url)
        let book = try #require(stored.entitiesByName["Book"])
        #expect(book.indexes.map(\.partialIndexPredicate?.description) == ["isRead == 0"])
        let (found, made) = (try stored.compile().schema, try Self.model().compile().schema)
        #expect(found.entity("Comic")?.indexes == made.entity("Comic")?.indexes)
        #expect(made.entity("Comic")?.indexes.map(\.isPartial) == [true])
    }

    @Test(arguments: ["year > 1960", nil, "title BEGINSWITH 'c' OR isRead == nil"])
    func another_predicate_builds_the_index_anew(format: String?) throws {
        let stack = try Self.filled()
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        for made in [format, "isRead == NO"] {
            let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model(made))
            let store = try other.addPersistentStore(type: .sqlite, at: stack.url)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = other
            #expect(try Self.titles(context) == "ac")
            let text = try Self.explained(context, "(\(made ?? "TRUEPREDICATE")) AND year > 1960")
            #expect(text.contains("index range year"))
            try other.remove(store)
            try NSPersistentStore.verify(at: stack.url)
        }
    }

    @Test(arguments: [
        ("author.name == 'a'", "Book has no property author"),
        ("title CONTAINS 'a'", "title CONTAINS \"a\" is no comparison of a stored attribute"),
        ("year > 'x'", "cannot be compared with"),
    ])
    func a_predicate_that_no_index_can_have_is_refused(format: String, reason: String) throws {
        let error = #expect(throws: ModelError.self) {
            _ = try Self.model(format).compile()
        }
        let text = error?.description ?? ""
        let start = "index year of Book has the predicate \(format.prefix(5))"
        #expect(text.hasPrefix(start), "\(text)")
        #expect(text.contains(reason), "\(text)")
    }

    /// What a partial index leaves out needs no scan.
    @Test func a_scan_limit_counts_what_the_index_has() throws {
        let context = try PartialIndexTests.filled().context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.scanLimit = 3
        for format in ["isRead == NO", "isRead == NO AND title != 'x'"] {
            request.predicate = NSPredicate(format: format)
            #expect(try context.fetch(request).map { $0.text("title") }.sorted() == ["a", "c"])
        }
        request.predicate = NSPredicate(format: "isRead == YES")
        let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
        #expect(error?.code.rawValue == 134_070)
    }
}
