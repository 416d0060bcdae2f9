// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Codable components of a world in a file, beside value components and a dictionary.
public enum CodedWorkload: Workload {
    /// The name.
    public static let name = "coded"
    /// The summary.
    public static let summary =
        "a text and a number for each game object, no two the same, in codable components of a "
        + "world in a file, beside the number in value components, and both in a dictionary"
    private static let greatestCount = 100_000

    /// Takes all steps in each run, place by place in turn.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let count = min(configuration.objectCount, greatestCount)
        let input = BodyInput(count: count, seed: Configuration.orderSeed)
        var samples: [LabelStep: [LabelPlace: Samples]] = [:]
        for _ in 0..<configuration.runCount {
            for place in LabelPlace.allCases {
                let path = stores.folder.makePath()
                defer { stores.folder.remove(path) }
                let bodies = try CodedBodies(path: path, place: place, input: input)
                for step in LabelStep.allCases {
                    guard let seconds = try bodies.run(step) else { continue }
                    samples[step, default: [:]][place, default: Samples()].add(seconds)
                }
                try bodies.close()
            }
        }
        var report = Report(table: Table(["step"] + LabelPlace.allCases.map(\.rawValue)))
        for step in LabelStep.allCases {
            let cells = LabelPlace.allCases.map { place in
                guard let found = samples[step]?[place] else { return "-" }
                report.keep(step.rawValue, found, by: place.rawValue)
                return found.text(Figures.nanoseconds)
            }
            report.table.add([step.rawValue] + cells)
        }
        return report
    }
}
