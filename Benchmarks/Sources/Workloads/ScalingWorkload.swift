// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// How rates change with the size of the full library.
public enum ScalingWorkload: Workload {
    /// The name.
    public static let name = "scaling"
    /// The summary.
    public static let summary =
        "medians of the full library (least to greatest) with ten times as many books from column "
        + "to column, up to --objects"
    private static let engines: Set = [
        LibraryEngines.limit, LibraryEngines.peer, LibraryEngines.subject,
    ]
    private static let tasks: Set = [
        "\(LibraryImport.steps)", "\(LibraryTask.read)", "\(LibraryTask.range)",
        "\(LibraryTask.traverse)", "\(LibraryTask.keptUnique)", "\(LibraryTask.update)",
    ]

    /// Runs the workload of the library for each size.
    public static func run(_ stores: FilledStores) throws -> Report {
        let counts = sizes(upTo: stores.configuration.objectCount)
        var report = Report(table: Table(["task", "engine"] + counts.map { "\($0) books" }))
        var columns: [[Figure]] = []
        for count in counts {
            var configuration = stores.configuration
            configuration.objectCount = count
            configuration.libraryEngines.removeAll { !engines.contains($0.name) }
            configuration.tasks = configuration.tasks.map { $0.intersection(tasks) } ?? tasks
            columns.append(try LibraryWorkload.run(FilledStores(configuration)).figures)
        }
        for (row, figure) in columns[0].enumerated() {
            report.table.add(
                [figure.task, figure.engine] + columns.map { $0[row].spread })
        }
        report.figures = zip(counts, columns).flatMap { count, figures in
            figures.map { $0.named($0.task + suffix(count)) }
        }
        return report
    }

    /// Draws what was measured.
    ///
    /// - Parameter note: A line below: the machine.
    public static func chart(
        _ report: Report, _ configuration: Configuration, note: String
    ) -> LineChart {
        let counts = sizes(upTo: configuration.objectCount)
        let rates = report.figures.filter { $0.unit != Figure.bytesUnit }
        var tasks: [String] = []
        for figure in rates where figure.task.hasSuffix(suffix(counts[0])) {
            let task = String(figure.task.dropLast(suffix(counts[0]).count))
            if !tasks.contains(task) { tasks.append(task) }
        }
        let series = [LibraryEngines.subject, LibraryEngines.limit, LibraryEngines.peer]
        return LineChart(
            series: series,
            steps: counts.map {
                $0 >= 1_000_000 ? "\($0 / 1_000_000) M" : "\($0 / 1_000) k"
            },
            panels: tasks.map { task in
                let lines = series.map { engine in
                    let values = counts.map { count in
                        rates.first { $0.engine == engine && $0.task == task + suffix(count) }?
                            .median ?? .nan
                    }
                    return LineChart.Line(engine, values)
                }
                return LineChart.Panel(task, lines)
            }, note: note)
    }

    /// How the name of a task ends that was done with a number of books.
    private static func suffix(_ count: Int) -> String { ", \(count) books" }

    /// Powers of ten; the last is as large as the run, or the largest below it.
    private static func sizes(upTo count: Int) -> [Int] {
        var sizes = [min(count, 10_000)]
        while let last = sizes.last, last * 10 <= count { sizes.append(last * 10) }
        return sizes
    }
}
