// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Value components of a world in a file, beside plain arrays.
public enum WorldsWorkload: Workload {
    /// The name.
    public static let name = "worlds"
    /// The summary.
    public static let summary =
        "game objects with value components, in a file, beside arrays of structures in memory, "
        + "whose bytes pwrite and fsync save; the arrays have room for all bodies from the start, "
        + "and know by a list which ones have the third component"
    /// What a tick may take, in the time of the loop over arrays.
    private static let greatestRatio = 1.25
    private static let engines: [any BodyEngine.Type] = [PlainBodies.self, LodeBodies.self]

    /// Takes all steps in each run, step by step in turn.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let input = BodyInput(count: configuration.objectCount, seed: Configuration.orderSeed)
        var samples: [BodyStep: [Samples]] = [:]
        for _ in 0..<configuration.runCount {
            let paths = engines.map { _ in stores.folder.makePath() }
            var bodies: [any BodyEngine] = []
            for (type, path) in zip(engines, paths) {
                bodies.append(try type.init(path: path, input: input))
            }
            for step in BodyStep.allCases {
                for (index, engine) in bodies.enumerated() {
                    let seconds = try engine.run(step)
                    let none = engines.map { _ in Samples() }
                    samples[step, default: none][index].add(seconds)
                }
            }
            try requireAgreement(bodies)
            for engine in bodies { try engine.close() }
            for path in paths { stores.folder.remove(path) }
        }
        return report(samples)
    }

    private static func requireAgreement(_ bodies: [any BodyEngine]) throws {
        let sums = try bodies.map { try $0.checksum() }
        guard Set(sums).count == 1 else {
            throw BenchmarkError(
                "\(name): the engines disagree (\(sums)); the figures are void, find the wrong one")
        }
    }

    private static func report(_ samples: [BodyStep: [Samples]]) -> Report {
        var report = Report(table: Table(["step", "Lode", "arrays", "Lode / arrays"]))
        for step in BodyStep.allCases {
            let all = samples[step, default: []]
            let medians = all.map(\.median)
            let format = step.isWhole ? Figures.milliseconds : Figures.nanoseconds
            let ratio = medians[1] / medians[0]
            report.table.add([
                step.rawValue, all[1].text(format), all[0].text(format), Figures.ratio(ratio),
            ])
            for (name, samples) in zip(["arrays", LibraryEngines.subject], all) {
                report.keep(step.rawValue, samples, by: name)
            }
            if step == .move || step == .moveOpened {
                report.verdicts.append(
                    .below(
                        greatestRatio, "\(step.rawValue), Lode / arrays", ratio,
                        format: Figures.ratio))
            }
        }
        return report
    }
}
