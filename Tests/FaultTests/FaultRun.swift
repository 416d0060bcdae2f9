// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

/// Runs of the command `lode-faults`, which lies beside the tests.
struct FaultRun {
    let status: Int32
    let output: String

    /// The number that the output gives for a word of a kind.
    func count(_ word: String) -> Int {
        let parts = output.split { ",:\n".contains($0) }.map {
            $0.trimmingCharacters(in: .whitespaces).split(separator: " ", maxSplits: 1)
        }
        let found = parts.first { $0.count == 2 && Int($0[0]) != nil && $0[1] == word }
        return found.flatMap { Int($0[0]) } ?? 0
    }

    init(_ arguments: String...) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appendingPathComponent("lode-faults")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readAll()
        process.waitUntilExit()
        status = process.terminationStatus
        output = String(decoding: data, as: UTF8.self)
        // Faults that are made on purpose would only alarm a reader of the log.
        if !arguments.contains("--sabotage") { print(output) }
    }
}
