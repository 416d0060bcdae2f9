// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Shelves as managed objects, walked with `for book in shelf.books`.
public final class LodeShelves: ShelfStore {
    /// The name.
    public static let name = "Lode"

    let container: NSPersistentContainer

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        container = try NSPersistentContainer(ShelfModel.make(), at: path)
    }

    /// Inserts by one context, with a save every 10,000 books.
    public func fill(_ books: [BookRow], shelfCount: Int) throws {
        try container.fill(BookSource(books), shelfCount: shelfCount, commitSize: 10_000)
    }

    /// Fetches the shelves with a new context and walks to their books.
    public func sumYears(_ walk: ShelfWalk) throws -> Checksum {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            var total: Int64 = 0
            let shelves = try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf"))
            switch walk {
            case .list:
                for shelf in shelves { for book in shelf.list { total += Int64(book.year) } }
            case .set:
                for shelf in shelves { for book in shelf.books { total += Int64(book.year) } }
            }
            var checksum = Checksum()
            checksum.add(total)
            return checksum
        }
    }

    /// Moves books to the first shelf, unsaved; returns the seconds that setting them took.
    public func moveBooks(_ count: Int) throws -> Double {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<ShelvedBook>(entityName: "ShelvedBook")
            request.fetchLimit = count
            let books = try context.fetch(request)
            let shelves = try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf"))
            guard let target = shelves.last else { throw BenchmarkError("there is no shelf") }
            let seconds = Stopwatch.time { for book in books { book.shelf = target } }.seconds
            context.rollback()
            return seconds / Double(max(books.count, 1))
        }
    }

    /// Lets the coordinator close its store.
    public func close() throws { try container.close() }
}
