// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Lode as an application uses it: managed objects of a class, through a context.
public final class LodeEngine: Engine {
    /// The name.
    public static let name = "Lode"
    /// Settings.
    public static let settings = "default store options, @Managed properties, one context"

    let container: NSPersistentContainer
    private var context: NSManagedObjectContext
    private var identifiers: [NSManagedObjectID] = []
    /// The IDs of all books, by position, once a workload has asked for them.
    private(set) lazy var allIdentifiers = Result { try fetchIdentifiers() }
    var updates: (context: NSManagedObjectContext, books: [Book])?

    /// Opens a file with a model made for it, creating the file if there is none.
    public init(path: String) throws {
        container = try NSPersistentContainer(LodeModel.make(), at: path)
        context = container.newBackgroundContext()
    }

    /// Adds books.
    public func insert(_ books: ArraySlice<BookRow>, commits: Bool) throws {
        try context.performAndWait {
            for row in books {
                let book = Book(context: context)
                book.fill(from: row)
                book.shelf = row.shelf
            }
            if commits { try context.save() }
        }
    }

    /// Fetches all books with a new context and reads their years.
    public func sumYears() throws -> Checksum {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            var checksum = Checksum()
            for book in try context.fetch(NSFetchRequest<Book>(entityName: "Book")) {
                checksum.add(Int64(book.year))
            }
            return checksum
        }
    }

    /// Keeps the object IDs of the positions.
    public func prepareReads(_ positions: [Int]) throws {
        let context = container.newBackgroundContext()
        let all = try context.performAndWait {
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.objectID)
        }
        // Made anew in the order of reading, so that they lie in memory as the other engines' keys
        // do.
        let coordinator = container.persistentStoreCoordinator
        identifiers = try positions.map { position in
            let uri = all[position].uriRepresentation()
            guard let made = coordinator.managedObjectID(forURIRepresentation: uri) else {
                throw BenchmarkError("\(uri) names no object")
            }
            return made
        }
    }

    /// Looks up each book by its ID with a new context; none is held longer than it takes.
    public func readPrepared(hashesText: Bool) throws -> Checksum {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            var checksum = Checksum(hashesText: hashesText)
            for identifier in identifiers {
                guard let book = try context.existingObject(with: identifier) as? Book else {
                    throw BenchmarkError("\(identifier) is no book")
                }
                checksum.add(
                    BookRow(
                        title: book.title, author: book.author, year: book.year,
                        rating: book.rating, isbn: book.isbn, available: book.available,
                        shelf: book.shelf))
            }
            return checksum
        }
    }

    /// Fetches one book.
    public func readFirst() throws -> Checksum {
        try context.performAndWait {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.fetchLimit = 1
            guard let book = try context.fetch(request).first else {
                throw BenchmarkError("the store has no book")
            }
            var checksum = Checksum(hashesText: true)
            checksum.add(book.title)
            checksum.add(Int64(book.year))
            return checksum
        }
    }

    /// Lets the coordinator close its store.
    public func close() throws {
        identifiers = []
        updates = nil
        context.reset()
        try container.close()
    }
}
