// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Constants, limits and entities in predicates over several stores, and over a history.
@Suite struct FurtherStoreCoercionTests {
    @Test func several_files_convert_and_refuse() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        context.make("Book", ["title": "Ulysses", "year": 1922])
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(
                try context.values(
                    "title", of: "Book", by: "year", NSPredicate(format: "year > '1850'"))
                    == ["Dracula", "Ulysses"])
            #expect(
                try context.values(
                    "title", of: "Book", by: "year",
                    NSPredicate(format: "entity.name == 'Book' AND year IN {'1922', 1815}"))
                    == ["Emma", "Ulysses"])
            let wrong = NSPredicate(format: "year > 'late'")
            #expect(code { _ = try context.all("Book", wrong) } == 134_070)
            for (limit, offset, count) in [
                (Int.max, 1, 3), (Int.max, -1, 4), (-1, 0, 4), (2, Int.min, 2), (1, Int.max, 0),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
                (request.fetchLimit, request.fetchOffset) = (limit, offset)
                #expect(try context.fetch(request).count == count)
                #expect(try context.count(for: request) == count)
            }
        }
    }

    @Test func an_atomic_store_converts_and_refuses() throws {
        PropertyListStore.register()
        let folder = try StoreFolder()
        let context = try folder.open([("books.plist", "Catalogue")])
        context.make("Book", ["title": "Emma", "year": 1815])
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let found = try context.all("Book", NSPredicate(format: "year == '1815'"))
            #expect(found.map { $0.text("title") } == ["Emma"])
            let wrong = NSPredicate(format: "year == 'late'")
            #expect(code { _ = try context.all("Book", wrong) } == 134_070)
        }
    }

    @Test func a_history_converts_and_refuses() throws {
        let stack = try Stack.withHistory()
        for (title, author) in [("a", "x"), ("b", "y"), ("c", "x")] {
            try stack.film(title, by: author)
        }
        func numbers(_ format: String, limit: Int = 0, offset: Int = 0) throws -> [Int64] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format)
            (fetch.fetchLimit, fetch.fetchOffset) = (limit, offset)
            return try stack.history(.fetchHistory(withFetch: fetch)).map(\.transactionNumber)
        }
        #expect(try numbers("transactionNumber > '1'") == [2, 3])
        #expect(try numbers("timestamp > '2001-01-01'") == [1, 2, 3])
        #expect(try numbers("timestamp < '2001-01-01'") == [])
        #expect(try numbers("ANY changes.changeType == '0'") == [1, 2, 3])
        #expect(try numbers("TRUEPREDICATE", limit: .max, offset: 1) == [2, 3])
        #expect(try numbers("TRUEPREDICATE", limit: .max, offset: -1) == [1, 2, 3])
        for format in [
            "transactionNumber > 'many'", "timestamp > 5", "author == 1.5",
            "ANY changes.changeType == 'insert'",
        ] {
            #expect(code { _ = try numbers(format) } == 134_070, "\(format)")
        }
    }
}
