// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Walks from shelves to their books, and sets the inverse.
public enum TraverseWorkload: Workload {
    /// The name.
    public static let name = "traverse"
    /// The summary.
    public static let summary =
        "from each shelf to its 100 books, in Lode as managed objects, and sum the year"
    private static let movedBooks = 100_000
    private static let leastRatioToLMDB = 1.0

    /// How books lie in the file, compared with their shelves.
    private enum Layout: String, CaseIterable {
        case together = "inserted shelf by shelf"
        case scattered = "inserted in any order"

        func shelves(_ count: Int, _ shelfCount: Int) -> [Int] {
            let inOrder = (0..<count).map { $0 * shelfCount / count }
            guard self == .scattered else { return inOrder }
            var random = SeededGenerator(seed: Configuration.orderSeed)
            return inOrder.shuffled(using: &random)
        }
    }

    /// One kind of walk over the file of one engine.
    private struct Walker {
        let label: String
        let store: any ShelfStore
        let walk: ShelfWalk
    }

    /// Measures both layouts; the promise holds for books inserted shelf by shelf.
    public static func run(_ stores: FilledStores) throws -> Report {
        let count = stores.configuration.objectCount
        var report = Report(
            table: Table(["books", "walk", "median", "least", "greatest", "list / it", "checksum"]))
        for layout in Layout.allCases {
            let path = stores.folder.makePath()
            let results = try measure(layout, stores, path, &report)
            let list = results.median("Lode, list")
            for result in results {
                report.table.add([
                    layout.rawValue, result.name,
                    Figures.rate(Double(count) / result.samples.median),
                    Figures.rate(Double(count) / result.samples.greatest),
                    Figures.rate(Double(count) / result.samples.least),
                    Figures.ratio(result.samples.median / list), result.checksum.description,
                ])
                report.keep("traverse, books \(layout.rawValue)", result.samples, by: result.name)
            }
            guard layout == .together else { continue }
            for walk in ShelfWalk.allCases {
                report.verdicts.append(
                    .atLeast(
                        leastRatioToLMDB, "traverse as a \(walk.rawValue), Lode / raw LMDB",
                        results.median(RawShelves.name) / results.median("Lode, \(walk.rawValue)"),
                        format: Figures.ratio))
            }
        }
        return report
    }

    private static func measure(
        _ layout: Layout, _ stores: FilledStores, _ path: String, _ report: inout Report
    ) throws -> [EngineResult] {
        let count = stores.configuration.objectCount
        let shelfCount = Configuration.shelfCount(for: count)
        let raw = try RawShelves(path: path + "-raw")
        let lode = try LodeShelves(path: path)
        for store in [raw, lode] as [any ShelfStore] {
            try store.fill(
                stores.books[...].shelved(layout.shelves(count, shelfCount)),
                shelfCount: shelfCount)
        }
        var walkers = [Walker(label: RawShelves.name, store: raw, walk: .list)]
        walkers += ShelfWalk.allCases.map {
            Walker(label: "Lode, \($0.rawValue)", store: lode, walk: $0)
        }
        let results = try measure(walkers, stores.configuration.runCount)
        if layout == .together {
            var moves = Samples()
            for _ in 0..<stores.configuration.runCount {
                moves.add(try lode.moveBooks(min(count, movedBooks)))
            }
            report.table.add([
                "\(min(count, movedBooks)) of them", "Lode, inverse set",
                Figures.nanoseconds(moves.median), Figures.nanoseconds(moves.least),
                Figures.nanoseconds(moves.greatest), "", "",
            ])
            report.keep("set the inverse of a book", moves)
        }
        raw.close()
        try lode.close()
        stores.folder.remove(path)
        stores.folder.remove(path + "-raw")
        return results
    }

    private static func measure(_ walkers: [Walker], _ runCount: Int) throws -> [EngineResult] {
        var results = walkers.map { EngineResult(name: $0.label) }
        for _ in 0..<runCount {
            for (index, walker) in walkers.enumerated() {
                let (checksum, seconds) = try Stopwatch.time {
                    try walker.store.sumYears(walker.walk)
                }
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        try results.requireAgreement(name)
        return results
    }
}
