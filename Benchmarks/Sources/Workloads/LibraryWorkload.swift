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
    /// What the size of closed files is called in tables.
    static func sizeTask(_ kind: LibraryImport) -> String { "size after: " + kind.rawValue }

    private static let bases = [LibraryEngines.limit, LibraryEngines.peer]

    /// The task of a process that an engine has for itself.
    public static let childName = "library"

    /// What such a process does.
    public static func runChild(_ engine: LibraryEngine, _ configuration: Configuration) throws {
        var child = LibraryChild(engine, configuration)
        try child.follow()
    }

    /// Imports in new files, then does each task with the files of the last import.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let engines = try configuration.libraryEngines.map { try LibraryProcess($0, configuration) }
        var comparisons: [Comparison] = []
        var paths: [String: String] = [:]
        let needsFiles = LibraryTask.allCases.contains { configuration.wants("\($0)") }
        for kind in LibraryImport.allCases {
            let isWanted = configuration.wants("\(kind)")
            // Other tasks need files, if nothing else does.
            let runCount = isWanted ? configuration.runCount : kind == .steps && needsFiles ? 1 : 0
            let (times, sizes) = try measure(kind, engines, stores, runCount, &paths)
            guard isWanted else { continue }
            comparisons += [times, sizes]
        }
        if configuration.wants(CSVImport.name) { comparisons.append(try CSVImport.measure(stores)) }
        if needsFiles { comparisons += try measureTasks(engines, stores, paths) }
        for engine in engines { try engine.finish() }
        for path in paths.values { stores.folder.remove(path) }
        var report = Report(comparisons, bases: bases)
        report.verdicts = LibraryTargets.verdicts(comparisons) + CSVImport.verdicts(comparisons)
        return report
    }

    /// Imports in each run.
    ///
    /// The files of the last import with several commits stay.
    private static func measure(
        _ kind: LibraryImport, _ engines: [LibraryProcess], _ stores: FilledStores,
        _ runCount: Int, _ paths: inout [String: String]
    ) throws -> (times: Comparison, sizes: Comparison) {
        var times = engines.map { EngineResult(name: $0.engine.name) }
        var sizes = times
        for run in 0..<runCount {
            for (index, process) in engines.enumerated() {
                let path = stores.folder.makePath()
                let timed = try process.fill(kind, path)
                times[index].samples.add(timed.seconds)
                times[index].checksum = timed.checksum
                sizes[index].samples.add(Double(stores.folder.size(path)))
                if kind == .steps, run == runCount - 1, process.engine.scope != .imports {
                    paths[process.engine.name] = path
                } else {
                    stores.folder.remove(path)
                }
            }
        }
        return (
            Comparison(task: kind.rawValue, unit: .seconds(stores.all.count), results: times),
            Comparison(task: sizeTask(kind), unit: .bytes, results: sizes)
        )
    }

    private static func measureTasks(
        _ engines: [LibraryProcess], _ stores: FilledStores, _ paths: [String: String]
    ) throws -> [Comparison] {
        let configuration = stores.configuration
        let input = stores.all.makeInput(rounds: configuration.runCount)
        let opened = try engines.filter { process in
            guard let path = paths[process.engine.name] else { return false }
            try process.open(path)
            return true
        }
        var comparisons: [Comparison] = []
        for task in LibraryTask.allCases where configuration.wants("\(task)") {
            let asked = opened.filter { $0.engine.does(task) }
            let results = try measure(task, asked, configuration.runCount)
            comparisons.append(
                Comparison(
                    task: task.rawValue, unit: .seconds(input.unitCount(of: task)),
                    results: results))
        }
        for task in LibraryTask.afterChanges { _ = try measure(task, opened, 1) }
        try compareContents(opened)
        return comparisons
    }

    /// Compares every byte of the books on shelves, after all changes.
    private static func compareContents(_ opened: [LibraryProcess]) throws {
        let results = try opened.map { process in
            var result = EngineResult(name: process.engine.name)
            result.checksum = try process.contents()
            return result
        }
        try results.requireAgreement("the books on all shelves after all changes")
    }

    private static func measure(
        _ task: LibraryTask, _ opened: [LibraryProcess], _ runCount: Int
    ) throws -> [EngineResult] {
        var results = opened.map { EngineResult(name: $0.engine.name) }
        for round in 0..<runCount {
            for (index, process) in opened.enumerated() {
                guard let timed = try process.run(task, round: round) else { continue }
                results[index].samples.add(timed.seconds)
                results[index].checksum = timed.checksum
            }
            try results.filter { !$0.samples.values.isEmpty }.requireAgreement(task.rawValue)
        }
        let comparable = opened.map(\.engine).filter { $0.isComparable(in: task) }.map(\.name)
        results.removeAll { $0.samples.values.isEmpty || !comparable.contains($0.name) }
        return results
    }
}
