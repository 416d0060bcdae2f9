// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where and how steps run.
struct FaultPlan: Sendable {
    /// This program, to start children of it.
    var program: String
    var seed: UInt64
    /// The folder that steps make theirs in.
    var folder: String
    /// Breaks what is checked, to see that the check finds it.
    var isSabotaged = false

    /// Makes an empty folder for a step, without symbolic links in its path.
    func makeFolder(_ kind: String, _ step: Int) throws -> String {
        let path = "\(folder)/\(kind)-\(step)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

/// One kind of run: a sequence of steps, each of which can be repeated alone.
protocol FaultKind: Sendable {
    var name: String { get }
    /// Runs steps, and returns what was done.
    ///
    /// - Throws: Violation or any other error for what must not be; FailedStep to name the
    ///   step.
    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int]
    /// How many steps to run at a time.
    var chunk: Int { get }
    /// The step from which on a count of things begins: several may make one step.
    func steps(for count: Int) -> Int
}

extension FaultKind {
    var chunk: Int { 1 }
    func steps(for count: Int) -> Int { count }
}

/// What went wrong in one of several steps.
struct FailedStep: Error {
    let step: Int
    let text: String
}
