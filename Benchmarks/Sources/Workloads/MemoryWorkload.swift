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

    private static let byteLimits: [String: [LibraryImport: Double]] = [
        LibraryEngines.subject: [.steps: 150e6, .whole: 350e6],
        LibraryEngines.batchSubject: [.steps: 200e6, .whole: 200e6],
    ]
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
            let engines = stores.configuration.libraryEngines
            var measured = engines.map { _ in Peaks() }
            for _ in 0..<stores.configuration.runCount {
                for (index, engine) in engines.enumerated() {
                    measured[index].add(try childPeaks(engine, kind, stores))
                }
            }
            for (engine, peaks) in zip(engines, measured) { add(kind, engine.name, peaks, &report) }
        }
        return report
    }

    /// What the runs of an import took: after each quarter, all of it and what is of no file.
    private struct Peaks {
        var quarters = Array(repeating: Samples(), count: MemoryWorkload.quarters)
        var anonymous = Samples()
        var growth = Samples()

        /// Adds the sizes that a child has printed.
        mutating func add(_ sizes: [Double]) {
            let count = MemoryWorkload.quarters
            for (index, size) in sizes[..<count].enumerated() { quarters[index].add(size) }
            anonymous.add(sizes[2 * count - 1])
            growth.add(sizes[2 * count - 1] / max(sizes[count], 1) - 1)
        }
    }

    private static func add(
        _ kind: LibraryImport, _ engine: String, _ peaks: Peaks, _ report: inout Report
    ) {
        let end = peaks.quarters[quarters - 1]
        report.table.add(
            [kind.rawValue, engine]
                + peaks.quarters.dropLast().map { Figures.megabytes($0.median) }
                + [
                    end.text(Figures.megabytes), peaks.anonymous.text(Figures.megabytes),
                    Figures.percent(peaks.growth.median),
                ])
        report.keep("peak memory, \(kind.rawValue)", end, by: engine, unit: Figure.bytesUnit)
        report.keep(
            "peak memory of no file, \(kind.rawValue)", peaks.anonymous, by: engine,
            unit: Figure.bytesUnit)
        guard let limit = byteLimits[engine]?[kind] else { return }
        report.verdicts.append(
            .below(
                limit, "peak memory, \(engine), \(kind.rawValue)", end.median,
                format: Figures.megabytes))
        guard engine == LibraryEngines.subject, kind == .steps else { return }
        report.verdicts.append(
            .below(
                growthLimit, "growth (not of files), \(kind.rawValue)", peaks.growth.median,
                format: Figures.percent))
    }

    /// The sizes after each quarter, first all of them, then what is of no file.
    private static func childPeaks(
        _ engine: LibraryEngine, _ kind: LibraryImport, _ stores: FilledStores
    ) throws -> [Double] {
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
        return sizes
    }

    /// What the child does: makes books a few at a time, imports them, prints its peaks.
    public static func runChild(_ engine: LibraryEngine, _ configuration: Configuration) throws {
        guard let kind = LibraryImport.allCases.first(where: { configuration.wants("\($0)") })
        else { throw BenchmarkError("\(childName) needs the kind of the import") }
        let count = configuration.objectCount
        let shelfCount = Configuration.shelfCount(for: count)
        var generator = BookGenerator(shelfCount: shelfCount)
        let start = PeakMemory.bytes
        let watch = MemoryWatch()
        defer { watch.end() }
        var peaks: [Int] = []
        var anonymousPeaks: [Int] = []
        var made = 0
        func note() {
            while peaks.count < quarters - 1, made * quarters >= count * (peaks.count + 1) {
                peaks.append(PeakMemory.bytes - start)
                anonymousPeaks.append(watch.growth)
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
        anonymousPeaks.append(watch.growth)
        print((peaks + anonymousPeaks).map { "\($0)" }.joined(separator: " "))
        try store.close()
    }
}
