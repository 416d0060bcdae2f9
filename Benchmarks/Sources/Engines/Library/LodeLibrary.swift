// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// The full library by contexts and fetch requests.
final class LodeLibrary: LibraryStore {
    static let engines = [
        LibraryEngine(
            LibraryEngines.subject,
            settings:
                "default store options, each save synced, @Managed properties, one context; a "
                + "thread beside it begins to write the pages of large saves"
        ) { try LodeLibrary(path: $0, byBatch: false) },
        LibraryEngine(
            LibraryEngines.batchSubject,
            settings: "NSBatchInsertRequest with a managedObjectHandler, a request a commit; it "
                + "sets no relationships: its books stand on no shelf",
            scope: .imports, hasShelves: false
        ) { try LodeLibrary(path: $0, byBatch: true) },
    ]

    let container: NSPersistentContainer
    private let byBatch: Bool
    private var reads: [NSManagedObjectID] = []
    private var updates: [[NSManagedObjectID]] = []
    private var deletions: [[NSManagedObjectID]] = []
    private var shelves: [NSManagedObjectID] = []

    /// Opens a file, creating it if there is none.
    init(path: String, byBatch: Bool) throws {
        self.byBatch = byBatch
        container = try NSPersistentContainer(
            ShelfModel.make(isUnique: true, byYear: true), at: path)
    }

    /// Inserts by one context, or by batch requests.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        guard byBatch else {
            return try container.fill(source, shelfCount: shelfCount, commitSize: commitSize)
        }
        let context = container.newBackgroundContext()
        var next = source.next()
        while next != nil {
            var count = 0
            let request = NSBatchInsertRequest(entityName: "ShelvedBook") {
                (object: NSManagedObject) in
                guard count < commitSize, let row = next else { return true }
                unsafeDowncast(object, to: ShelvedBook.self).fill(from: row)
                next = source.next()
                count += 1
                return false
            }
            _ = try context.performAndWait { try context.execute(request) }
        }
    }

    /// Keeps the object IDs of what tasks are about.
    func prepare(_ input: LibraryInput) throws {
        let context = container.newBackgroundContext()
        let books = try context.performAndWait {
            shelves = try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf")).map(\.objectID)
            return try context.fetch(request()).map(\.objectID)
        }
        reads = try identifiers(input.reads, of: books)
        updates = try input.updates.map { try identifiers($0, of: books) }
        deletions = try input.deletions.map { try identifiers($0, of: books) }
    }

    /// IDs made anew in the order of their use, so that they lie in memory as the other engines'
    /// keys do.
    private func identifiers(
        _ positions: [Int], of books: [NSManagedObjectID]
    ) throws -> [NSManagedObjectID] {
        let coordinator = container.persistentStoreCoordinator
        return try positions.map { position in
            let uri = books[position].uriRepresentation()
            guard let made = coordinator.managedObjectID(forURIRepresentation: uri) else {
                throw BenchmarkError("\(uri) names no object")
            }
            return made
        }
    }

    /// Does a task with a new context.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            switch task {
            case .read: try read(context)
            case .all: try sumYears(context)
            case .range: try range(input.years, context)
            case .traverse: try traverse(context) { book, _ in book.weight }
            case .traverseIDs: try traverseIDs(context)
            case .unique: try unique(input.wanted, context)
            case .keptUnique: try keptUnique(input.wanted, context)
            case .filter: try filter(input, context)
            case .count: try count(input, context)
            case .grouped: try grouped(context)
            case .years: try years(context)
            case .top: try top(context)
            case .sorted: try sorted(context)
            case .shelfName: try shelfName(input.shelfNames, context)
            case .findOrCreate: try findOrCreate(input.foundOrNew[round], context)
            case .commit: try commit(input.additions[round], context)
            case .commitOnThreads: try commitOnThreads(input.additionsOnThreads[round])
            case .update: try update(updates[round], context)
            case .delete: try delete(deletions[round], context)
            }
        }
    }

    /// Fetches one book in the order of insertion.
    func first() throws -> Checksum {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = request()
            request.fetchLimit = 1
            return .of(try context.fetch(request).reduce(0) { $0 + $1.weight })
        }
    }

    /// Walks from the shelves to everything; without shelves over all books.
    func contents() throws -> Checksum {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            guard byBatch else {
                return try traverse(context) { book, shelf in book.digest(shelf: shelf.name) }
            }
            return .of(try context.fetch(request()).reduce(0) { $0 &+ $1.digest(shelf: "") })
        }
    }

    private func read(_ context: NSManagedObjectContext) throws -> Checksum {
        var total: Int64 = 0
        for identifier in reads { total += try context.book(identifier).weight }
        return .of(total)
    }

    @inline(__always)
    private func traverse(
        _ context: NSManagedObjectContext, _ weight: (ShelvedBook, Shelf) -> Int64
    ) throws -> Checksum {
        var total: Int64 = 0
        for shelf in try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf")) {
            for book in shelf.list { total &+= weight(book, shelf) }
        }
        return .of(total)
    }

    private func traverseIDs(_ context: NSManagedObjectContext) throws -> Checksum {
        var links = LinkCount()
        for shelf in try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf")) {
            links.add(shelf.objectIDs(forRelationshipNamed: "books").count)
        }
        return .of(links.weight)
    }

    private func commit(
        _ books: [BookRow], _ context: NSManagedObjectContext
    ) throws -> Checksum {
        for row in books {
            let book = ShelvedBook(context: context)
            book.fill(from: row)
            book.shelf = context.object(with: shelves[Int(row.shelf)]) as? Shelf
            try context.save()
        }
        return .of(Int64(books.count))
    }

    private func commitOnThreads(_ books: [[BookRow]]) throws -> Checksum {
        // SAFETY: what the threads read of it does not change meanwhile.
        nonisolated(unsafe) let store = self
        try ThreadGroup.run(books.count) { position in
            let context = store.container.newBackgroundContext()
            try context.performAndWait { _ = try store.commit(books[position], context) }
        }
        return .of(Int64(books.joined().count))
    }

    private func update(
        _ books: [NSManagedObjectID], _ context: NSManagedObjectContext
    ) throws -> Checksum {
        for identifier in books { try context.book(identifier).year += 1 }
        try context.save()
        return .of(Int64(books.count))
    }

    private func delete(
        _ books: [NSManagedObjectID], _ context: NSManagedObjectContext
    ) throws -> Checksum {
        for identifier in books { context.delete(try context.book(identifier)) }
        try context.save()
        return .of(Int64(books.count))
    }

    func request() -> NSFetchRequest<ShelvedBook> { NSFetchRequest(entityName: "ShelvedBook") }

    /// Lets the coordinator close its store.
    func close() throws {
        (reads, updates, deletions, shelves) = ([], [], [], [])
        try container.close()
    }
}
