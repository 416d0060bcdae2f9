// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Books in one or several files of one coordinator, the first of which is its main store.
public final class SeveralFiles {
    private let container: NSPersistentContainer

    /// Opens files, creating those that are not there.
    public init(paths: [String]) throws {
        let descriptions = paths.map { path in
            let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
            description.setOption("none" as NSString, forKey: LodeDurabilityOption)
            return description
        }
        container = try NSPersistentContainer(LodeModel.make(), at: descriptions)
    }

    private func store(_ index: Int) -> NSPersistentStore {
        container.persistentStoreCoordinator.persistentStores[index]
    }

    private func context() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// Inserts books into a file; returns the seconds of that and of the save.
    public func insert(_ rows: ArraySlice<BookRow>, into index: Int) throws -> Double {
        let context = context()
        let store = store(index)
        return try context.performAndWait {
            try Stopwatch.time {
                for row in rows {
                    let book = Book(context: context)
                    book.fill(from: row)
                    book.shelf = row.shelf
                    if index > 0 { context.assign(book, to: store) }
                }
                try context.save()
            }.seconds
        }
    }

    /// Fetches all books of a file, and of no other, and reads their years.
    public func read(from index: Int) throws -> (checksum: Checksum, seconds: Double) {
        let context = context()
        let request = NSFetchRequest<Book>(entityName: "Book")
        if index > 0 { request.affectedStores = [store(index)] }
        return try context.performAndWait {
            let (checksum, seconds) = try Stopwatch.time {
                var checksum = Checksum()
                for book in try context.fetch(request) { checksum.add(Int64(book.year)) }
                return checksum
            }
            return (checksum, seconds)
        }
    }

    /// Changes the year of all books of a file; returns the seconds of that and of the save.
    public func update(in index: Int) throws -> Double {
        let context = context()
        let request = NSFetchRequest<Book>(entityName: "Book")
        if index > 0 { request.affectedStores = [store(index)] }
        return try context.performAndWait {
            let books = try context.fetch(request)
            for book in books { _ = book.year }
            return try Stopwatch.time {
                for book in books { book.year += 1 }
                try context.save()
            }.seconds
        }
    }

    /// Lets the coordinator close its stores.
    public func close() throws { try container.close() }
}
