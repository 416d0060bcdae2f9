// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// A walk over everything.
public enum FetchWorkload: Workload {
    /// The name.
    public static let name = "fetch"
    /// The summary.
    public static let summary =
        "fetch all books, in Lode as managed objects, and sum the year; the release counts too"
    private static let leastRate = 5_000_000.0

    /// Sums the years of the filled files.
    public static func run(_ stores: FilledStores) throws -> Report {
        let results = try stores.measure(name) { try $0.sumYears() }
        let count = stores.configuration.objectCount
        var report = Report.rates(results, objectCount: count)
        report.verdicts.append(
            .atLeast(
                leastRate, "fetch, objects a second",
                Double(count) / results.median(LodeEngine.name), format: Figures.rate))
        return report
    }
}
