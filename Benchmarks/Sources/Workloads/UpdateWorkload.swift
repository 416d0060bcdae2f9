// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Updates of books all over a filled file.
public enum UpdateWorkload: Workload {
    /// The name.
    public static let name = "update"
    /// The summary.
    public static let summary =
        "add one to the year of \(commitSize) random books in one durable commit: in Lode the save "
        + "of a context with changed objects, in raw LMDB a get and a put a book in arrival order"
    private static let commitSize = 10_000
    private static let leastRatioToLMDB = 1.0
    /// An update is short, so a run has more of them than other workloads have.
    private static let updatesPerRun = 7

    /// Updates the filled files; setting properties, opening and checking are not timed.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let engines = try configuration.engines.map { try $0.init(path: stores.path($0)) }
        var results = configuration.engines.map { EngineResult(name: $0.name) }
        var random = SeededGenerator(seed: Configuration.orderSeed)
        let count = min(commitSize, configuration.objectCount)
        // The first round warms up: it reads what the others find in memory.
        for round in 0...configuration.runCount * updatesPerRun {
            let order = (0..<configuration.objectCount).shuffled(using: &random).prefix(count)
            for (index, engine) in engines.enumerated() {
                try engine.prepareUpdates(Array(order))
                let (_, seconds) = try Stopwatch.time { try engine.updatePrepared() }
                if round > 0 { results[index].samples.add(seconds) }
            }
        }
        for (index, engine) in engines.enumerated() {
            results[index].checksum = try engine.sumYears()
            try engine.close()
        }
        try results.requireAgreement(name)
        var report = Report.rates(results, objectCount: count)
        report.verdicts.append(
            .atLeast(
                leastRatioToLMDB, "update, Lode / raw LMDB",
                results.median(RawLMDBEngine.name) / results.median(LodeEngine.name),
                format: Figures.ratio))
        return report
    }
}
