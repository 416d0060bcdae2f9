// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The memory that an import of the full library takes, each in a process of its own.
public enum MemoryWorkload: Workload {
    /// The name.
    public static let name = "memory"
    /// The summary.
    public static let summary =
        "peak resident memory of an import of the full library above the start of a fresh process, "
        + "after each quarter; the part that belongs to no file (mapped pages of the store are the "
        + "kernel's to take back), and how that grows from the first quarter to the end"
    /// The name of the child's task on the command line.
    public static let childName = "import"

    private static let byteLimits: [LibraryImport: Double] = [.steps: 150e6, .whole: 350e6]
    /// From the first quarter to the end; what noise and caches may add.
    private static let growthLimit = 0.1
    private static let quarters = 4
    private static let chunkSize = 1_000

    /// Imports with each engine, in both ways.
    public static func run(_ stores: FilledStores) throws -> Report {
        var report = Report(
            table: Table([
                "import", "engine", "25 %", "50 %", "75 %", "100 %", "of no file", "growth",
            ]))
        for kind in LibraryImport.allCases where stores.configuration.wants("\(kind)") {
            for engine in stores.configuration.libraryEngines {
                let (peaks, anonymous, growth) = try childPeaks(engine, kind, stores)
                report.table.add(
                    [kind.rawValue, engine.name] + peaks.map(Figures.megabytes)
                        + [Figures.megabytes(anonymous), Figures.percent(growth)])
                guard engine.name == LibraryEngines.subject, let limit = byteLimits[kind] else {
                    continue
                }
                report.verdicts.append(
                    .below(
                        limit, "peak memory, \(kind.rawValue)", peaks[quarters - 1],
                        format: Figures.megabytes))
                guard kind == .steps else { continue }
                report.verdicts.append(
                    .below(
                        growthLimit, "growth (not of files), \(kind.rawValue)", growth,
                        format: Figures.percent))
            }
        }
        return report
    }

    private static func childPeaks(
        _ engine: LibraryEngine, _ kind: LibraryImport, _ stores: FilledStores
    ) throws -> (peaks: [Double], anonymous: Double, growth: Double) {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let output = try ChildProcess.outputOfSelf([
            "--child", childName, "--engine", engine.name, "--path", path, "--task", "\(kind)",
            "--objects", "\(stores.configuration.objectCount)",
        ])
        let sizes = output.split(separator: " ").compactMap { Double($0) }
        guard sizes.count == 2 * quarters else {
            throw BenchmarkError("the importing process printed \(output), not eight sizes")
        }
        let anonymous = sizes[quarters...]
        return (
            Array(sizes[..<quarters]), anonymous[2 * quarters - 1],
            anonymous[2 * quarters - 1] / max(anonymous[quarters], 1) - 1
        )
    }

    /// What the child does: makes books a few at a time, imports them, prints its peaks.
    public static func runChild(_ engine: LibraryEngine, _ configuration: Configuration) throws {
        guard let kind = LibraryImport.allCases.first(where: { configuration.wants("\($0)") })
        else { throw BenchmarkError("\(childName) needs the kind of the import") }
        let count = configuration.objectCount
        let shelfCount = Configuration.shelfCount(for: count)
        var generator = BookGenerator(shelfCount: shelfCount)
        let start = PeakMemory.bytes
        let anonymousStart = PeakMemory.anonymousBytes ?? start
        var peaks: [Int] = []
        var anonymousPeaks: [Int] = []
        var anonymous = 0
        var made = 0
        func note() {
            anonymous = max(
                anonymous, (PeakMemory.anonymousBytes ?? PeakMemory.bytes) - anonymousStart)
            while peaks.count < quarters - 1, made * quarters >= count * (peaks.count + 1) {
                peaks.append(PeakMemory.bytes - start)
                anonymousPeaks.append(anonymous)
            }
        }
        let source = BookSource {
            note()
            let books = generator.next(min(chunkSize, count - made))
            made += books.count
            return books
        }
        let store = try engine.open(configuration.path)
        try store.fill(source, shelfCount: shelfCount, commitSize: kind.commitSize)
        note()
        // The last quarter ends with the last commit.
        peaks.append(PeakMemory.bytes - start)
        anonymousPeaks.append(anonymous)
        print((peaks + anonymousPeaks).map { "\($0)" }.joined(separator: " "))
        try store.close()
    }
}
