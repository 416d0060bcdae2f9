// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The books of a run, made when first asked for.
final class RunBooks {
    /// How many there are.
    let count: Int
    /// The shelves that they stand on.
    let shelfCount: Int
    private(set) lazy var rows = makeRows()
    private var digests: [Bool: Checksum] = [:]

    /// The books of a run of a size.
    init(_ configuration: Configuration) {
        count = configuration.objectCount
        shelfCount = Configuration.shelfCount(for: count)
    }

    /// What the tasks of a library of these books are about.
    func makeInput(rounds: Int) -> LibraryInput {
        LibraryInput(
            bookCount: count, shelfCount: shelfCount, rounds: rounds, seed: Configuration.orderSeed)
    }

    private func makeRows() -> [BookRow] {
        var generator = BookGenerator(shelfCount: shelfCount)
        return generator.next(count)
    }

    /// What a library that holds all books, and nothing else, finds in itself.
    func contents(hasShelves: Bool) -> Checksum {
        if let known = digests[hasShelves] { return known }
        let made = BookRow.contents(rows, hasShelves: hasShelves)
        digests[hasShelves] = made
        return made
    }
}
