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

/// A managed object with the attributes of a row.
protocol FilledFromRow: NSManagedObject {
    var title: String { get set }
    var author: String { get set }
    var year: Int32 { get set }
    var rating: Double { get set }
    var isbn: String { get set }
    var available: Bool { get set }
}

extension Book: FilledFromRow {}
extension ShelvedBook: FilledFromRow {}

extension FilledFromRow {
    /// Takes the row's attributes, but for the shelf.
    // Always inlined: what is measured are the setters of the class.
    @inline(__always)
    func fill(from row: BookRow) {
        title = row.title
        author = row.author
        year = row.year
        rating = row.rating
        isbn = row.isbn
        available = row.available
    }
}

/// The model of the benchmarks: one entity without indexes and relationships.
enum LodeModel {
    static func make() -> NSManagedObjectModel {
        let attributes = [
            NSAttributeDescription(name: "title", type: .string),
            NSAttributeDescription(name: "author", type: .string),
            NSAttributeDescription(name: "year", type: .integer32),
            NSAttributeDescription(name: "rating", type: .double),
            NSAttributeDescription(name: "isbn", type: .string),
            NSAttributeDescription(name: "available", type: .boolean),
            NSAttributeDescription(name: "shelf", type: .integer64),
        ]
        return NSManagedObjectModel(entities: [
            NSEntityDescription(
                name: "Book", managedObjectClass: Book.self, properties: attributes)
        ])
    }
}
