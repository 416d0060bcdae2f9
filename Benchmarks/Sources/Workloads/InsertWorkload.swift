// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Insertion with durable commits.
public enum InsertWorkload: Workload {
    /// The name.
    public static let name = "insert"
    /// The summary.
    public static let summary =
        "insert into an empty file, a durable commit every \(Configuration.commitSize) books"
    private static let leastRatioToSQLite = 1.0

    /// Fills a new file of each engine in each run; opening, checking and deleting are not timed.
    public static func run(_ stores: FilledStores) throws -> Report {
        _ = stores.books
        var results = stores.configuration.engines.map { EngineResult(name: $0.name) }
        for _ in 0..<stores.configuration.runCount {
            for (index, type) in stores.configuration.engines.enumerated() {
                let path = stores.folder.makePath()
                let engine = try type.init(path: path)
                results[index].samples.add(try Stopwatch.time { try stores.fill(engine) }.seconds)
                results[index].checksum = try verify(engine, stores)
                try engine.close()
                stores.folder.remove(path)
            }
        }
        try results.requireAgreement(name)
        var report = Report.rates(results, objectCount: stores.configuration.objectCount)
        report.verdicts.append(
            .atLeast(
                leastRatioToSQLite, "insert, Lode / SQLite",
                results.median(SQLiteEngine.name) / results.median(LodeEngine.name),
                format: Figures.ratio))
        return report
    }

    /// Reads everything back, and compares it with what was inserted.
    private static func verify(_ engine: any Engine, _ stores: FilledStores) throws -> Checksum {
        try engine.prepareReads(Array(stores.books.indices))
        let found = try engine.readPrepared(hashesText: true)
        var wanted = Checksum(hashesText: true)
        for book in stores.books { wanted.add(book) }
        guard found == wanted else {
            throw BenchmarkError(
                "\(type(of: engine).name) holds other books (\(found)) than were inserted "
                    + "(\(wanted))"
            )
        }
        return found
    }
}
