// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// A coordinator whose store comes and goes.
final class ShelfOfStores {
    let directory: String
    let container: NSPersistentContainer
    var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

    /// - Parameter isOrdered: Whether an author's books have an order.
    init(_ directory: String, isOrdered: Bool = false) throws {
        let author = Build.entity("Author", [Build.attribute("name")])
        let book = Build.entity(
            "Book",
            [Build.attribute("title"), Build.attribute("year", .integer32AttributeType)])
        let books = Build.relationship("books", of: author, to: book, max: 0)
        books.isOrdered = isOrdered
        Build.inverse(Build.relationship("author", of: book, to: author, max: 1), books)
        Build.inverse(
            Build.relationship("sequel", of: book, to: book, max: 1),
            Build.relationship("prequel", of: book, to: book, max: 1))
        self.directory = directory
        container = NSPersistentContainer(
            name: "Test", managedObjectModel: Build.model(author, book))
        try add("a.lode")
    }

    @discardableResult
    func add(_ name: String) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            type: .sqlite, at: URL(fileURLWithPath: "\(directory)/\(name)"))
    }

    func removeAll() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// An author of one book, saved; the book's ID and the author's.
    func fill(_ title: String = "kept") throws -> [NSManagedObjectID] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let book = context.make("Book", ["title": title, "year": 7])
            let author = context.make("Author", ["name": "Ann"])
            book.setValue(author, forKey: "author")
            try context.save()
            return [book.objectID, author.objectID]
        }
    }
}
