// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A book as a managed object.
final class Book: NSManagedObject {
    @Managed var title: String
    @Managed var author: String
    @Managed var year: Int32
    @Managed var rating: Double
    @Managed var isbn: String
    @Managed var available: Bool
    @Managed var shelf: Int64
}

extension BookValues where Self: NSManagedObject {
    /// Takes the row's attributes, but for the shelf.
    // Always inlined: what is measured are the setters of the class.
    @inline(__always)
    func fill(from row: BookRow) {
        // A variable: setters that a row has as well count as mutating.
        var book = self
        book.title = row.title
        book.author = row.author
        book.year = row.year
        book.rating = row.rating
        book.isbn = row.isbn
        book.available = row.available
    }
}

/// The model of the benchmarks: one entity without indexes and relationships.
enum LodeModel {
    static func make() -> NSManagedObjectModel {
        let shelf = NSAttributeDescription(name: "shelf", type: .integer64)
        return NSManagedObjectModel(entities: [
            NSEntityDescription(
                name: "Book", managedObjectClass: Book.self, properties: makeAttributes() + [shelf])
        ])
    }

    /// The attributes of a book but for its shelf.
    static func makeAttributes() -> [NSAttributeDescription] {
        [
            NSAttributeDescription(name: "title", type: .string),
            NSAttributeDescription(name: "author", type: .string),
            NSAttributeDescription(name: "year", type: .integer32),
            NSAttributeDescription(name: "rating", type: .double),
            NSAttributeDescription(name: "isbn", type: .string),
            NSAttributeDescription(name: "available", type: .boolean),
        ]
    }
}
