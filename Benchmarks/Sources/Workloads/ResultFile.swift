// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// All tables of a run and each measurement, for programs that compare runs.
public struct ResultFile: Encodable {
    private struct Part: Encodable {
        let name: String
        let summary: String
        let table: [[String]]
        let figures: [Figure]
        let verdicts: [Verdict]
    }

    private struct Description: Encodable {
        let name: String
        let settings: String
    }

    private let machine: Machine.Description
    private let objectCount: Int
    private let runCount: Int
    private let libraryEngines: [Description]
    private let plainEngines: [Description]
    private let skipped = LibraryEngines.skipped
    private var workloads: [Part] = []

    /// Describes a run.
    public init(_ configuration: Configuration, _ machine: Machine.Description) {
        self.machine = machine
        objectCount = configuration.objectCount
        runCount = configuration.runCount
        libraryEngines = configuration.libraryEngines.map {
            Description(name: $0.name, settings: $0.settings)
        }
        plainEngines = configuration.engines.map {
            Description(name: $0.name, settings: $0.settings)
        }
    }

    /// Adds what a workload found.
    public mutating func add(_ workload: any Workload.Type, _ report: Report) {
        workloads.append(
            Part(
                name: workload.name, summary: workload.summary, table: report.table.rows,
                figures: report.figures, verdicts: report.verdicts))
    }

    /// Writes the file.
    public func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}
