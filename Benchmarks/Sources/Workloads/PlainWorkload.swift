// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// One table of books without indexes and relationships.
public enum PlainWorkload: Workload {
    /// The name.
    public static let name = "plain"
    /// The summary.
    public static let summary =
        "books without indexes and relationships; SQLite with synchronous=FULL; to fetch counts "
        + "the release of the objects, to update only the save"

    private static let leastFetchRate = 5e6
    private static let updateSize = 10_000
    /// An update is short, so a run has more of them than of other tasks.
    private static let updatesPerRun = 7

    /// The short names of the tasks that the library does not have too.
    static let tasks = ["insert", "insertWhole", "fetch"]

    private enum Task: String, CaseIterable {
        case insert = "insert, a durable commit every 10,000"
        case insertWhole = "insert, one commit"
        case fetch = "fetch all, sum one attribute"
        case read = "read by ID at random, all attributes"
        case update = "update 10,000 at random, one commit"
    }

    /// Measures the four tasks.
    public static func run(_ stores: FilledStores) throws -> Report {
        var comparisons: [Comparison] = []
        for task in Task.allCases where stores.configuration.wants("\(task)") {
            let count = stores.configuration.objectCount
            let unit = Comparison.Unit.seconds(task == .update ? min(updateSize, count) : count)
            let results =
                switch task {
                case .insert: try insert(stores, isWhole: false)
                case .insertWhole: try insert(stores, isWhole: true)
                case .fetch: try stores.measure(task.rawValue) { try $0.sumYears() }
                case .read: try read(stores)
                case .update: try update(stores)
                }
            comparisons.append(Comparison(task: task.rawValue, unit: unit, results: results))
        }
        var report = Report(comparisons, bases: [RawLMDBEngine.name, SQLiteEngine.name])
        for (task, base) in [(Task.insert, SQLiteEngine.name), (.update, RawLMDBEngine.name)] {
            guard let comparison = comparisons.first(where: { $0.task == task.rawValue }),
                let rate = comparison.median(LodeEngine.name), let other = comparison.median(base)
            else { continue }
            report.verdicts.append(
                .atLeast(
                    1, "\(task.rawValue), Lode / \(base)", rate / other, format: Figures.ratio))
        }
        let fetch = comparisons.first { $0.task == Task.fetch.rawValue }
        if let rate = fetch?.median(LodeEngine.name) {
            report.verdicts.append(
                .atLeast(leastFetchRate, "fetch, objects a second", rate, format: Figures.rate))
        }
        return report
    }

    /// Fills a new file of each engine in each run; opening, checking and deleting are not timed.
    private static func insert(
        _ stores: FilledStores, isWhole: Bool
    ) throws -> [EngineResult] {
        _ = stores.books
        var results = stores.configuration.engines.map { EngineResult(name: $0.name) }
        for _ in 0..<stores.configuration.runCount {
            for (index, type) in stores.configuration.engines.enumerated() {
                let path = stores.folder.makePath()
                let engine = try type.init(path: path)
                let seconds = try Stopwatch.time {
                    try stores.fill(engine, isWhole: isWhole)
                }.seconds
                results[index].samples.add(seconds)
                results[index].checksum = try verify(engine, stores)
                try engine.close()
                stores.folder.remove(path)
            }
        }
        return results
    }

    /// Reads everything back, and compares it with what was inserted.
    private static func verify(_ engine: any Engine, _ stores: FilledStores) throws -> Checksum {
        try engine.prepareReads(Array(stores.books.indices))
        let found = try engine.readPrepared(hashesText: true)
        var wanted = Checksum(hashesText: true)
        for book in stores.books { wanted.add(book) }
        guard found == wanted else {
            throw BenchmarkError(
                "\(type(of: engine).name) holds other books (\(found)) than were inserted "
                    + "(\(wanted))")
        }
        return found
    }

    private static func read(_ stores: FilledStores) throws -> [EngineResult] {
        var random = SeededGenerator(seed: Configuration.orderSeed)
        let order = stores.books.indices.shuffled(using: &random)
        return try stores.measure(
            Task.read.rawValue, prepare: { try $0.prepareReads(order) },
            { try $0.readPrepared(hashesText: false) })
    }

    /// Updates the filled files; setting properties, opening and checking are not timed.
    private static func update(_ stores: FilledStores) throws -> [EngineResult] {
        let configuration = stores.configuration
        let engines = try configuration.engines.map { try $0.init(path: stores.path($0)) }
        var results = configuration.engines.map { EngineResult(name: $0.name) }
        var random = SeededGenerator(seed: Configuration.orderSeed)
        // The first round warms up: it reads what the others find in memory.
        for round in 0...configuration.runCount * updatesPerRun {
            let order = stores.books.indices.shuffled(using: &random).prefix(updateSize)
            for (index, engine) in engines.enumerated() {
                try engine.prepareUpdates(Array(order))
                let (_, seconds) = try Stopwatch.time { try engine.updatePrepared() }
                if round > 0 { results[index].samples.add(seconds) }
            }
        }
        for (index, engine) in engines.enumerated() {
            results[index].checksum = try engine.sumYears()
            try engine.close()
        }
        try results.requireAgreement(Task.update.rawValue)
        return results
    }
}
