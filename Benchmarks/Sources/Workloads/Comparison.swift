// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// What several engines needed for one task.
struct Comparison {
    let task: String
    let unit: Unit
    let results: [EngineResult]

    /// What a sample is.
    enum Unit {
        /// The seconds that a number of results took.
        case seconds(Int)
        /// A size.
        case bytes
    }

    /// The samples as they are shown: rates, or sizes.
    private func shown(_ samples: Samples) -> Samples {
        guard case .seconds(let count) = unit else { return samples }
        var shown = Samples()
        for value in samples.values { shown.add(Double(count) / value) }
        return shown
    }

    /// The median of an engine, as it is shown; nil if it was not measured.
    func median(_ engine: String) -> Double? {
        results.first { $0.name == engine }.map { shown($0.samples).median }
    }

    /// The figures of all engines, with the ratios to some of them.
    func figures(bases: [String]) -> [Figure] {
        results.map { result in
            let samples = shown(result.samples)
            var ratios: [String: Double] = [:]
            for base in bases {
                if let value = median(base) { ratios[base] = samples.median / value }
            }
            let isRate = if case .seconds = unit { true } else { false }
            return Figure(
                task: task, engine: result.name, unit: isRate ? Figure.rateUnit : Figure.bytesUnit,
                samples: samples.values, median: samples.median, least: samples.least,
                greatest: samples.greatest, ratios: ratios,
                checksum: isRate ? result.checksum.description : nil)
        }
    }
}

/// What one engine reached in one task.
public struct Figure: Sendable, Encodable {
    /// The task.
    public let task: String
    /// The engine.
    public let engine: String
    /// What the values are: `per second`, `seconds`, `bytes` or `count`.
    public let unit: String
    static let rateUnit = "per second"
    static let secondsUnit = "seconds"
    static let bytesUnit = "bytes"
    static let countUnit = "count"

    /// The values of all runs.
    public let samples: [Double]
    /// The middle value.
    public let median: Double
    /// The smallest value.
    public let least: Double
    /// The largest value.
    public let greatest: Double
    /// The median in those of other engines, by their names, or in that of the engine when `alone`;
    /// empty where nothing is compared.
    public let ratios: [String: Double]
    /// What all engines agree on; nil where nothing is.
    public let checksum: String?

    /// The figure of a task under another name.
    func named(_ task: String) -> Figure {
        Figure(
            task: task, engine: engine, unit: unit, samples: samples, median: median, least: least,
            greatest: greatest, ratios: ratios, checksum: checksum)
    }

    /// The median, and in brackets the smallest and the largest value.
    var spread: String { "\(text(median)) (\(text(least)) to \(text(greatest)))" }

    /// A value of the figure's unit, as text.
    func text(_ value: Double) -> String {
        unit == Self.bytesUnit ? Figures.megabytes(value) : Figures.rate(value)
    }
}

extension Report {
    /// A table of tasks and engines, with the ratios to some of the engines.
    init(_ comparisons: [Comparison], bases: [String]) {
        table = Table(["task", "engine", "median", "least", "greatest"] + bases.map { "to " + $0 })
        for comparison in comparisons {
            let added = comparison.figures(bases: bases)
            for (index, figure) in added.enumerated() {
                table.add(
                    [
                        index == 0 ? figure.task : "", figure.engine, figure.text(figure.median),
                        figure.text(figure.least), figure.text(figure.greatest),
                    ] + bases.map { figure.ratios[$0].map(Figures.ratio) ?? "" })
            }
            figures += added
        }
    }
}
