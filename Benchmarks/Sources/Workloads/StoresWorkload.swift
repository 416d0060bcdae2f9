// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// What a second file of a coordinator costs: its own objects, and those of the main one beside it.
public enum StoresWorkload: Workload {
    /// The name.
    public static let name = "stores"
    /// The summary.
    public static let summary =
        "books of a coordinator's only file, of its main file beside an empty second one, and of "
        + "its second file beside an empty main one: insert and save, fetch and read, change and "
        + "save, in turn; commits are not synced"
    private static let greatestCount = 100_000

    private static let tasks = ["insert and save", "fetch and read", "change and save"]

    private static let places = ["only file", "main of two", "second"]

    /// Measures the three tasks in the three places.
    public static func run(_ stores: FilledStores) throws -> Report {
        let rows = stores.books.prefix(greatestCount)
        var samples = Array(repeating: tasks.map { _ in Samples() }, count: 3)
        for _ in 0..<stores.configuration.runCount {
            try measure(rows, stores, &samples)
        }
        var report = Report(table: Table(["measure"] + places + ["main", "second"]))
        for (task, name) in tasks.enumerated() {
            let all = samples.map { $0[task] }
            report.table.add(
                [name] + all.map { $0.text(Figures.milliseconds) }
                    + all.dropFirst().map { Figures.ratio($0.median / all[0].median) })
            for (place, samples) in zip(places, all) {
                report.keep("\(name), \(place)", samples)
            }
        }
        return report
    }

    private static func measure(
        _ rows: ArraySlice<BookRow>, _ stores: FilledStores, _ samples: inout [[Samples]]
    ) throws {
        let paths = (0..<5).map { _ in stores.folder.makePath() }
        defer { for path in paths { stores.folder.remove(path) } }
        let places: [(files: SeveralFiles, index: Int)] = [
            (try SeveralFiles(paths: [paths[0]]), 0),
            (try SeveralFiles(paths: [paths[1], paths[2]]), 0),
            (try SeveralFiles(paths: [paths[3], paths[4]]), 1),
        ]
        for (place, (files, index)) in places.enumerated() {
            samples[place][0].add(try files.insert(rows, into: index))
        }
        var sums: Set<UInt64> = []
        for (place, (files, index)) in places.enumerated() {
            let (checksum, seconds) = try files.read(from: index)
            samples[place][1].add(seconds)
            sums.insert(checksum.value)
        }
        guard sums.count == 1 else {
            throw BenchmarkError("the files hold different books; the figures are void")
        }
        for (place, (files, index)) in places.enumerated() {
            samples[place][2].add(try files.update(in: index))
        }
        for (files, _) in places { try files.close() }
    }
}
