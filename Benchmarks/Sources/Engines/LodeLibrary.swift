// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// The full library by contexts and fetch requests.
public final class LodeLibrary: LibraryStore {
    /// The name.
    public static let name = "Lode"

    private let container: NSPersistentContainer

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        container = try NSPersistentContainer(
            ShelfModel.make(isUnique: true, byYear: true), at: path)
    }

    /// Inserts by one context.
    public func fill(
        _ books: [BookRow], shelves: [Int], shelfCount: Int, commitSize: Int
    ) throws {
        try container.fill(
            books, shelves: shelves, shelfCount: shelfCount, commitSize: commitSize)
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
            case .sorted: try sorted(context)
            case .shelfName: try shelfName(facts, context)
            case .findOrCreate: try findOrCreate(facts, context)
            }
        }
    }

    private func request() -> NSFetchRequest<ShelvedBook> {
        NSFetchRequest(entityName: "ShelvedBook")
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
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelvedBook")
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

    private func sorted(_ context: NSManagedObjectContext) throws -> Checksum {
        let request = request()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        var checksum = Checksum()
        for book in try context.fetch(request) { checksum.add(Int64(book.year)) }
        return checksum
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
                let book = ShelvedBook(context: context)
                (book.isbn, book.title, book.author) = (isbn, "new", "new")
            }
        }
        try context.save()
        return .of(found)
    }

    /// Lets the coordinator close its store.
    public func close() throws { try container.close() }
}
