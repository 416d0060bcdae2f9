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
    private static let firstISBN: UInt64 = 9_780_000_000_000

    private var random = SeededGenerator(seed: seed)
    private var count: UInt64 = 0

    /// Starts at the first book.
    public init() {}

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
            year: Int32(1900 + bits >> 32 & 0x7F), rating: Double(bits >> 40 & 0x3F % 51) / 10,
            isbn: String(Self.firstISBN + count), available: bits >> 48 & 1 == 1,
            shelf: Int64(bits >> 49 & 0x3FF))
    }

    /// The next books.
    public mutating func next(_ count: Int) -> [BookRow] { (0..<count).map { _ in next() } }
}
