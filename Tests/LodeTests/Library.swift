// SPDX-License-Identifier: Apache-2.0

import Lode
import _TestSupport

final class Author: NSManagedObject {
    @Managed var name: String
    @Managed var born: Date?
    @Managed var books: Set<Book>
    @Managed var prize: Prize?
}

final class Book: NSManagedObject {
    @Managed var title: String
    @Managed var pages: Int32
    @Managed var price: Decimal?
    @Managed var weight: Double
    @Managed var isbn: UUID?
    @Managed var page: URL?
    @Managed var cover: Data?
    @Managed var isOut: Bool
    @Managed var author: Author?
    @Managed var genres: NSSet?
}

final class Genre: NSManagedObject {
    @Managed var name: String
    @Managed var books: Set<Book>
}

final class Prize: NSManagedObject {
    @Managed var winner: Author?
}

/// A store in a directory of its own.
final class Library {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("LodeTests-\(UUID().uuidString)")
    let model: NSManagedObjectModel
    private(set) var container: NSPersistentContainer

    init() throws {
        model = Library.makeModel()
        container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        try reopen()
    }

    deinit { removeAtExit(directory.path) }

    var context: NSManagedObjectContext { container.viewContext }

    func reopen() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: directory.appendingPathComponent("library.lode"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    func book(_ title: String) throws -> Book? {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == %@", title)
        return try context.fetch(request).first
    }
}

extension Library {
    private static func entity(
        _ type: NSManagedObject.Type, _ attributes: KeyValuePairs<String, NSAttributeType>
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "\(type)"
        entity.managedObjectClassName = NSStringFromClass(type)
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    private static func relate(
        _ owner: NSEntityDescription, _ name: String, _ max: Int, _ other: NSEntityDescription,
        _ inverseName: String, _ inverseMax: Int
    ) {
        let (forth, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (forth.name, back.name) = (name, inverseName)
        (forth.maxCount, back.maxCount) = (max, inverseMax)
        (forth.destinationEntity, back.destinationEntity) = (other, owner)
        forth.inverseRelationship = back
        back.inverseRelationship = forth
        owner.properties.append(forth)
        other.properties.append(back)
    }

    private static func makeModel() -> NSManagedObjectModel {
        let author = entity(
            Author.self, ["name": .stringAttributeType, "born": .dateAttributeType])
        let book = entity(
            Book.self,
            [
                "title": .stringAttributeType, "pages": .integer32AttributeType,
                "price": .decimalAttributeType, "weight": .doubleAttributeType,
                "isbn": .UUIDAttributeType, "page": .URIAttributeType,
                "cover": .binaryDataAttributeType, "isOut": .booleanAttributeType,
            ])
        let genre = entity(Genre.self, ["name": .stringAttributeType])
        let prize = entity(Prize.self, [:])
        relate(author, "books", 0, book, "author", 1)
        relate(book, "genres", 0, genre, "books", 0)
        relate(author, "prize", 1, prize, "winner", 1)
        let model = NSManagedObjectModel()
        model.entities = [author, book, genre, prize]
        return model
    }
}
