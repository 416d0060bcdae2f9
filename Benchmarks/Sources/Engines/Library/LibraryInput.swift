// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// What tasks are about, the same for all engines.
public struct LibraryInput: Sendable {
    /// The number of books.
    public let bookCount: Int
    /// The number of shelves.
    public let shelfCount: Int
    /// The positions of the books to read, all over the file.
    let reads: [Int]
    /// The positions of the books to update, for each round.
    let updates: [[Int]]
    /// The positions of the books to delete, for each round; a book is deleted once.
    let deletions: [[Int]]
    /// New books, for each round.
    let additions: [[BookRow]]
    /// For each round the new books of each of 8 threads.
    let additionsOnThreads: [[[BookRow]]]
    /// The ISBNs to find or create, for each round; those that are new begin with it.
    let foundOrNew: [[String]]
    /// The ISBNs to look for one by one.
    let wanted: [String]
    /// The first and the last year of the range.
    let years: ClosedRange<Int32> = 1940...1949
    /// Ratings above it count.
    let rating = 4.5
    /// Titles that begin with it count.
    let titlePrefix = "The Silent"
    /// The names of the shelves to ask for.
    let shelfNames: [String]

    /// Chooses books of a library.
    ///
    /// - Parameters:
    ///   - bookCount: The number of books.
    ///   - shelfCount: The number of shelves.
    ///   - rounds: How often a task is repeated.
    ///   - seed: What the choice depends on.
    public init(bookCount: Int, shelfCount: Int, rounds: Int, seed: UInt64) {
        self.bookCount = bookCount
        self.shelfCount = shelfCount
        var random = SeededGenerator(seed: seed)
        func pick(_ count: Int) -> [Int] {
            (0..<min(count, bookCount)).map { _ in Int(random.next() % UInt64(bookCount)) }
        }
        reads = pick(200_000)
        wanted = pick(20_000).map(BookGenerator.isbn)
        shelfNames = (0..<min(20, shelfCount)).map { _ in
            BookGenerator.shelfName(Int(random.next() % UInt64(shelfCount)))
        }
        // At least half of the books stay, however often they are deleted from.
        let changed = min(100_000, bookCount / max(10, 2 * rounds))
        let order = (0..<bookCount).shuffled(using: &random)
        deletions = (0..<rounds).map { Array(order[$0 * changed..<($0 + 1) * changed]) }
        // Of the books that no round deletes; a book may be updated in several rounds.
        let kept = order[rounds * changed..<bookCount]
        updates = (0..<rounds).map { _ in Array(kept.shuffled(using: &random).prefix(changed)) }
        var generator = BookGenerator(shelfCount: shelfCount, after: bookCount)
        additions = (0..<rounds).map { _ in generator.next(min(500, bookCount / 100)) }
        additionsOnThreads = (0..<rounds).map { _ in
            (0..<8).map { thread in
                let books = generator.next(min(250, bookCount / 100))
                // Shelves of its own: who puts a book on a shelf that another thread has changed
                // since it was read has a conflict to resolve.
                return books[...].shelved(
                    books.map { book in
                        let shelf = Int(book.shelf) / 8 * 8 + thread
                        return shelf < shelfCount ? shelf : thread % shelfCount
                    })
            }
        }
        let known = kept.prefix(5_000).map(BookGenerator.isbn)
        foundOrNew = (0..<rounds).map { round in
            known.enumerated().flatMap { [$1, "new \(round) \($0)"] }
        }
    }

    /// How many results a task has, by which its time is divided.
    public func unitCount(of task: LibraryTask) -> Int {
        switch task {
        case .read: reads.count
        case .range: bookCount * years.count / BookGenerator.yearCount
        case .unique, .keptUnique: wanted.count
        case .shelfName: shelfNames.count
        case .findOrCreate: foundOrNew[0].count
        case .commit: additions[0].count
        case .commitOnThreads: additionsOnThreads[0].reduce(0) { $0 + $1.count }
        case .update: updates[0].count
        case .delete: deletions[0].count
        case .all, .traverse, .traverseIDs, .filter, .count, .grouped, .years, .top, .sorted:
            bookCount
        }
    }
}
