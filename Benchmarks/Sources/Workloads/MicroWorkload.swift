// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Single operations on managed objects, in time and allocations, and the memory of an object.
public enum MicroWorkload: Workload {
    /// The name.
    public static let name = "micro"
    /// The summary.
    public static let summary =
        "single operations on managed objects of Lode, each alone: wall time and calls of malloc"
    private static let bookCount = 100_000
    private static let getLimit = 5e-9
    /// None: what is below this is an allocation for a whole loop.
    private static let allocationLimit = 0.001
    private static let byteLimit = 120.0

    /// Measures each step in each run, then the memory of all books.
    public static func run(_ stores: FilledStores) throws -> Report {
        let count = min(bookCount, stores.configuration.objectCount)
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let shelves = try LodeShelves(path: path)
        let shelfCount = Configuration.shelfCount(for: count)
        try shelves.fill(
            stores.books.prefix(count).shelved((0..<count).map { $0 * shelfCount / count }),
            shelfCount: shelfCount)
        var seconds: [MicroStep: Samples] = [:]
        var allocations: [MicroStep: Double] = [:]
        for _ in 0..<stores.configuration.runCount {
            let steps = try shelves.measureSteps(count)
            let objects = try shelves.measureObjects(count)
            if objects[.fetchAll]?.checksum != objects[.plainObjects]?.checksum {
                throw BenchmarkError("fetched objects and plain ones have other years")
            }
            for (step, cost) in steps.merging(objects, uniquingKeysWith: { $1 }) {
                seconds[step, default: Samples()].add(cost.seconds)
                allocations[step] = cost.allocations
            }
        }
        try shelves.close()
        var report = Report(
            table: Table(["operation", "median", "least", "greatest", "allocations"]))
        for step in MicroStep.allCases {
            let samples = seconds[step, default: Samples()]
            report.table.add([
                step.rawValue, Figures.nanoseconds(samples.median),
                Figures.nanoseconds(samples.least), Figures.nanoseconds(samples.greatest),
                Figures.count(allocations[step] ?? .nan),
            ])
            report.keep(step.rawValue, samples)
        }
        report.verdicts = [
            .below(
                getLimit, "property get of a fixed-width attribute",
                seconds[.getNumber]?.median ?? .nan, format: Figures.nanoseconds),
            .below(
                allocationLimit, "allocations of a property get of a fixed-width attribute",
                allocations[.getNumber] ?? .nan, format: Figures.count),
            try memory(stores),
        ]
        return report
    }

    private static func memory(_ stores: FilledStores) throws -> Verdict {
        let engine = try LodeEngine(path: stores.path(LodeEngine.self))
        let bytes = try engine.bytesPerObject()
        try engine.close()
        return .below(
            byteLimit, "memory of a clean object beside its record", bytes, format: Figures.bytes)
    }
}
