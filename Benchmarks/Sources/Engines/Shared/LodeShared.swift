// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Lode with a new context for each look of a reader, and one that writes.
// The context is used on its own queue, and what else there is does not change.
final class LodeShared: SharedLibrary, @unchecked Sendable {
    private let library: LodeLibrary
    private let container: NSPersistentContainer
    private let books: [NSManagedObjectID]
    private let context: NSManagedObjectContext

    init(path: String) throws {
        library = try LodeLibrary(path: path, byBatch: false)
        container = library.container
        context = container.newBackgroundContext()
        books = try container.bookIdentifiers()
    }

    func makeReader() throws -> any LibraryReader { try Reader(container) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        try context.performAndWait {
            for pair in pairs {
                let first = try context.book(books[pair.first])
                let second = try context.book(books[pair.second])
                let year = first.year
                first.year = second.year
                second.year = year
            }
            try context.save()
        }
    }

    func close() throws { try library.close() }

    private final class Reader: LibraryReader {
        private let container: NSPersistentContainer
        private let books: [NSManagedObjectID]

        init(_ container: NSPersistentContainer) throws {
            self.container = container
            books = try container.bookIdentifiers()
        }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                var look = try Look(at: pairs) { try context.book(books[$0]) }
                let request = NSFetchRequest<ShelvedBook>(entityName: "ShelvedBook")
                request.predicate = NSPredicate(format: "year == %d", year)
                for book in try context.fetch(request) { look.addOfYear(book) }
                return look
            }
        }

        func close() {}
    }
}

extension NSPersistentContainer {
    /// The IDs of all books, in the order of their insertion.
    fileprivate func bookIdentifiers() throws -> [NSManagedObjectID] {
        let context = newBackgroundContext()
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<ShelvedBook>(entityName: "ShelvedBook"))
                .map(\.objectID)
        }
    }
}

extension NSManagedObjectContext {
    /// A book, which has to be there.
    func book(_ identifier: NSManagedObjectID) throws -> ShelvedBook {
        guard let book = try existingObject(with: identifier) as? ShelvedBook else {
            throw BenchmarkError("\(identifier) is no book")
        }
        return book
    }
}
