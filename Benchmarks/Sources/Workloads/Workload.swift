// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// One question put to all engines.
public protocol Workload: SendableMetatype {
    /// The name on the command line.
    static var name: String { get }
    /// One sentence on what is measured.
    static var summary: String { get }

    /// Measures all engines.
    ///
    /// - Throws: ``BenchmarkError`` when engines disagree on the results.
    static func run(_ stores: FilledStores) throws -> Report
}

/// All workloads.
public enum Workloads {
    /// The short names of the tasks of those that have several.
    public static let tasks =
        LibraryImport.allCases.map { "\($0)" } + [CSVImport.name]
        + LibraryTask.allCases.map { "\($0)" }
        + PlainWorkload.tasks + OpenWorkload.tasks

    /// In the order in which they run.
    public static let all: [any Workload.Type] = [
        LibraryWorkload.self, ScalingWorkload.self, ReadersWorkload.self, MemoryWorkload.self,
        PlainWorkload.self, TraverseWorkload.self,
        BatchWorkload.self, ResultsWorkload.self, HistoryWorkload.self,
        StoresWorkload.self, ComponentsWorkload.self, WorldsWorkload.self, CodedWorkload.self,
        MicroWorkload.self, OpenWorkload.self, CountsWorkload.self,
    ]
}
