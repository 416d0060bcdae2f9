// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// A shelf of the full library.
final class LibraryShelf: NSManagedObject {
    @Managed var name: String
    @Managed var books: Set<LibraryBook>
}

/// A book of the full library.
final class LibraryBook: NSManagedObject {
    @Managed var title: String
    @Managed var author: String
    @Managed var year: Int32
    @Managed var rating: Double
    @Managed var isbn: String
    @Managed var available: Bool
    @Managed var shelf: LibraryShelf?

    @inline(__always)
    final var weight: Int64 {
        Int64(title.utf8.count + author.utf8.count + isbn.utf8.count) + Int64(year)
            + Int64(rating * 10) + (available ? 1 : 0)
    }
}

extension LibraryBook: FilledFromRow {}

/// The full library by contexts and fetch requests.
public final class LodeLibrary: LibraryStore {
    /// The name.
    public static let name = "Lode"

    private let container: NSPersistentContainer

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        container = NSPersistentContainer(name: "Library", managedObjectModel: Self.makeModel())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Inserts by one context.
    public func fill(
        _ books: [BookRow], shelves: [Int], shelfCount: Int, commitSize: Int
    ) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let all = (0..<shelfCount).map { number in
                let shelf = LibraryShelf(context: context)
                shelf.name = "Shelf \(number)"
                return shelf
            }
            for (index, row) in books.enumerated() {
                let book = LibraryBook(context: context)
                book.fill(from: row)
                book.shelf = all[shelves[index]]
                if index % commitSize == commitSize - 1 { try context.save() }
            }
            try context.save()
        }
    }

    /// Asks with a new context.
    public func answer(_ question: LibraryQuestion, _ facts: LibraryFacts) throws -> Checksum? {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            switch question {
            case .unique: try unique(facts, context)
            case .keptUnique: try keptUnique(facts, context)
            case .range: try range(facts, context)
            case .filter: try filter(facts, context)
            case .count: try count(facts, context)
            case .grouped: try grouped(context)
            case .top: try top(context)
            case .shelfName: try shelfName(facts, context)
            case .findOrCreate: try findOrCreate(facts, context)
            }
        }
    }

    private func request() -> NSFetchRequest<LibraryBook> {
        NSFetchRequest(entityName: "LibraryBook")
    }

    private func unique(_ facts: LibraryFacts, _ context: NSManagedObjectContext) throws -> Checksum
    {
        var total: Int64 = 0
        for isbn in facts.wanted {
            let request = request()
            request.predicate = NSPredicate(format: "isbn == %@", isbn)
            request.fetchLimit = 1
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    private func keptUnique(
        _ facts: LibraryFacts, _ context: NSManagedObjectContext
    ) throws -> Checksum {
        var total: Int64 = 0
        let request = request()
        let template = NSPredicate(format: "isbn == $isbn")
        request.fetchLimit = 1
        for isbn in facts.wanted {
            request.predicate = template.withSubstitutionVariables(["isbn": isbn])
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    private func range(_ facts: LibraryFacts, _ context: NSManagedObjectContext) throws -> Checksum
    {
        let request = request()
        request.predicate = NSPredicate(
            format: "year BETWEEN {%d, %d}", facts.years.lowerBound, facts.years.upperBound)
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    private func filter(_ facts: LibraryFacts, _ context: NSManagedObjectContext) throws -> Checksum
    {
        let request = request()
        request.predicate = NSPredicate(
            format: "rating > %lf AND title BEGINSWITH %@", facts.rating, facts.titlePrefix)
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    private func count(_ facts: LibraryFacts, _ context: NSManagedObjectContext) throws -> Checksum
    {
        let request = request()
        request.predicate = NSPredicate(format: "rating > %lf", facts.rating)
        return .of(Int64(try context.count(for: request)))
    }

    private func grouped(_ context: NSManagedObjectContext) throws -> Checksum {
        let average = NSExpressionDescription()
        average.name = "average"
        average.expression = NSExpression(
            forFunction: "average:", arguments: [NSExpression(forKeyPath: "rating")])
        average.expressionResultType = .doubleAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "LibraryBook")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["year"]
        request.propertiesToFetch = ["year", average]
        var total: Int64 = 0
        for row in try context.fetch(request) {
            guard let year = row["year"] as? NSNumber, let mean = row["average"] as? NSNumber else {
                throw BenchmarkError("a group has no year or no average: \(row)")
            }
            total += year.int64Value + Int64((mean.doubleValue * 1e6).rounded())
        }
        return .of(total)
    }

    private func top(_ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.sortDescriptors = [
            NSSortDescriptor(key: "rating", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        request.fetchLimit = 100
        return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
    }

    private func shelfName(
        _ facts: LibraryFacts, _ context: NSManagedObjectContext
    ) throws -> Checksum {
        var total: Int64 = 0
        for name in facts.shelfNames {
            let request = request()
            request.predicate = NSPredicate(format: "shelf.name == %@", name)
            for book in try context.fetch(request) { total += Int64(book.year) }
        }
        return .of(total)
    }

    private func findOrCreate(
        _ facts: LibraryFacts, _ context: NSManagedObjectContext
    ) throws -> Checksum {
        var found: Int64 = 0
        for isbn in facts.foundOrNew {
            let request = request()
            request.predicate = NSPredicate(format: "isbn == %@", isbn)
            request.fetchLimit = 1
            if let known = try context.fetch(request).first {
                known.available = true
                found += 1
            } else {
                let book = LibraryBook(context: context)
                (book.isbn, book.title, book.author) = (isbn, "new", "new")
            }
        }
        try context.save()
        return .of(found)
    }

    /// Lets the coordinator close its store.
    public func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private static func makeModel() -> NSManagedObjectModel {
        let shelf = NSEntityDescription(
            name: "LibraryShelf", managedObjectClass: LibraryShelf.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let book = NSEntityDescription(
            name: "LibraryBook", managedObjectClass: LibraryBook.self,
            properties: [
                NSAttributeDescription(name: "title", type: .string),
                NSAttributeDescription(name: "author", type: .string),
                NSAttributeDescription(name: "year", type: .integer32),
                NSAttributeDescription(name: "rating", type: .double),
                NSAttributeDescription(name: "isbn", type: .string),
                NSAttributeDescription(name: "available", type: .boolean),
            ])
        let (books, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (books.name, owner.name) = ("books", "shelf")
        (books.destinationEntity, owner.destinationEntity) = (book, shelf)
        owner.maxCount = 1
        books.inverseRelationship = owner
        owner.inverseRelationship = books
        shelf.properties.append(books)
        book.properties.append(owner)
        book.uniquenessConstraints = [["isbn"]]
        if let year = book.propertiesByName["year"] {
            book.indexes = [
                NSFetchIndexDescription(
                    name: "byYear",
                    elements: [
                        NSFetchIndexElementDescription(property: year, collationType: .binary)
                    ])
            ]
        }
        return NSManagedObjectModel(entities: [shelf, book])
    }
}
