// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// What is to be reached with the full library, in ratios to raw LMDB of the same run.
enum LibraryTargets {
    private static let leastRatios: [(task: String, ratio: Double)] = [
        (LibraryImport.steps.rawValue, 1.3),
        (LibraryTask.read.rawValue, 0.9),
        (LibraryTask.range.rawValue, 1.5),
        (LibraryTask.traverse.rawValue, 1.5),
        (LibraryTask.commit.rawValue, 0.95),
        (LibraryTask.commitOnThreads.rawValue, 3),
        (LibraryTask.update.rawValue, 1.3),
        (LibraryTask.delete.rawValue, 1.3),
    ]

    /// What is to be reached in books a second, on the machine that the targets were set on.
    private static let leastRates: [(task: String, engine: String, rate: Double)] = [
        (LibraryImport.whole.rawValue, LibraryEngines.subject, 500_000),
        (LibraryImport.whole.rawValue, LibraryEngines.batchSubject, 900_000),
        (LibraryTask.all.rawValue, LibraryEngines.subject, 12_000_000),
    ]
    private static let greatestSize = 1.1

    /// Compares what was measured of it.
    static func verdicts(_ comparisons: [Comparison]) -> [Verdict] {
        ratios(comparisons) + rates(comparisons) + sizes(comparisons)
    }

    private static func rates(_ comparisons: [Comparison]) -> [Verdict] {
        leastRates.compactMap { task, engine, rate in
            comparisons.first { $0.task == task }?.median(engine).map {
                .atLeast(rate, "\(task), \(engine), books a second", $0, format: Figures.rate)
            }
        }
    }

    private static func sizes(_ comparisons: [Comparison]) -> [Verdict] {
        guard let sizes = comparisons.first(where: { $0.task == LibraryWorkload.sizeTask(.steps) }),
            let subject = sizes.median(LibraryEngines.subject),
            let limit = sizes.median(LibraryEngines.limit)
        else { return [] }
        let name = "\(sizes.task), \(LibraryEngines.subject) / \(LibraryEngines.limit)"
        return [.below(greatestSize, name, subject / limit, format: Figures.ratio)]
    }

    private static func ratios(_ comparisons: [Comparison]) -> [Verdict] {
        leastRatios.compactMap { task, ratio in
            guard let comparison = comparisons.first(where: { $0.task == task }),
                let subject = comparison.median(LibraryEngines.subject),
                let limit = comparison.median(LibraryEngines.limit)
            else { return nil }
            return .atLeast(
                ratio, "\(task), \(LibraryEngines.subject) / \(LibraryEngines.limit)",
                subject / limit, format: Figures.ratio)
        }
    }
}
