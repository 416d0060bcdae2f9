// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// A store of the full library: books with a unique ISBN and an index on their year, on shelves
/// that know their books.
public protocol LibraryStore: AnyObject, SendableMetatype {
    /// The name in tables.
    static var name: String { get }

    /// Opens a file, creating it if there is none.
    init(path: String) throws

    /// Writes shelves and books, each book on the shelf of its place in `shelves`, in durable
    /// commits of `commitSize` books.
    func fill(_ books: [BookRow], shelves: [Int], shelfCount: Int, commitSize: Int) throws

    /// Answers a question; nil if the engine has no such thing.
    func answer(_ question: LibraryQuestion, _ facts: LibraryFacts) throws -> Checksum?

    /// Closes the file.
    func close() throws
}

/// What is asked of a library.
public enum LibraryQuestion: String, CaseIterable, Sendable {
    case unique = "a book by its unique ISBN, predicate made each time"
    case keptUnique = "a book by its unique ISBN, request kept"
    case range = "an indexed range of years, all attributes"
    case filter = "filter a double and a text prefix by scan"
    case count = "count by a double, no index"
    case grouped = "group by year, average rating"
    case top = "top 100 by rating and title, no index"
    case sorted = "all books in the order of their titles, no index"
    case shelfName = "the books of a shelf by its name, no index on it"
    case findOrCreate = "find or create by ISBN, half of them new, one save"

    /// Whether the question changes the file.
    public var changes: Bool { self == .findOrCreate }
}

/// The numbers that questions are about, the same for all engines.
public struct LibraryFacts: Sendable {
    /// The ISBNs to look for one by one.
    public let wanted: [String]
    /// The first and the last year of the range.
    public let years: ClosedRange<Int32>
    /// Ratings above it count.
    public let rating: Double
    /// Titles that begin with it count.
    public let titlePrefix: String
    /// The names of the shelves to ask for.
    public let shelfNames: [String]
    /// The ISBNs to find or create; those that are new begin with it.
    public let foundOrNew: [String]

    /// Chooses from the books of a run.
    public init(_ books: [BookRow], shelfCount: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func pick(_ count: Int) -> [String] {
            (0..<min(count, books.count)).map { _ in
                books[Int(random.next() % UInt64(books.count))].isbn
            }
        }
        wanted = pick(20_000)
        years = 1940...1949
        rating = 4.5
        titlePrefix = "The Silent"
        shelfNames = (0..<min(20, shelfCount)).map { _ in
            "Shelf \(random.next() % UInt64(shelfCount))"
        }
        let known = pick(5_000)
        foundOrNew = known.enumerated().flatMap { [$1, "new \($0)"] }
    }

    /// How many results a question is about, by which its time is divided.
    public func unit(of question: LibraryQuestion, books: Int) -> (count: Int, name: String) {
        switch question {
        case .unique, .keptUnique: (wanted.count, "look-up")
        case .shelfName: (shelfNames.count, "shelf")
        case .findOrCreate: (foundOrNew.count, "book")
        case .range: (books * 10 / 128, "match, about")
        case .filter, .count, .grouped, .top, .sorted: (books, "book of the file")
        }
    }
}

extension Checksum {
    /// The sum of numbers in any order.
    static func of(_ total: Int64) -> Checksum {
        var checksum = Checksum()
        checksum.add(total)
        return checksum
    }
}
