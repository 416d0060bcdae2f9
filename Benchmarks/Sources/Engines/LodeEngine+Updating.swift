// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

extension LodeEngine {
    /// Changes the books in a new context, which does not save yet.
    public func prepareUpdates(_ positions: [Int]) throws {
        let all = try allIdentifiers.get()
        let context = container.newBackgroundContext()
        let books = try context.performAndWait {
            try positions.map { position in
                guard let book = try context.existingObject(with: all[position]) as? Book else {
                    throw BenchmarkError("\(all[position]) is no book")
                }
                book.year += 1
                return book
            }
        }
        updates = (context, books)
    }

    /// Saves.
    public func updatePrepared() throws {
        guard let (context, _) = updates else { return }
        try context.performAndWait { try context.save() }
    }

    func fetchIdentifiers() throws -> [NSManagedObjectID] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.objectID)
        }
    }
}
