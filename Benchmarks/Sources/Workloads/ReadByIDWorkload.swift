// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Random reads by key.
public enum ReadByIDWorkload: Workload {
    /// The name.
    public static let name = "read-by-id"
    /// The summary.
    public static let summary =
        "read every book by its key in the same random order, all properties, texts as String"
    private static let leastRatioToLMDB = 0.6

    /// Reads all books of the filled files.
    public static func run(_ stores: FilledStores) throws -> Report {
        var random = SeededGenerator(seed: Configuration.orderSeed)
        let count = stores.configuration.objectCount
        let order = Array(0..<count).shuffled(using: &random)
        let hashesText = stores.configuration.isSmoke
        let results = try stores.measure(
            name, prepare: { try $0.prepareReads(order) },
            { try $0.readPrepared(hashesText: hashesText) })
        var report = Report.rates(results, objectCount: count)
        report.verdicts.append(
            .atLeast(
                leastRatioToLMDB, "read by ID, Lode / raw LMDB",
                results.median(RawLMDBEngine.name) / results.median(LodeEngine.name),
                format: Figures.ratio))
        return report
    }
}
