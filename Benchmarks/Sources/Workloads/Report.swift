// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// What a workload found.
public struct Report: Sendable {
    /// The table.
    public var table: Table
    /// How figures compare with the targets.
    public var verdicts: [Verdict] = []
    /// What could not be measured here, and why.
    public var omissions: [String] = []
    /// Each measurement.
    public var figures: [Figure] = []

    /// A report of a table alone.
    init(table: Table) { self.table = table }

    /// Keeps measurements without ratios to other engines.
    ///
    /// - Parameter unit: What the samples are.
    mutating func keep(
        _ task: String, _ samples: Samples, by engine: String = LibraryEngines.subject,
        unit: String = Figure.secondsUnit
    ) {
        figures.append(
            Figure(
                task: task, engine: engine, unit: unit, samples: samples.values,
                median: samples.median, least: samples.least, greatest: samples.greatest,
                ratios: [:], checksum: nil))
    }

    /// Makes a table of seconds as rates, with the ratios of Lode to the others.
    static func rates(_ results: [EngineResult], objectCount: Int) -> Report {
        var table = Table(["engine", "median", "least", "greatest", "Lode / it", "checksum"])
        let count = Double(objectCount)
        let lode = results.first { $0.name == "Lode" }?.samples.median ?? .nan
        for result in results {
            let samples = result.samples
            table.add([
                result.name, Figures.rate(count / samples.median),
                Figures.rate(count / samples.greatest), Figures.rate(count / samples.least),
                Figures.ratio(samples.median / lode), result.checksum.description,
            ])
        }
        return Report(table: table)
    }
}

/// The measurements of one engine.
struct EngineResult {
    let name: String
    var samples = Samples()
    var checksum = Checksum()
}

extension [EngineResult] {
    /// The median of an engine, in seconds.
    func median(_ name: String) -> Double { first { $0.name == name }?.samples.median ?? .nan }

    /// Throws when checksums differ.
    func requireAgreement(_ workload: String) throws {
        guard Set(map(\.checksum.value)).count > 1 else { return }
        let sums = map { "\($0.name) \($0.checksum)" }.joined(separator: ", ")
        throw BenchmarkError(
            "\(workload): the engines disagree (\(sums)); the figures are void, find the wrong one")
    }
}
