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

    /// Compares what was measured of it.
    static func verdicts(_ comparisons: [Comparison]) -> [Verdict] {
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
