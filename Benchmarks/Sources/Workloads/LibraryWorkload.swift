// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// The full library: what it costs to import, and what questions about it cost.
public enum LibraryWorkload: Workload {
    /// The name.
    public static let name = "library"
    /// The summary.
    public static let summary =
        "books with a unique ISBN and an index on the year, on shelves of 100 that know them: an "
        + "import with a commit every 10,000, then questions; SQLite with synchronous=NORMAL and a "
        + "cache of 256 MiB"
    private static let engines: [any LibraryStore.Type] = [
        RawLibrary.self, SQLiteLibrary.self, LodeLibrary.self,
    ]

    /// Imports once an engine, then asks each question of all engines in turn.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let books = stores.books
        let shelfCount = Configuration.shelfCount(for: books.count)
        let places = stores.shelvesAtRandom
        let facts = LibraryFacts(books, shelfCount: shelfCount, seed: Configuration.orderSeed)
        var report = Report(
            table: Table("question", "engine", "median", "each", "Lode / it", "checksum"))
        var opened: [any LibraryStore] = []
        var importing = results
        var sizes: [String] = []
        for (index, engine) in engines.enumerated() {
            let path = stores.folder.makePath()
            let store = try engine.init(path: path)
            importing[index].samples.add(
                try Stopwatch.time {
                    try store.fill(
                        books, shelves: places, shelfCount: shelfCount,
                        commitSize: Configuration.commitSize)
                }.seconds)
            sizes.append(Figures.megabytes(Double(size(path))))
            opened.append(store)
        }
        add("import", importing, unit: (books.count, "book"), &report)
        for (engine, size) in zip(engines, sizes) {
            report.table.add("size of the files", engine.name, size, "", "", "")
        }
        for question in LibraryQuestion.allCases {
            let results = try measure(question, opened, facts, configuration.runCount)
            add(
                question.rawValue, results, unit: facts.unit(of: question, books: books.count),
                &report)
        }
        for store in opened { try store.close() }
        return report
    }

    private static var results: [EngineResult] { engines.map { EngineResult(name: $0.name) } }

    private static func measure(
        _ question: LibraryQuestion, _ stores: [any LibraryStore], _ facts: LibraryFacts,
        _ runCount: Int
    ) throws -> [EngineResult] {
        var results = results
        // A second run of a question that changes the file would find everything.
        for _ in 0..<(question.changes ? 1 : runCount) {
            for (index, store) in stores.enumerated() {
                let (checksum, seconds) = try Stopwatch.time { try store.answer(question, facts) }
                guard let checksum else { continue }
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        results.removeAll { $0.samples.values.isEmpty }
        try results.requireAgreement(question.rawValue)
        return results
    }

    private static func add(
        _ name: String, _ results: [EngineResult], unit: (count: Int, name: String),
        _ report: inout Report
    ) {
        let lode = results.median(LodeLibrary.name)
        for result in results {
            let seconds = result.samples.median
            report.table.add(
                name, result.name, Figures.milliseconds(seconds),
                "\(Figures.nanoseconds(seconds / Double(unit.count))) a \(unit.name)",
                Figures.ratio(seconds / lode), result.checksum.description)
        }
    }

    /// The bytes of a data file and of the journal beside it.
    private static func size(_ path: String) -> Int {
        [path, path + "-wal"].reduce(0) { total, path in
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            return total + (size?.intValue ?? 0)
        }
    }
}
