// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// What a writer does to a library, and what its readers must find in each state of it.
///
/// Pairs of books with different years swap them, each pair in one commit of a round. So a pair has
/// the same two years in every state, each year as many books, and the pairs that have swapped are
/// those of the first commits: a state with a later one and without an earlier one never was.
struct ReadersPlan: Sendable, Codable {
    /// The pairs of a commit.
    static let pairsPerCommit = 500
    /// The seed of the order in which books are swapped.
    private static let seed: UInt64 = 0x7EAD

    /// All pairs, in the order of their commits.
    let pairs: [BookPair]
    /// The years before the first round, two a pair.
    let years: [Int32]
    /// The books of each year.
    private let counts: [Int32: Int]
    private let knownYears: [Int32]
    private let bookCount: Int

    /// Makes pairs of books.
    init(_ books: [BookRow], commitCount: Int) throws {
        var random = SeededGenerator(seed: Self.seed)
        var pairs: [BookPair] = []
        var waiting: Int?
        for position in books.indices.shuffled(using: &random) {
            guard let first = waiting else {
                waiting = position
                continue
            }
            guard books[first].year != books[position].year else { continue }
            pairs.append(BookPair(first, position))
            waiting = nil
        }
        let count = commitCount * Self.pairsPerCommit
        guard pairs.count >= count else {
            throw BenchmarkError(
                "\(books.count) books have no \(count) pairs; use --objects \(count * 3)")
        }
        self.pairs = Array(pairs.prefix(count))
        years = self.pairs.flatMap { [books[$0.first].year, books[$0.second].year] }
        counts = Dictionary(books.map { ($0.year, 1) }, uniquingKeysWith: +)
        knownYears = counts.keys.sorted()
        bookCount = books.count
    }

    /// Reads what a process has written, which saves making all books again.
    init(path: String) throws {
        self = try JSONDecoder().decode(
            ReadersPlan.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes the plan for other processes.
    func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path))
    }

    /// The number of commits of a round.
    var commitCount: Int { pairs.count / Self.pairsPerCommit }

    /// The pairs of a commit.
    func pairs(ofCommit number: Int) -> ArraySlice<BookPair> {
        pairs[number * Self.pairsPerCommit..<(number + 1) * Self.pairsPerCommit]
    }

    /// The pairs of a look: as many books as a year has.
    var pairsPerLook: Int { max(1, bookCount / counts.count / 2) }

    /// A year that some books have.
    func year(_ random: inout SeededGenerator) -> Int32 {
        knownYears[Int(random.next() % UInt64(knownYears.count))]
    }

    /// The number of the books of a year, in each state.
    func count(of year: Int32) -> Int { counts[year] ?? 0 }
}

/// Looks at a library and checks what it sees; for one thread.
struct CheckingReader {
    private let plan: ReadersPlan
    private let reader: any LibraryReader
    /// How often the library has gone through all commits before.
    private let round: Int
    private var random: SeededGenerator
    /// The newest commit that was seen, or -1.
    private(set) var newest = -1

    init(_ plan: ReadersPlan, _ reader: any LibraryReader, round: Int, seed: Int) {
        self.plan = plan
        self.reader = reader
        self.round = round
        random = SeededGenerator(seed: UInt64(seed))
    }

    /// Looks at some pairs and a year; returns the number of the books read.
    mutating func look() throws -> Int {
        let pairs = (0..<plan.pairsPerLook).map { _ in
            Int(random.next() % UInt64(plan.pairs.count))
        }
        return try look(at: pairs)
    }

    /// Looks at all pairs, of which each must have swapped.
    mutating func checkEnd() throws {
        _ = try look(at: Array(plan.pairs.indices))
        guard newest == plan.commitCount - 1 else {
            throw BenchmarkError("the last of \(plan.commitCount) commits cannot be read")
        }
    }

    private mutating func look(at indices: [Int]) throws -> Int {
        let year = plan.year(&random)
        let look = try reader.look(at: indices.map { plan.pairs[$0] }, year: year)
        try check(look, indices, year)
        return look.bookCount
    }

    private mutating func check(_ look: Look, _ indices: [Int], _ year: Int32) throws {
        guard look.years.count == 2 * indices.count else {
            throw BenchmarkError("\(look.years.count) years of \(indices.count) pairs")
        }
        var (done, undone) = (-1, plan.commitCount)
        for (place, index) in indices.enumerated() {
            let found = (look.years[2 * place], look.years[2 * place + 1])
            let first = (plan.years[2 * index], plan.years[2 * index + 1])
            guard found == first || found == (first.1, first.0) else {
                throw BenchmarkError(
                    "a torn read: books with the years \(first) have \(found) in one state")
            }
            let commit = index / ReadersPlan.pairsPerCommit
            if (found == first) == (round % 2 == 1) {
                done = max(done, commit)
            } else {
                undone = min(undone, commit)
            }
        }
        guard done < undone, newest < undone else {
            throw BenchmarkError(
                "a state that never was: commit \(max(done, newest)) is there, \(undone) is not")
        }
        newest = max(newest, done)
        let count = plan.count(of: year)
        guard look.countOfYear == count, look.sumOfYears == Int64(count) * Int64(year) else {
            throw BenchmarkError(
                "the index has \(look.countOfYear) books of \(year) with the sum "
                    + "\(look.sumOfYears), not \(count)")
        }
    }

    /// Ends reading.
    func close() throws { try reader.close() }
}
