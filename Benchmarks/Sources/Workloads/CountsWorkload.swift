// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Numbers that are the same on each machine, compared with those that are kept.
public enum CountsWorkload: Workload {
    /// The name.
    public static let name = "counts"
    /// The summary.
    public static let summary =
        "allocations of the calling thread, bytes written and bytes of the file, for each book, "
        + "look-up or save of a library of 20,000 books, beside those kept in Counts.txt"

    /// Counts, and fails if a count is worse than what is kept.
    public static func run(_ stores: FilledStores) throws -> Report {
        // What the compiler leaves in a debug build is not what is kept.
        guard BuildMode.current == .release else {
            return Report(table: Table(["counts are compared in release builds"]))
        }
        let counts = try measure(stores)
        if stores.configuration.writesCounts {
            var file = try CountsFile()
            try file.write(counts)
        }
        let kept = try CountsFile().entries
        var report = Report(table: Table(["count", "now", "kept", "change", "may grow by"]))
        var worse: [String] = []
        for count in counts {
            guard let entry = kept[count.name] else {
                throw BenchmarkError(
                    "\(CountsFile.path) has no line \(count.name); add "
                        + "\(count.name) | \(CountsFile.text(count.value)) | 1 %")
            }
            let change = count.value / entry.value - 1
            report.table.add([
                count.name, CountsFile.text(count.value), CountsFile.text(entry.value),
                Figures.percent(change), Figures.percent(entry.tolerance),
            ])
            if change > entry.tolerance {
                worse.append(
                    "\(count.name): \(CountsFile.text(count.value)), "
                        + "not \(CountsFile.text(entry.value))")
            }
        }
        guard worse.isEmpty else {
            throw BenchmarkError(
                "counts are worse than those kept: \(worse.joined(separator: "; ")). Find out why; "
                    + "if it is worth it, lode-bench --workload counts --write keeps the new ones")
        }
        return report
    }

    private static func measure(_ stores: FilledStores) throws -> [LodeCounts.Count] {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        return try LodeCounts(path: path).measure()
    }
}
