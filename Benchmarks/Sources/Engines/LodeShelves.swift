// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
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

/// Shelves as managed objects, walked with `for book in shelf.books`.
public final class LodeShelves: ShelfStore {
    /// The name.
    public static let name = "Lode"

    let container: NSPersistentContainer

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        container = NSPersistentContainer(name: "Shelves", managedObjectModel: Self.makeModel())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Inserts the shelves, then the books with their inverses, a save every 10,000.
    public func fill(_ books: [BookRow], shelves: [Int], shelfCount: Int) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let all = (0..<shelfCount).map { number in
                let shelf = Shelf(context: context)
                shelf.name = "Shelf \(number)"
                return shelf
            }
            for (index, row) in books.enumerated() {
                let book = ShelvedBook(context: context)
                book.fill(from: row)
                book.shelf = all[shelves[index]]
                if index % 10_000 == 9_999 { try context.save() }
            }
            try context.save()
        }
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
    public func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

extension LodeShelves {
    private static func makeModel() -> NSManagedObjectModel {
        let shelf = entity("Shelf", [("name", .stringAttributeType)])
        let book = entity(
            "ShelvedBook",
            [
                ("title", .stringAttributeType), ("author", .stringAttributeType),
                ("year", .integer32AttributeType), ("rating", .doubleAttributeType),
                ("isbn", .stringAttributeType), ("available", .booleanAttributeType),
            ])
        let (books, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (books.name, owner.name) = ("books", "shelf")
        (books.destinationEntity, owner.destinationEntity) = (book, shelf)
        owner.maxCount = 1
        books.inverseRelationship = owner
        owner.inverseRelationship = books
        shelf.properties.append(books)
        book.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [shelf, book]
        return model
    }

    private static func entity(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "Engines.\(name)"
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }
}
