// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The ratios of the full library as bars.
public enum LibraryChart {
    /// Draws what was measured.
    ///
    /// - Parameters:
    ///   - figures: The figures of the workload of the library.
    ///   - note: A line below: the machine and the sizes.
    public static func make(_ figures: [Figure], note: String) -> BarChart {
        let rates = figures.filter { $0.unit != Figure.bytesUnit }
        var tasks: [String] = []
        for figure in rates where !tasks.contains(figure.task) { tasks.append(figure.task) }
        let series = LibraryEngines.charted.filter { name in rates.contains { $0.engine == name } }
        func ratio(_ task: String, _ engine: String, _ base: String) -> Double? {
            rates.first { $0.task == task && $0.engine == engine }?.ratios[base]
        }
        func groups(_ base: String, _ isIncluded: (String) -> Bool) -> [(String, [BarChart.Bar])] {
            tasks.filter(isIncluded).map { task in
                let bars = series.compactMap { name -> BarChart.Bar? in
                    // Where a commit has to be durable, the peer has no figure.
                    let durable = name == LibraryEngines.peer ? LibraryEngines.durablePeer : name
                    return (ratio(task, name, base) ?? ratio(task, durable, base))
                        .map { BarChart.Bar(name, $0) }
                }
                return (task, bars)
            }
        }
        func hasLimit(_ task: String) -> Bool {
            rates.contains { $0.task == task && $0.engine == LibraryEngines.limit }
        }
        return BarChart(
            series: series,
            sections: [
                .init(
                    "rate, \(LibraryEngines.limit) = 1 (one book a durable commit: "
                        + "\(LibraryEngines.durablePeer))",
                    groups(LibraryEngines.limit, hasLimit)),
                .init(
                    "rate, \(LibraryEngines.peer) = 1",
                    groups(LibraryEngines.peer) { !hasLimit($0) }
                        .map { ($0, $1.filter { $0.series != LibraryEngines.peer }) }),
            ], note: note)
    }
}
