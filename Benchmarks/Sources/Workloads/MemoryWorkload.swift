// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The memory that an import takes, each in a process of its own.
public enum MemoryWorkload: Workload {
    /// The name.
    public static let name = "memory"
    /// The summary.
    public static let summary =
        "peak resident memory of an import in a fresh process, after each quarter; growth: of the "
        + "memory that belongs to no file, from the first quarter to the end (mapped pages of the "
        + "store are the kernel's to take back)"
    /// The name of the child's task on the command line.
    public static let childName = "import"

    private static let commitSizes = [1_000, 10_000, 100_000]
    private static let byteLimit = 250e6
    /// From the first quarter to the end; what noise and caches may add.
    private static let growthLimit = 0.1
    private static let quarters = 4
    private static let chunkSize = 1_000

    /// Imports with each engine and size of commits.
    public static func run(_ stores: FilledStores) throws -> Report {
        var report = Report(
            table: Table("engine, books a commit", "25 %", "50 %", "75 %", "100 %", "growth"))
        let count = stores.configuration.objectCount
        for type in stores.configuration.engines {
            for size in commitSizes where size < count {
                let (peaks, growth) = try childPeaks(type, size, stores)
                let cells = peaks.map(Figures.megabytes)
                report.table.add(
                    "\(type.name), \(size)", cells[0], cells[1], cells[2], cells[3],
                    Figures.percent(growth))
                guard type.name == LodeEngine.name else { continue }
                report.verdicts += [
                    .below(
                        byteLimit, "peak of the import, \(size) a save", peaks[quarters - 1],
                        format: Figures.megabytes),
                    .below(
                        growthLimit, "growth (not of files), \(size) a save", growth,
                        format: Figures.percent),
                ]
            }
        }
        return report
    }

    private static func childPeaks(
        _ type: any Engine.Type, _ size: Int, _ stores: FilledStores
    ) throws -> (peaks: [Double], growth: Double) {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let output = try ChildProcess.outputOfSelf([
            "--child", childName, "--engine", type.name, "--path", path, "--commit-size", "\(size)",
            "--objects", "\(stores.configuration.objectCount)",
        ])
        let peaks = output.split(separator: " ").compactMap { Double($0) }
        guard peaks.count == 2 * quarters else {
            throw BenchmarkError("the importing process printed \(output), not eight sizes")
        }
        let anonymous = peaks[quarters...]
        return (Array(peaks[..<quarters]), anonymous[2 * quarters - 1] / anonymous[quarters] - 1)
    }

    /// What the child does: makes books a few at a time, inserts them, prints its peaks.
    public static func runChild(
        _ type: any Engine.Type, path: String, commitSize: Int, objectCount: Int
    ) throws {
        let engine = try type.init(path: path)
        var generator = BookGenerator()
        var peaks: [Int] = []
        var anonymousPeaks: [Int] = []
        var anonymous = 0
        var count = 0
        var uncommitted = 0
        while count < objectCount {
            let books = generator.next(min(chunkSize, objectCount - count))
            count += books.count
            uncommitted += books.count
            let commits = uncommitted >= commitSize || count == objectCount
            try engine.insert(books[...], commits: commits)
            if commits { uncommitted = 0 }
            anonymous = max(anonymous, PeakMemory.anonymousBytes ?? PeakMemory.bytes)
            while peaks.count < quarters, count * quarters >= objectCount * (peaks.count + 1) {
                peaks.append(PeakMemory.bytes)
                anonymousPeaks.append(anonymous)
            }
        }
        print((peaks + anonymousPeaks).map { "\($0)" }.joined(separator: " "))
        try engine.close()
    }
}
