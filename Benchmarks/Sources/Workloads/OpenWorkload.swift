// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// From a closed file to the first value.
public enum OpenWorkload: Workload {
    /// The name.
    public static let name = "open"
    /// The summary.
    public static let summary =
        "open a filled file and read the first book; in Lode with making model and container"
    /// The name of the child's task on the command line.
    public static let childName = "open"

    private static let secondsLimit = 1e-3
    /// Opening is short, so a run has more of them than other workloads have.
    private static let opensPerRun = 7

    /// Opens the filled files, in fresh processes and again and again in this one.
    public static func run(_ stores: FilledStores) throws -> Report {
        let here = try measure(stores) { type, path in
            let (checksum, seconds, engine) = try open(type, path)
            try engine.close()
            return (checksum, seconds)
        }
        let fresh = try measure(stores) { type, path in
            let output = try ChildProcess.outputOfSelf([
                "--child", childName, "--engine", type.name, "--path", path,
            ])
            let fields = output.split(separator: " ")
            guard fields.count == 2, let sum = UInt64(fields[0]), let seconds = Double(fields[1])
            else { throw BenchmarkError("the opening process printed \(output)") }
            var checksum = Checksum(hashesText: true)
            checksum.value = sum
            return (checksum, seconds)
        }
        return report(here: here, fresh: fresh)
    }

    private static func report(here: [EngineResult], fresh: [EngineResult]) -> Report {
        var table = Table(["engine", "median", "least", "greatest", "fresh process", "checksum"])
        for (result, first) in zip(here, fresh) {
            let samples = result.samples
            table.add([
                result.name, Figures.milliseconds(samples.median),
                Figures.milliseconds(samples.least), Figures.milliseconds(samples.greatest),
                Figures.milliseconds(first.samples.median), result.checksum.description,
            ])
        }
        var report = Report(table: table)
        for (results, place) in [(here, "same process"), (fresh, "fresh process")] {
            report.verdicts.append(
                .below(
                    secondsLimit, "open to first object, \(place)",
                    results.median(LodeEngine.name), format: Figures.milliseconds))
        }
        return report
    }

    private static func measure(
        _ stores: FilledStores,
        _ once: (any Engine.Type, String) throws -> (Checksum, Double)
    ) throws -> [EngineResult] {
        let paths = try stores.configuration.engines.map { try stores.path($0) }
        var results = stores.configuration.engines.map { EngineResult(name: $0.name) }
        for _ in 0..<stores.configuration.runCount * opensPerRun {
            for (index, type) in stores.configuration.engines.enumerated() {
                let (checksum, seconds) = try once(type, paths[index])
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        try results.requireAgreement(name)
        return results
    }

    private static func open(
        _ type: any Engine.Type, _ path: String
    ) throws -> (Checksum, Double, any Engine) {
        let (opened, seconds) = try Stopwatch.time {
            let engine = try type.init(path: path)
            return (try engine.readFirst(), engine)
        }
        return (opened.0, seconds, opened.1)
    }

    /// What the child does: opens once and prints checksum and seconds.
    public static func runChild(_ type: any Engine.Type, path: String) throws {
        let (checksum, seconds, engine) = try open(type, path)
        print(checksum.value, seconds)
        try engine.close()
    }
}
