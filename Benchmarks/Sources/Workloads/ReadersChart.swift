// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Rates of readers and of the writer beside them, as curves over the number of readers.
public enum ReadersChart {
    /// Draws what was measured.
    ///
    /// - Parameters:
    ///   - figures: The figures of the workload of readers.
    ///   - note: A line below: the machine and the sizes.
    public static func make(_ figures: [Figure], note: String) -> LineChart {
        let kinds = [ReadersKind.none] + ReadersKind.all(false)
        let steps = ReadersKind.counts
        let peers = LibraryEngines.charted.dropFirst()
        let series = ([LibraryEngines.subject, LibraryEngines.limit] + peers).filter { name in
            figures.contains { $0.engine == name }
        }
        func panel(_ title: String, _ isThreads: Bool, _ task: (ReadersKind) -> String)
            -> LineChart.Panel
        {
            let lines = series.map { engine in
                let values = steps.map { count in
                    let kind = kinds.first {
                        $0.count == count && ($0.isThreads == isThreads || count == 0)
                    }
                    return figures.first { $0.engine == engine && $0.task == kind.map(task) }?
                        .median ?? .nan
                }
                return LineChart.Line(engine, values)
            }
            return LineChart.Panel(title, lines)
        }
        return LineChart(
            series: series, steps: steps.map { "\($0)" },
            panels: [
                panel("books read, by threads", true, ReadersWorkload.readTask),
                panel("commits beside threads", true, ReadersWorkload.commitTask),
                panel("books read, by processes", false, ReadersWorkload.readTask),
                panel("commits beside processes", false, ReadersWorkload.commitTask),
            ], note: note)
    }
}
