// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Readers beside a writer: what each costs the other.
public enum ReadersWorkload: Workload {
    /// The name.
    public static let name = "readers"
    /// The summary.
    public static let summary =
        "threads or processes that read books (half by ID, half by the index on the year, each "
        + "look in a state of its own, checked) while one thread commits updates of 1,000 books; "
        + "each beside itself alone. SQLite NORMAL syncs no commit"
    /// The name of the child's task on the command line.
    public static let childName = "read"

    /// Fills a file of each engine and measures it with more and more readers.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let isSmoke = configuration.isSmoke
        let names = configuration.libraryEngines.map(\.name)
        let engines = SharedEngine.all.filter { names.contains($0.name) }
        let plan = try ReadersPlan(stores.books, commitCount: isSmoke ? 4 : 20)
        var report = Report(
            table: Table([
                "readers", "engine", "books read", "least", "greatest", "to alone", "commits",
                "least", "greatest", "to alone",
            ]))
        let trials = try engines.map {
            try ReadersTrial($0, plan, stores, secondsAlone: isSmoke ? 0.05 : 0.5)
        }
        try measure(.none, trials, configuration.runCount, &report)
        for kind in ReadersKind.all(isSmoke) {
            let able = trials.filter { kind.isThreads || $0.engine.takesProcesses }
            try measure(kind, able, configuration.runCount, &report)
        }
        for trial in trials { try trial.close() }
        return report
    }

    private static func measure(
        _ kind: ReadersKind, _ trials: [ReadersTrial], _ runCount: Int, _ report: inout Report
    ) throws {
        var samples = trials.map { _ in
            (alone: Samples(), reads: Samples(), commitsAlone: Samples(), commits: Samples())
        }
        for _ in 0..<runCount {
            for (index, trial) in trials.enumerated() {
                Pause.untilQuiet()
                if kind.count > 0 { samples[index].alone.add(try trial.readAlone(kind)) }
                samples[index].commitsAlone.add(try trial.readAndWrite(.none).commits)
                let (reads, commits) = try trial.readAndWrite(kind)
                samples[index].reads.add(reads)
                samples[index].commits.add(commits)
            }
        }
        for (index, trial) in trials.enumerated() {
            let (alone, reads, commitsAlone, commits) = samples[index]
            let name = trial.engine.name
            if kind.count > 0 {
                report.figures.append(
                    figure(readTask(kind), name, reads, toAlone: alone.median))
            }
            report.figures.append(
                figure(commitTask(kind), name, commits, toAlone: commitsAlone.median))
            func rates(_ samples: Samples, _ base: Double) -> [String] {
                [
                    Figures.rate(samples.median), Figures.rate(samples.least),
                    Figures.rate(samples.greatest), Figures.ratio(samples.median / base),
                ]
            }
            report.table.add(
                [index == 0 ? kind.name : "", name]
                    + (kind.count == 0 ? ["", "", "", ""] : rates(reads, alone.median))
                    + rates(commits, commitsAlone.median))
        }
    }

    /// What the figures of readers are called.
    static func readTask(_ kind: ReadersKind) -> String { "\(kind.name), reads" }

    /// What the figures of the writer beside them are called.
    static func commitTask(_ kind: ReadersKind) -> String { "\(kind.name), commits" }

    private static func figure(
        _ task: String, _ engine: String, _ samples: Samples, toAlone alone: Double
    ) -> Figure {
        Figure(
            task: task, engine: engine, unit: Figure.rateUnit, samples: samples.values,
            median: samples.median, least: samples.least, greatest: samples.greatest,
            ratios: ["alone": samples.median / alone], checksum: nil)
    }

    /// What the child does: reads from when its parent says so until it says something again.
    public static func runChild(_ name: String, _ configuration: Configuration) throws {
        guard let engine = SharedEngine.all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no processes read by \(name)")
        }
        try ReadersTrial.runChild(engine, configuration)
    }
}

/// How many read, and where.
struct ReadersKind {
    let count: Int
    let isThreads: Bool

    static let none = ReadersKind(count: 0, isThreads: true)
    /// How many readers there are at a time.
    static let counts = [0, 1, 2, 4]

    /// In the order of the table.
    static func all(_ isSmoke: Bool) -> [ReadersKind] {
        [true, false].flatMap { isThreads in
            (isSmoke ? [2] : counts.filter { $0 > 0 }).map {
                ReadersKind(count: $0, isThreads: isThreads)
            }
        }
    }

    var name: String {
        count == 0 ? "none" : "\(count) \(isThreads ? "thread" : "process")\(ending)"
    }

    private var ending: String { count == 1 ? "" : isThreads ? "s" : "es" }
}
