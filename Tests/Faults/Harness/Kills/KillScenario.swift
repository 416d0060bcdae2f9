// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a scenario works.
struct WorkPlace: Sendable {
    let folder: String
    let seed: UInt64

    var path: String { folder + "/work.lode" }

    /// A durability, another one for each seed: none of them matters to a killed process.
    var durability: String { ["full", "relaxed", "none"][Int(seed % 3)] }
}

/// Something that a process does until it is killed.
protocol KillScenario: Sendable {
    var name: String { get }

    /// Works on from a step, for ever.
    ///
    /// - Parameter acknowledge: To be called when a step is done, with its number.
    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws

    /// Checks what a killed process has left.
    ///
    /// - Parameters:
    ///   - from: The step that the process began behind.
    ///   - acknowledged: The last step that it has acknowledged, or `from`.
    /// - Returns: The step that is in the files.
    /// - Throws: Violation, and what opening and reading throw.
    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int
}

/// All of them.
enum KillScenarios {
    static let all: [any KillScenario] = [
        SaveScenario(), BatchScenario(), CatalogScenario(), HistoryScenario(), ImportScenario(),
        CopyScenario(),
    ]

    static func named(_ name: String) -> (any KillScenario)? { all.first { $0.name == name } }
}
