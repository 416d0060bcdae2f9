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
    /// In the order in which they run.
    public static let all: [any Workload.Type] = [
        InsertWorkload.self, FetchWorkload.self, ReadByIDWorkload.self, TraverseWorkload.self,
        UpdateWorkload.self, BatchWorkload.self, ResultsWorkload.self, HistoryWorkload.self,
        StoresWorkload.self, LibraryWorkload.self, FilesWorkload.self, ComponentsWorkload.self,
        WorldsWorkload.self, MicroWorkload.self, MemoryWorkload.self, OpenWorkload.self,
    ]
}
