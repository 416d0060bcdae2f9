// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Limits, offsets and counts beside unsaved changes: no match is missing or doubled, and no more
/// objects are made than are needed.
@Suite struct PendingPageTests {
    private static func library(_ books: Int, shelves: Int = 4) throws -> Stack {
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        let book = Build.entity(
            "Book",
            [
                Build.attribute("title"), Build.attribute("number", .integer32AttributeType),
                Build.attribute("price", .decimalAttributeType),
                Build.attribute("day", .dateAttributeType),
                Build.attribute("link", .URIAttributeType),
                Build.attribute("weight", .doubleAttributeType),
            ])
        Build.index(book, "number")
        Build.inverse(
            Build.relationship("shelf", of: book, to: shelf, max: 1),
            Build.relationship("books", of: shelf, to: book, max: 0))
        let stack = try Stack(Build.model(shelf, book))
        let all = (0..<shelves).map { stack.context.make("Shelf", ["name": "s\($0)"]) }
        for number in 0..<books {
            let book = stack.context.make(
                "Book", ["title": "t\(number)", "number": number * 7_919 % books])
            book.setValue(all[number * shelves / books], forKey: "shelf")
        }
        try stack.context.save()
        return stack
    }

    private static func request(
        _ format: String? = nil, sortedBy key: String? = nil
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return request
    }

    /// With an index the matches come in its order, with a scan in that of their rows.
    @Test func pages_without_an_order_come_from_one_plan() throws {
        let stack = try PendingPageTests.library(20_000)
        let context = stack.container.newBackgroundContext()
        context.make("Book", ["title": "new", "number": 30_000])
        let request = PendingPageTests.request("number < 2000")
        request.fetchLimit = 100
        var found: [NSManagedObjectID] = []
        for page in 0..<20 {
            request.fetchOffset = page * 100
            found += try context.fetch(request).map(\.objectID)
        }
        #expect(found.count == 2_000)
        #expect(Set(found).count == 2_000)
    }

    @Test func a_limit_cuts_by_the_unsaved_values_at_the_other_end() throws {
        let stack = try PendingPageTests.library(40)
        let context = stack.container.newBackgroundContext()
        let shelves = try context.all("Shelf").sorted { $0.text("name") < $1.text("name") }
        shelves[3].setValue("a first", forKey: "name")
        let request = PendingPageTests.request(sortedBy: "shelf.name")
        // Whether a book itself has changes or not.
        for changesBook in [false, true] {
            if changesBook { try context.all("Book")[0].setValue("x", forKey: "title") }
            request.fetchLimit = 0
            let all = try context.fetch(request)
            #expect(all.prefix(10).allSatisfy { $0.one("shelf") === shelves[3] })
            request.fetchLimit = 3
            #expect(try context.fetch(request) == Array(all.prefix(3)))
            request.fetchOffset = 9
            #expect(try context.fetch(request) == Array(all[9..<12]))
            request.fetchOffset = 0
        }
    }

    @Test func a_child_makes_few_faults() throws {
        let stack = try PendingPageTests.library(500)
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        try child.performAndWait {
            child.make("Book", ["title": "t1a"])
            let request = PendingPageTests.request(sortedBy: "title")
            request.fetchLimit = 3
            request.fetchOffset = 1
            let titles = try child.fetch(request).map { $0.text("title") }
            #expect(titles == ["t1", "t10", "t100"])
            #expect(child.registeredObjects.count <= 6)
            request.fetchOffset = 0
            request.predicate = NSPredicate(format: "title BEGINSWITH 't1a' OR title == 't2'")
            #expect(try child.fetch(request).map { $0.text("title") } == ["t1a", "t2"])
        }
        let made = root.performAndWait { root.registeredObjects.count }
        #expect(made <= 6)
    }

    @Test func several_stores_make_few_faults() throws {
        try withTemporaryDirectory { directory in
            let shelf = try ShelfOfStores(directory)
            let second = try shelf.add("b.lode")
            let writer = shelf.container.newBackgroundContext()
            try writer.performAndWait {
                for number in 100..<400 {
                    let book = writer.make("Book", ["title": "t\(number)"])
                    if number % 3 == 0 { writer.assign(book, to: second) }
                }
                try writer.save()
            }
            let context = shelf.container.newBackgroundContext()
            try context.performAndWait {
                let request = PendingPageTests.request(sortedBy: "title")
                request.fetchLimit = 3
                request.fetchOffset = 2
                let expected = ["t102", "t103", "t104"]
                let titles = try context.fetch(request).map { $0.text("title") }
                #expect(titles == expected)
                #expect(context.registeredObjects.count <= 10)
                context.make("Book", ["title": "t100a"])
                context.make("Author", ["name": "t103"])
                #expect(
                    try context.fetch(request).map { $0.text("title") } == ["t101", "t102", "t103"])
                #expect(context.registeredObjects.count <= 12)
            }
        }
    }

    @Test func changes_of_other_entities_do_not_count() throws {
        let stack = try PendingPageTests.library(500, shelves: 100)
        let context = stack.container.newBackgroundContext()
        for (number, shelf) in try context.all("Shelf").enumerated() {
            if number % 2 == 0 { shelf.setValue("x", forKey: "name") }
        }
        context.make("Book", ["title": "t1a"])
        let request = PendingPageTests.request(sortedBy: "title")
        request.fetchLimit = 2
        #expect(try context.fetch(request).map { $0.text("title") } == ["t0", "t1"])
        #expect(context.registeredObjects.count <= 100 + 1 + 2)
    }

    @Test func a_count_makes_no_objects() throws {
        let stack = try PendingPageTests.library(500)
        let context = stack.container.newBackgroundContext()
        let books = try context.fetch(PendingPageTests.request("number IN {3, 4, 5}"))
        books.first { $0.number("number") == 3 }?.setValue(600, forKey: "number")
        books.first { $0.number("number") == 4 }?.setValue("x", forKey: "title")
        books.first { $0.number("number") == 5 }.map(context.delete)
        context.make("Book", ["number": 10])
        context.make("Book", ["number": 700])
        for (format, count) in [
            (nil, 501), ("number < 20", 19), ("number >= 20", 482), ("number == 3", 0),
            ("number == 10", 2), ("number > 500", 2), ("title == 'x'", 1), ("number == 5", 0),
        ] as [(String?, Int)] {
            let request = PendingPageTests.request(format)
            #expect(try context.count(for: request) == count)
            request.fetchOffset = 1
            #expect(try context.count(for: request) == max(0, count - 1))
            request.fetchLimit = 5
            #expect(try context.count(for: request) == min(5, max(0, count - 1)))
        }
        #expect(context.registeredObjects.count <= 3 + 4 + 2)
        #expect(try context.fetch(PendingPageTests.request("number < 20")).count == 19)
    }

    /// More than as many as are looked at one by one.
    @Test func values_of_all_kinds_are_found_among_unsaved_objects() throws {
        let stack = try PendingPageTests.library(1)
        let context = stack.context
        let start = Date(timeIntervalSinceReferenceDate: 1_000)
        func url(_ number: Int) -> URL? { URL(string: "https://example.org/\(number)") }
        for number in 0..<40 {
            let book = context.make("Book", ["title": "\(number)", "number": -1])
            book.setValue(NSDecimalNumber(value: Double(number) / 4), forKey: "price")
            book.setValue(start + Double(number), forKey: "day")
            book.setValue(url(number), forKey: "link")
            book.setValue(Double(number) / 8, forKey: "weight")
        }
        context.make("Book", ["title": "odd", "weight": -0.0])
        context.make("Book", ["title": "none", "weight": Double.nan])
        func titles(_ format: String, _ value: Any) throws -> [String] {
            let request = PendingPageTests.request()
            request.predicate = NSPredicate(format: format, argumentArray: [value])
            return try context.fetch(request).map { $0.text("title") }
        }
        #expect(try titles("price == %@", NSDecimalNumber(string: "2.50")) == ["10"])
        #expect(try titles("day == %@", start + 7) == ["7"])
        #expect(try titles("link == %@", try #require(url(9))) == ["9"])
        #expect(try titles("weight == %@", 0.125) == ["1"])
        #expect(try titles("weight == %@", 0.0) == ["0", "odd"])
        #expect(try titles("weight == %@", -0.0) == ["0", "odd"])
        #expect(try titles("number == -1 AND weight == %@", 0.25) == ["2"])
        try #require(try context.fetch(PendingPageTests.request("title == '3'")).first)
            .setValue(5.5, forKey: "weight")
        #expect(try titles("weight == %@", 0.375) == [])
        #expect(try titles("weight == %@", 5.5) == ["3"])
    }

    @Test func an_object_that_comes_back_counts_again() throws {
        let stack = try PendingPageTests.library(20)
        let context = stack.context
        context.undoManager = UndoManager()
        let request = PendingPageTests.request("number < 5")
        let book = try #require(try context.fetch(request).first)
        context.delete(book)
        #expect(try context.count(for: request) == 4)
        context.undo()
        #expect(try context.count(for: request) == 5)
        context.redo()
        #expect(try context.count(for: request) == 4)
        context.rollback()
        #expect(try context.count(for: request) == 5)
        #expect(try context.fetch(request).count == 5)
    }

    @Test func a_request_is_explained_by_what_it_reads() throws {
        let stack = try PendingPageTests.library(4_000)
        let context = stack.context
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "number < 1900")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        #expect(try context.explain(request).contains("scan Book"))
        request.resultType = .countResultType
        #expect(try context.explain(request).contains("index range"))
        request.sortDescriptors = nil
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["number"]
        #expect(try context.explain(request).contains("index range"))
        request.propertiesToFetch = ["title"]
        #expect(try context.explain(request).contains("scan Book"))
    }

    /// Rows that are equal in all criteria come in the order of their keys, or against it.
    @Test(arguments: [false, true], [false, true])
    func equal_rows_have_one_order_on_all_pages(ascends: Bool, inChild: Bool) throws {
        let stack = try PendingPageTests.library(0)
        for number in 0..<5 { stack.context.make("Book", ["title": "t\(number)", "number": 1]) }
        try stack.context.save()
        let root = stack.container.newBackgroundContext()
        let context = inChild ? Stack.child(of: root) : root
        try context.performAndWait {
            let request = PendingPageTests.request()
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: ascends)]
            let saved = try context.fetch(request).map { $0.text("title") }
            let titles = ["t0", "t1", "t2", "t3", "t4"]
            #expect(saved == (ascends ? titles : titles.reversed()))
            try context.fetch(request)[1].setValue("new", forKey: "title")
            context.make("Book", ["title": "t5", "number": 1])
            let all = try context.fetch(request)
            #expect(all.count == 6)
            #expect(all[ascends ? 1 : 2].text("title") == "new")
            #expect(all[ascends ? 5 : 0].text("title") == "t5")
            for limit in 1...3 {
                request.fetchLimit = limit
                var pages: [NSManagedObject] = []
                while pages.count < 6 {
                    request.fetchOffset = pages.count
                    pages += try context.fetch(request)
                }
                #expect(pages == all)
            }
            request.fetchLimit = 0
            request.fetchOffset = 2
            let rest = try context.fetch(request)
            #expect(rest == Array(all[2...]))
        }
    }

    /// The store cuts by what it has, and objects may know older values.
    @Test func pages_are_parts_of_the_whole_where_objects_are_behind() throws {
        let stack = try PendingPageTests.library(10)
        let held = try stack.context.fetch(PendingPageTests.request(sortedBy: "number"))
        #expect(held.map { $0.number("number") } == Array(0..<10))
        let other = stack.container.newBackgroundContext()
        let first = try #require(
            try other.fetch(PendingPageTests.request("number == 0")).first)
        first.setValue(100, forKey: "number")
        try other.save()
        held[5].setValue("changed", forKey: "title")
        stack.context.make("Book", ["title": "new", "number": 3])
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        for context in [stack.context, child] {
            let request = PendingPageTests.request(sortedBy: "number")
            let whole = try context.fetch(request).map(\.objectID)
            var pages: [NSManagedObjectID] = []
            for offset in stride(from: 0, to: 12, by: 3) {
                (request.fetchOffset, request.fetchLimit) = (offset, 3)
                pages += try context.fetch(request).map(\.objectID)
            }
            #expect(pages == whole)
            #expect(whole.first == held[1].objectID && whole.last == held[0].objectID)
            #expect(Set(whole).count == 11)
        }
    }
}
