// SPDX-License-Identifier: Apache-2.0

import CInstructions
import Foundation

/// The instructions that parts of a program take, counted by callgrind.
///
/// The program runs again, under callgrind, and marks the parts: ``reset()`` before one and
/// ``write(_:)`` behind it. Other than times they are nearly the same in each run.
public enum Instructions {
    /// Counts from 0 again; nothing when the program does not run under callgrind.
    public static func reset() { instructions_reset() }

    /// Has callgrind write what it counted since ``reset()`` under a name.
    public static func write(_ name: String) { instructions_write(name) }

    /// Runs this program under callgrind and returns what it wrote, by name.
    ///
    /// - Parameters:
    ///   - arguments: What the program is started with.
    ///   - directory: A folder for files, which is there.
    /// - Returns: `nil` where valgrind is not installed, or was not when the program was built.
    public static func ofSelf(
        _ arguments: [String], in directory: URL
    ) throws -> [String: Double]? {
        guard instructions_are_known() == 1, let valgrind = program(["valgrind"]),
            let strip = program(["strip", "llvm-strip"])
        else { return nil }
        // Valgrind reads debug information, and gives up on Swift's.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let stripped = directory.appendingPathComponent("stripped").path
        _ = try ChildProcess.output(of: strip, ["-g", "-o", stripped, own])
        let files = directory.appendingPathComponent("callgrind")
        _ = try ChildProcess.output(
            of: valgrind,
            ["--quiet", "--tool=callgrind", "--callgrind-out-file=\(files.path)", stripped]
                + arguments,
            // Tables of hashes grow at other numbers of entries with each seed.
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
        var counts: [String: Double] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where name.hasPrefix("callgrind.") {
            let file = directory.appendingPathComponent(name)
            if let (name, count) = try read(file) { counts[name] = count }
        }
        return counts
    }

    private static func program(_ names: [String]) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The name and the count of a file; `nil` for the one of the end, which nobody named.
    private static func read(_ file: URL) throws -> (String, Double)? {
        let (trigger, total) = ("desc: Trigger: Client Request: ", "totals: ")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        guard let name = lines.first(where: { $0.hasPrefix(trigger) }) else { return nil }
        guard let count = lines.last(where: { $0.hasPrefix(total) }),
            let value = Double(count.dropFirst(total.count))
        else { throw BenchmarkError("\(file.path) has no line \(total)") }
        return (String(name.dropFirst(trigger.count)), value)
    }
}
