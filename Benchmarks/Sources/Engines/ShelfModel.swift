// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A shelf as a managed object; its books as a set and as a list.
final class Shelf: NSManagedObject {
    @Managed var name: String
    @Managed var books: Set<ShelvedBook>
    @Managed("books") var list: [ShelvedBook]
}

/// A book that stands on a shelf.
final class ShelvedBook: NSManagedObject {
    @Managed var title: String
    @Managed var author: String
    @Managed var year: Int32
    @Managed var rating: Double
    @Managed var isbn: String
    @Managed var available: Bool
    @Managed var shelf: Shelf?
}

/// The model of shelves that know their books.
enum ShelfModel {
    /// Makes the model.
    ///
    /// - Parameters:
    ///   - isUnique: Whether no two books have the same ISBN.
    ///   - byYear: Whether there is an index on the year.
    static func make(isUnique: Bool = false, byYear: Bool = false) -> NSManagedObjectModel {
        let shelf = NSEntityDescription(
            name: "Shelf", managedObjectClass: Shelf.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let attributes = LodeModel.makeAttributes()
        let book = NSEntityDescription(
            name: "ShelvedBook", managedObjectClass: ShelvedBook.self, properties: attributes)
        let books = NSRelationshipDescription(name: "books", destination: book)
        shelf.properties.append(books)
        book.properties.append(
            NSRelationshipDescription(
                name: "shelf", destination: shelf, maxCount: 1, inverse: books))
        if isUnique { book.uniquenessConstraints = [["isbn"]] }
        if byYear {
            let year = attributes.filter { $0.name == "year" }
            book.indexes = [NSFetchIndexDescription(name: "byYear", properties: year)]
        }
        return NSManagedObjectModel(entities: [shelf, book])
    }
}
