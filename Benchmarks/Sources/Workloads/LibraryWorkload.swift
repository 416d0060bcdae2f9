// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The full library: what it costs to import, to ask and to change.
public enum LibraryWorkload: Workload {
    /// The name.
    public static let name = "library"
    /// The summary.
    public static let summary =
        "books with a unique ISBN and an index on the year, on shelves of 100 that know them; "
        + "each task by all engines in turn; rates, and ratios of medians"
    private static let bases = [LibraryEngines.limit, LibraryEngines.peer]

    /// Imports in new files, then does each task with the files of the last import.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let engines = configuration.libraryEngines
        var comparisons: [Comparison] = []
        var paths: [String: String] = [:]
        let needsFiles = LibraryTask.allCases.contains { configuration.wants("\($0)") }
        for kind in LibraryImport.allCases {
            let isWanted = configuration.wants("\(kind)")
            // Other tasks need files, if nothing else does.
            let runCount = isWanted ? configuration.runCount : kind == .steps && needsFiles ? 1 : 0
            let (times, sizes) = try measure(kind, engines, stores, runCount, &paths)
            guard isWanted else { continue }
            comparisons.append(times)
            if kind == .steps { comparisons.append(sizes) }
        }
        if configuration.wants(CSVImport.name) { comparisons.append(try CSVImport.measure(stores)) }
        if needsFiles { comparisons += try measureTasks(engines, stores, paths) }
        for path in paths.values { stores.folder.remove(path) }
        var report = Report(comparisons, bases: bases)
        report.verdicts = LibraryTargets.verdicts(comparisons) + CSVImport.verdicts(comparisons)
        return report
    }

    /// Imports in each run; opening, checking and deleting are not timed.
    ///
    /// The files of the last import with several commits stay.
    private static func measure(
        _ kind: LibraryImport, _ engines: [LibraryEngine], _ stores: FilledStores,
        _ runCount: Int, _ paths: inout [String: String]
    ) throws -> (times: Comparison, sizes: Comparison) {
        var times = engines.map { EngineResult(name: $0.name) }
        var sizes = times
        for run in 0..<runCount {
            for (index, engine) in engines.enumerated() {
                let path = stores.folder.makePath()
                let store = try engine.open(path)
                let source = BookSource(stores.books)
                Pause.untilQuiet()
                times[index].samples.add(
                    try Stopwatch.time {
                        try store.fill(
                            source, shelfCount: stores.shelfCount, commitSize: kind.commitSize)
                    }.seconds)
                times[index].checksum = try verify(store, engine, stores)
                try store.close()
                sizes[index].samples.add(Double(stores.folder.size(path)))
                if kind == .steps, run == runCount - 1, engine.scope != .imports {
                    paths[engine.name] = path
                } else {
                    stores.folder.remove(path)
                }
            }
        }
        let count = stores.books.count
        return (
            Comparison(task: kind.rawValue, unit: .seconds(count), results: times),
            Comparison(task: "size of the files, closed", unit: .bytes, results: sizes)
        )
    }

    /// Compares all that an engine holds with what it was given.
    private static func verify(
        _ store: any LibraryStore, _ engine: LibraryEngine, _ stores: FilledStores
    ) throws -> Checksum {
        let found = try store.contents()
        let wanted = stores.contents(hasShelves: engine.hasShelves)
        guard found == wanted else {
            throw BenchmarkError(
                "\(engine.name) holds other books (\(found)) than it was given (\(wanted))")
        }
        return found
    }

    private static func measureTasks(
        _ engines: [LibraryEngine], _ stores: FilledStores, _ paths: [String: String]
    ) throws -> [Comparison] {
        let configuration = stores.configuration
        let input = LibraryInput(
            bookCount: stores.books.count, shelfCount: stores.shelfCount,
            rounds: configuration.runCount, seed: Configuration.orderSeed)
        var opened: [(engine: LibraryEngine, store: any LibraryStore)] = []
        for engine in engines {
            guard let path = paths[engine.name] else { continue }
            let store = try engine.open(path)
            try store.prepare(input)
            opened.append((engine, store))
        }
        var comparisons: [Comparison] = []
        for task in LibraryTask.allCases where configuration.wants("\(task)") {
            let asked = opened.filter { $0.engine.does(task) }
            let results = try measure(task, asked, input, configuration.runCount)
            comparisons.append(
                Comparison(
                    task: task.rawValue, unit: .seconds(input.unitCount(of: task)),
                    results: results))
        }
        for task in LibraryTask.afterChanges { _ = try measure(task, opened, input, 1) }
        for (_, store) in opened { try store.close() }
        return comparisons
    }

    private static func measure(
        _ task: LibraryTask, _ opened: [(engine: LibraryEngine, store: any LibraryStore)],
        _ input: LibraryInput, _ runCount: Int
    ) throws -> [EngineResult] {
        var results = opened.map { EngineResult(name: $0.engine.name) }
        Pause.untilQuiet()
        for round in 0..<runCount {
            for (index, (_, store)) in opened.enumerated() {
                // A wait leaves caches cold, which tasks of less than a millisecond would feel.
                if task.changes { Pause.untilQuiet() }
                let (checksum, seconds) = try Stopwatch.time {
                    try store.run(task, input, round: round)
                }
                guard let checksum else { continue }
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        let comparable = opened.filter { $0.engine.isComparable(in: task) }.map(\.engine.name)
        results.removeAll { $0.samples.values.isEmpty || !comparable.contains($0.name) }
        try results.requireAgreement(task.rawValue)
        return results
    }
}
