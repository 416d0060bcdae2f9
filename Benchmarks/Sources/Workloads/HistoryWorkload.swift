// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// What a history costs, what purging it takes, and when another process hears of a commit.
public enum HistoryWorkload: Workload {
    /// The name.
    public static let name = "history"
    /// The summary.
    public static let summary =
        "saves with and without a history, in turn; calls that purge one transaction a book; from "
        + "the begin of a save in one process to the notification in another"
    /// The name of the child's task on the command line.
    public static let childName = "commit"

    private static let costLimit = 1.1
    private static let latencyLimit = 10e-3
    /// For the slowest of all notifications.
    private static let greatestLatencyLimit = 100e-3
    /// The most transactions that a call may remove, plus one.
    private static let sliceLimit = 1_025.0

    /// Measures the three.
    public static func run(_ stores: FilledStores) throws -> Report {
        var report = Report(table: Table(["measure", "median", "least", "greatest"]))
        try addCosts(stores, &report)
        try addPurge(stores, &report)
        try addLatency(stores, &report)
        return report
    }

    private static func addCosts(_ stores: FilledStores, _ report: inout Report) throws {
        for kind in SaveKind.all {
            var pairs = [Samples(), Samples()]
            for _ in 0..<stores.configuration.runCount {
                let seconds = try kind.measure(stores)
                pairs[0].add(seconds.without)
                pairs[1].add(seconds.with)
            }
            for (samples, word) in zip(pairs, ["without", "with"]) {
                report.keep("\(kind.name), \(word)", samples)
                report.table.add([
                    "\(kind.name), \(word)", Figures.milliseconds(samples.median),
                    Figures.milliseconds(samples.least), Figures.milliseconds(samples.greatest),
                ])
            }
            report.verdicts.append(
                .below(
                    costLimit, "with / without, \(kind.name)",
                    pairs[1].median / pairs[0].median, format: Figures.ratio))
        }
    }

    private static func addPurge(_ stores: FilledStores, _ report: inout Report) throws {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let books = try HistoryBooks(path: path, keepsHistory: true, isSynced: false)
        for row in stores.books.indices { _ = try books.save(stores.books[row...row]) }
        var times = Samples()
        var counts = Samples()
        var left = try books.historyEntries()
        guard left == stores.books.count else {
            throw BenchmarkError("the history has \(left) entries, not \(stores.books.count)")
        }
        // The newest entry stays in the file.
        while left > 1 {
            times.add(try books.purge())
            let now = try books.historyEntries()
            guard now < left else { throw BenchmarkError("a call to purge removed nothing") }
            counts.add(Double(left - now))
            left = now
        }
        try books.close()
        report.keep("a call to purge", times)
        report.table.add([
            "a call to purge", Figures.milliseconds(times.median),
            Figures.milliseconds(times.least), Figures.milliseconds(times.greatest),
        ])
        report.table.add([
            "transactions removed by a call", Figures.count(counts.median),
            Figures.count(counts.least), Figures.count(counts.greatest),
        ])
        report.verdicts.append(
            .below(
                sliceLimit, "transactions removed by a call", counts.greatest,
                format: Figures.count))
    }

    private static func addLatency(_ stores: FilledStores, _ report: inout Report) throws {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let books = try HistoryBooks(
            path: path, keepsHistory: true, tellsOfOthers: true, isSynced: true)
        var commits: [(begin: UInt64, end: UInt64)] = []
        let arrivals = try books.noteRemoteChanges {
            let output = try ChildProcess.outputOfSelf(["--child", childName, "--path", path])
            let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
            commits = stride(from: 0, to: numbers.count - 1, by: 2).map {
                (numbers[$0], numbers[$0 + 1])
            }
        }
        try books.close()
        guard commits.count == commitCount, arrivals.count == commitCount else {
            throw BenchmarkError(
                "\(arrivals.count) notifications of \(commits.count) commits; there are "
                    + "\(commitCount), far apart")
        }
        var fromBegin = Samples()
        var fromEnd = Samples()
        for (commit, arrival) in zip(commits, arrivals) {
            fromBegin.add(Double(arrival - commit.begin) / 1e9)
            // The notification may be there before the save has cleaned up.
            fromEnd.add((Double(arrival) - Double(commit.end)) / 1e9)
        }
        for (samples, word) in [(fromBegin, "begin"), (fromEnd, "end")] {
            report.keep("from the \(word) of a save elsewhere", samples)
            report.table.add([
                "from the \(word) of a save elsewhere", Figures.milliseconds(samples.median),
                Figures.milliseconds(samples.least), Figures.milliseconds(samples.greatest),
            ])
        }
        report.verdicts.append(
            .below(
                latencyLimit, "from a save to the notification elsewhere", fromBegin.median,
                format: Figures.milliseconds))
        report.verdicts.append(
            .below(
                greatestLatencyLimit, "from a save to the slowest notification elsewhere",
                fromBegin.greatest, format: Figures.milliseconds))
    }

    private static let commitCount = 100

    /// What the child does: saves books at a distance and prints when each save began and ended.
    public static func runChild(path: String) throws {
        let books = try HistoryBooks(path: path, keepsHistory: true, isSynced: true)
        var generator = BookGenerator(shelfCount: 1)
        let rows = generator.next(commitCount)
        // Its own opening is over before the first commit.
        Pause.milliseconds(100)
        for row in rows.indices {
            let begin = Pause.now
            _ = try books.save(rows[row...row])
            print(begin, Pause.now)
            Pause.milliseconds(20)
        }
        try books.close()
    }
}
