// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// What operations on a small library need, in numbers that do not depend on the machine's speed.
public final class LodeCounts {
    /// A number of something for each book, look-up or save.
    public struct Count: Sendable {
        /// What is counted.
        public let name: String
        /// How many.
        public let value: Double

        /// Makes a count.
        public init(name: String, value: Double) {
            self.name = name
            self.value = value
        }
    }

    private static let bookCount = 20_000
    private static let shelfCount = 200

    private let books: [BookRow]
    private let store: LodeLibrary
    private let path: String
    private let input: LibraryInput
    private var counts: [Count] = []

    /// Prepares a new file.
    public init(path: String) throws {
        self.path = path
        var generator = BookGenerator(shelfCount: Self.shelfCount)
        books = generator.next(Self.bookCount)
        store = try LodeLibrary(path: path, byBatch: false)
        input = LibraryInput(
            bookCount: Self.bookCount, shelfCount: Self.shelfCount, rounds: 1, seed: 1)
    }

    /// Counts everything, and closes the file.
    public func measure() throws -> [Count] {
        try insert()
        try store.prepare(input)
        let closedSize = try fileSize()
        counts.append(Count(name: "file bytes a book", value: closedSize / Double(books.count)))
        for (task, name) in [
            (LibraryTask.read, "read by ID"), (.all, "fetch all"), (.range, "range"),
            (.traverse, "traverse"), (.unique, "look-up, new predicate"),
            (.keptUnique, "look-up, kept request"), (.count, "count"),
        ] {
            // What is made once is made by the first run.
            _ = try store.run(task, input, round: 0)
            try count(name, task == .count ? 1 : input.unitCount(of: task)) {
                _ = try store.run(task, input, round: 0)
            }
        }
        try count("one book a save", input.additions[0].count, writes: true) {
            _ = try store.run(.commit, input, round: 0)
        }
        try count("update and save", input.unitCount(of: .update), writes: true) {
            _ = try store.run(.update, input, round: 0)
        }
        try count("delete and save", input.unitCount(of: .delete), writes: true) {
            _ = try store.run(.delete, input, round: 0)
        }
        try store.close()
        return counts
    }

    /// Inserts with two saves, of which the second counts: the first one makes what stays.
    private func insert() throws {
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
            try count("make a book", half) { make(books[half...]) }
            try count("save new books", half, writes: true) { try context.save() }
        }
    }

    private func count(
        _ name: String, _ divisor: Int, writes: Bool = false, _ body: () throws -> Void
    ) throws {
        let written = try WrittenBytes.count()
        let allocated = Allocations.count
        Instructions.reset()
        try body()
        Instructions.write("\(name), instructions|\(divisor)")
        let allocations = Allocations.count - allocated
        let bytes = try WrittenBytes.count() - written
        counts.append(
            Count(name: "\(name), allocations", value: Double(allocations) / Double(divisor)))
        guard writes else { return }
        counts.append(Count(name: "\(name), bytes written", value: Double(bytes) / Double(divisor)))
    }

    private func fileSize() throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.doubleValue ?? .nan
    }
}
