// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// Numbers that are the same on each machine, compared with those that are kept.
public enum CountsWorkload: Workload {
    /// The name.
    public static let name = "counts"
    /// The summary.
    public static let summary =
        "allocations of the calling thread, bytes written, bytes of the file and, where valgrind "
        + "is installed, instructions, for each book, look-up or save of a library of 20,000 "
        + "books, each component and each result that moves, beside those kept in Counts.txt"

    /// The name of the child's task on the command line.
    public static let childName = "counts"
    private static let roundCount = 3
    /// What the name of a count of instructions ends with.
    static let instructions = ", instructions"

    /// Counts, and fails if a count is worse than what is kept.
    public static func run(_ stores: FilledStores) throws -> Report {
        // What the compiler leaves in a debug build is not what is kept.
        guard BuildMode.current == .release else {
            return Report(table: Table(["counts are compared in release builds"]))
        }
        var counts = try measure(stores) + instructionCounts(stores)
        if stores.configuration.writesCounts {
            var file = try CountsFile()
            try file.write(counts)
        }
        let kept = try CountsFile().entries
        if counts.contains(where: { isWorse($0, kept) && $0.name.hasSuffix(instructions) }) {
            counts = try least(counts, instructionCounts(stores))
        }
        var report = Report(table: Table(["count", "now", "kept", "change", "may grow by"]))
        var worse: [String] = []
        if !counts.contains(where: { $0.name.hasSuffix(instructions) }) {
            report.omissions.append(
                "instructions are not compared: install valgrind and build again")
        }
        for count in counts {
            guard let entry = kept[count.name] else {
                throw BenchmarkError(
                    "\(CountsFile.path) has no line \(count.name); add "
                        + "\(count.name) | \(CountsFile.text(count.value)) | 1 %")
            }
            var samples = Samples()
            samples.add(count.value)
            report.keep(count.name, samples, unit: Figure.countUnit)
            let change = count.value / entry.value - 1
            report.table.add([
                count.name, CountsFile.text(count.value), CountsFile.text(entry.value),
                Figures.percent(change), Figures.percent(entry.tolerance),
            ])
            if isWorse(count, kept) {
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

    private static func isWorse(
        _ count: Counting.Count, _ kept: [String: CountsFile.Entry]
    ) -> Bool {
        guard let entry = kept[count.name] else { return false }
        return count.value / entry.value - 1 > entry.tolerance
    }

    /// The counts with those of a second time where these are lower: what other threads do by the
    /// clock, such as to park a snapshot, may fall into a count of the first time.
    private static func least(
        _ counts: [Counting.Count], _ others: [Counting.Count]
    ) -> [Counting.Count] {
        counts.map { count in
            let other = others.first { $0.name == count.name }
            return Counting.Count(
                name: count.name, value: min(count.value, other?.value ?? count.value))
        }
    }

    /// Counts in a process of its own, as what came before leaves caches.
    private static func measure(_ stores: FilledStores) throws -> [Counting.Count] {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let output = try ChildProcess.outputOfSelf(["--child", childName, "--path", path])
        return try output.split(separator: "\n").map { line in
            let fields = line.split(separator: "|")
            guard fields.count == 2, let value = Double(fields[1]) else {
                throw BenchmarkError("the counting process printed \(line)")
            }
            return Counting.Count(name: String(fields[0]), value: value)
        }
    }

    /// Counts instructions once: a run under callgrind takes fifty times as long.
    private static func instructionCounts(_ stores: FilledStores) throws -> [Counting.Count] {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let directory = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let arguments = ["--child", instructionsChildName, "--path", "\(path)/file"]
        let counts = try Instructions.ofSelf(arguments, in: directory) ?? [:]
        return try counts.sorted { $0.key < $1.key }.map { key, value in
            let fields = key.split(separator: "|")
            guard fields.count == 2, let divisor = Double(fields[1]) else {
                throw BenchmarkError("the counting process named a count \(key)")
            }
            return Counting.Count(name: String(fields[0]), value: value / divisor)
        }
    }

    /// What the child does: counts in some new files, and prints the least of each count.
    ///
    /// The least, as the memory for what a save hands to another thread is made now by one of the
    /// two and now by the other.
    public static func runChild(path: String) throws {
        let runs = try (0..<roundCount).map { try LodeCounts.measure(path: "\(path)-\($0)") }
        for (index, count) in runs[0].enumerated() {
            let least = runs.map { $0[index].value }.min() ?? count.value
            print("\(count.name)|\(least)")
        }
    }

    /// The name of the child's task under callgrind.
    public static let instructionsChildName = "instructions"

    /// What that child does: counts once, and has callgrind write its own counts.
    public static func runInstructionsChild(path: String) throws {
        _ = try LodeCounts.measure(path: path)
    }
}
