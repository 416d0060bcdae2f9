// SPDX-License-Identifier: Apache-2.0

import Lode

/// The versions of the model of a file that is migrated.
enum LibraryVersion: String {
    case first, second

    /// A model of its own for each coordinator.
    func makeModel() -> NSManagedObjectModel {
        switch self {
        case .first: LibraryVersion.makeFirst()
        case .second: LibraryVersion.makeSecond()
        }
    }

    private static func string(_ name: String) -> NSAttributeDescription {
        NSAttributeDescription(name: name, type: .string)
    }

    private static func number() -> NSAttributeDescription {
        NSAttributeDescription(
            name: "number", type: .integer64, isOptional: false, defaultValue: 0)
    }

    private static func cover() -> NSAttributeDescription {
        let cover = NSAttributeDescription(name: "cover", type: .binaryData)
        cover.allowsExternalBinaryDataStorage = true
        return cover
    }

    private static func makeFirst() -> NSManagedObjectModel {
        let book = NSEntityDescription(name: "Book")
        let author = NSEntityDescription(name: "Author")
        let draft = NSEntityDescription(name: "Draft", properties: [string("text")])
        let books = NSRelationshipDescription(name: "books", destination: book)
        let favourites = NSRelationshipDescription(name: "favourites", destination: book)
        author.properties = [string("name"), books, favourites]
        let number = number()
        book.properties = [
            number, string("title"), string("note"), cover(),
            NSAttributeDescription(name: "pages", type: .integer32),
            NSRelationshipDescription(
                name: "author", destination: author, maxCount: 1, inverse: books),
            NSRelationshipDescription(name: "fans", destination: author, inverse: favourites),
        ]
        book.indexes = [NSFetchIndexDescription(name: "byNumber", properties: [number])]
        return NSManagedObjectModel(entities: [book, author, draft])
    }

    /// All that a migration does: an entity and properties get other names, come and go, a
    /// relationship becomes to-many and its inverse ordered, a default fills what is missing, and
    /// there are another index and a constraint.
    private static func makeSecond() -> NSManagedObjectModel {
        let book = NSEntityDescription(name: "Book")
        let writer = NSEntityDescription(name: "Writer")
        writer.renamingIdentifier = "Author"
        let award = NSEntityDescription(name: "Award", properties: [string("name")])
        let books = NSRelationshipDescription(name: "books", destination: book)
        books.isOrdered = true
        let favourites = NSRelationshipDescription(name: "favourites", destination: book)
        writer.properties = [string("name"), books, favourites]
        let name = string("name")
        name.renamingIdentifier = "title"
        let note = NSAttributeDescription(
            name: "note", type: .string, isOptional: false, defaultValue: "none")
        let rating = NSAttributeDescription(
            name: "rating", type: .double, isOptional: false, defaultValue: 2.5)
        let writers = NSRelationshipDescription(
            name: "writers", destination: writer, inverse: books)
        writers.renamingIdentifier = "author"
        let number = number()
        book.properties = [
            number, name, note, cover(), rating, writers,
            NSRelationshipDescription(name: "fans", destination: writer, inverse: favourites),
        ]
        book.indexes = [
            NSFetchIndexDescription(name: "byNumber", properties: [number]),
            NSFetchIndexDescription(name: "byRating", properties: [rating]),
        ]
        book.uniquenessConstraints = [["number"]]
        return NSManagedObjectModel(entities: [book, writer, award])
    }
}
