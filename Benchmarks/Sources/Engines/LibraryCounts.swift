// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// What operations on a small library need.
struct LibraryCounts {
    private static let bookCount = 20_000
    private static let shelfCount = 200

    private let books: [BookRow]
    private let store: LodeLibrary
    private let path: String
    private let input: LibraryInput

    /// Prepares a new file.
    init(path: String) throws {
        self.path = path
        var generator = BookGenerator(shelfCount: Self.shelfCount)
        books = generator.next(Self.bookCount)
        store = try LodeLibrary(path: path, byBatch: false)
        input = LibraryInput(
            bookCount: Self.bookCount, shelfCount: Self.shelfCount, rounds: 1, seed: 1)
    }

    /// Counts everything, and closes the file.
    func measure(_ counting: inout Counting) throws {
        try insert(&counting)
        try store.prepare(input)
        let closedSize = try fileSize()
        counting.add("file bytes a book", closedSize / Double(books.count))
        for (task, name) in [
            (LibraryTask.read, "read by ID"), (.all, "fetch all"), (.range, "range"),
            (.traverse, "traverse"), (.unique, "look-up, new predicate"),
            (.keptUnique, "look-up, kept request"), (.count, "count"),
        ] {
            // What is made once is made by the first run.
            _ = try store.run(task, input, round: 0)
            try counting.count(name, task == .count ? 1 : input.unitCount(of: task)) {
                _ = try store.run(task, input, round: 0)
            }
        }
        let wanted = input.wanted.prefix(Self.shelfCount)
        try askShelves(of: wanted)
        try counting.count("shelves by their books", wanted.count) { try askShelves(of: wanted) }
        try readRows()
        try counting.count("book as a dictionary", books.count) { try readRows() }
        try counting.count("one book a save", input.additions[0].count, writes: true) {
            _ = try store.run(.commit, input, round: 0)
        }
        try counting.count("update and save", input.unitCount(of: .update), writes: true) {
            _ = try store.run(.update, input, round: 0)
        }
        try counting.count("delete and save", input.unitCount(of: .delete), writes: true) {
            _ = try store.run(.delete, input, round: 0)
        }
        try store.close()
    }

    /// Asks for shelves by a condition on their books, which the books' index answers.
    private func askShelves(of wanted: ArraySlice<String>) throws {
        let context = store.container.newBackgroundContext()
        try context.performAndWait {
            for isbn in wanted {
                let request = NSFetchRequest<Shelf>(entityName: "Shelf")
                request.predicate = NSPredicate(
                    format: "SUBQUERY(books, $b, $b.isbn == %@).@count > 0", isbn)
                let count = try context.fetch(request).count
                guard count == 1 else {
                    throw BenchmarkError("\(count) shelves have the book \(isbn), not 1")
                }
            }
        }
    }

    /// Fetches all books as dictionaries of four attributes.
    private func readRows() throws {
        let context = store.container.newBackgroundContext()
        try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "ShelvedBook")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["isbn", "title", "year", "rating"]
            let rows = try context.fetch(request)
            guard rows.count == books.count, rows[0].count == 4 else {
                throw BenchmarkError("\(rows.count) rows, not \(books.count) of 4 values")
            }
        }
    }

    /// Inserts with two saves, of which the second counts: the first one makes what stays.
    private func insert(_ counting: inout Counting) throws {
        let context = store.container.newBackgroundContext()
        try context.performAndWait {
            let shelves = (0..<Self.shelfCount).map { number in
                let shelf = Shelf(context: context)
                shelf.name = BookGenerator.shelfName(number)
                return shelf
            }
            func make(_ rows: ArraySlice<BookRow>) {
                for row in rows {
                    let book = ShelvedBook(context: context)
                    book.fill(from: row)
                    book.shelf = shelves[Int(row.shelf)]
                }
            }
            let half = books.count / 2
            make(books[..<half])
            try context.save()
            try counting.count("make a book", half) { make(books[half...]) }
            try counting.count("save new books", half, writes: true) { try context.save() }
        }
    }

    private func fileSize() throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.doubleValue ?? .nan
    }
}
