// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Batch requests, against the same through a context.
public enum BatchWorkload: Workload {
    /// The name.
    public static let name = "batch"
    /// The summary.
    public static let summary =
        "all books inserted by one batch request with a managedObjectHandler, and by one save of "
        + "a context; their years set by one batch update; all deleted by one batch deletion"
    private static let leastInsertRatio = 2.0
    private static let leastUpdateRate = 1e6
    private static let deletionLimit = 0.2

    /// Fills a new file with each request in each run; opening and checking are not timed.
    public static func run(_ stores: FilledStores) throws -> Report {
        let books = stores.books
        var samples: [(name: String, samples: Samples)] = [
            ("context insert and save", Samples()), ("batch insert", Samples()),
            ("batch update", Samples()), ("batch delete", Samples()),
        ]
        for _ in 0..<stores.configuration.runCount {
            let paths = [stores.folder.makePath(), stores.folder.makePath()]
            let plain = try LodeEngine(path: paths[0])
            samples[0].samples.add(
                try Stopwatch.time { try plain.insert(books[...], commits: true) }.seconds)
            let wanted = try plain.sumYears()
            try plain.close()
            let batch = try LodeEngine(path: paths[1])
            samples[1].samples.add(try Stopwatch.time { try batch.batchInsert(books) }.seconds)
            guard try batch.sumYears() == wanted else {
                throw BenchmarkError("the batch insertion and the context hold other books")
            }
            samples[2].samples.add(
                try Stopwatch.time { try batch.batchUpdate(year: 1, count: books.count) }.seconds)
            samples[3].samples.add(
                try Stopwatch.time { try batch.batchDelete(count: books.count) }.seconds)
            try batch.close()
            for path in paths { stores.folder.remove(path) }
        }
        var report = Report(table: Table(["request", "median", "least", "greatest"]))
        let count = Double(books.count)
        for (name, times) in samples {
            report.table.add([
                name, Figures.rate(count / times.median), Figures.rate(count / times.greatest),
                Figures.rate(count / times.least),
            ])
            report.keep(name, times)
        }
        report.verdicts = [
            .atLeast(
                leastInsertRatio, "batch insert / context insert",
                samples[0].samples.median / samples[1].samples.median, format: Figures.ratio),
            .atLeast(
                leastUpdateRate, "batch update, objects a second",
                count / samples[2].samples.median, format: Figures.rate),
            .below(
                deletionLimit, "batch delete of all", samples[3].samples.median,
                format: Figures.milliseconds),
        ]
        return report
    }
}
