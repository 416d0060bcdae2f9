// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// Objects that leave a context and are inserted into another one.
@Suite struct ReinsertedObjectTests {
    @Test func nothing_is_read_from_bytes_of_the_former_context() throws {
        let library = try Library()
        for title in ["Emma", "Persuasion"] {
            let book = Book(context: library.context)
            book.title = title
            book.pages = 474
        }
        try library.context.save()
        // Both contexts have read as often, so that their states have the same numbers.
        let contexts = (0..<2).map { _ in library.container.newBackgroundContext() }
        let books = try contexts.map { context in
            try context.performAndWait {
                let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
                #expect(books.map(\.pages) == [474, 474])
                return books
            }
        }
        contexts[0].performAndWait { contexts[0].reset() }
        try contexts[1].performAndWait {
            let moved = books[0][0]
            #expect(moved.managedObjectContext == nil)
            contexts[1].insert(moved)
            #expect(moved.pages == 0 && moved.value(forKey: "pages") == nil)
            moved.pages = 9
            #expect(moved.pages == 9)
            moved.title = "Sanditon"
            #expect(moved.title == "Sanditon")
            try contexts[1].save()
            #expect(moved.title == "Sanditon" && moved.pages == 9)
            #expect(books[1].map(\.pages) == [474, 474])
        }
        #expect(try library.book("Sanditon")?.pages == 9)
        #expect(try library.book("Emma")?.pages == 474)
    }
}
