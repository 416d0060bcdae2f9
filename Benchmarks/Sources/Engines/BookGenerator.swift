// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// Makes the same books for the same seed, one after the other.
public struct BookGenerator: Sendable {
    /// The seed of the books that engines are compared on.
    public static let seed: UInt64 = 0x4C6F_6465

    private static let adjectives = [
        "Silent", "Dispossessed", "Left-Handed", "Invisible", "Last", "Burning", "Forgotten",
        "Électrique", "Distant", "Second",
    ]
    private static let nouns = [
        "Darkness", "Cities", "Foundation", "Ocean", "Sparrow", "Garden", "Mountain", "Machine",
        "Empire", "Lighthouse",
    ]
    private static let forenames = ["Ursula", "Italo", "Isaac", "Stanisław", "Octavia", "Ann"]
    private static let surnames = ["Le Guin", "Calvino", "Asimov", "Lem", "Butler", "Leckie"]
    private static let firstISBN = 9_780_000_000_000
    /// The number of different years.
    static let yearCount = 128

    private let shelfCount: UInt64
    private var random: SeededGenerator
    private var count: Int

    /// Starts at the first book, or at those that come after a number of them.
    public init(shelfCount: Int, after count: Int = 0) {
        self.shelfCount = UInt64(shelfCount)
        self.count = count
        random = SeededGenerator(seed: Self.seed &+ UInt64(count))
    }

    /// The ISBN of the book at a position.
    static func isbn(_ position: Int) -> String { String(firstISBN + position + 1) }

    /// The name of a shelf.
    static func shelfName(_ number: Int) -> String { "Shelf \(number)" }

    /// The next book.
    public mutating func next() -> BookRow {
        count += 1
        let bits = random.next()
        func pick(_ list: [String], _ shift: UInt64) -> String {
            list[Int(bits >> shift & 0xFF) % list.count]
        }
        return BookRow(
            title: "The \(pick(Self.adjectives, 0)) \(pick(Self.nouns, 8)), volume \(count)",
            author: pick(Self.forenames, 16) + " " + pick(Self.surnames, 24),
            year: Int32(1900 + bits >> 32 % UInt64(Self.yearCount)),
            rating: Double(bits >> 40 & 0x3F % 51) / 10,
            isbn: Self.isbn(count - 1), available: bits >> 48 & 1 == 1,
            shelf: Int64(random.next() % shelfCount))
    }

    /// The next books.
    public mutating func next(_ count: Int) -> [BookRow] { (0..<count).map { _ in next() } }
}
