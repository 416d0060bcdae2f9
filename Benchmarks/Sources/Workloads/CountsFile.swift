// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// The counts that are kept beside the sources, each with the share that it may grow by.
struct CountsFile {
    /// A kept count.
    struct Entry {
        let value: Double
        /// The share of the value that machines may differ by.
        let tolerance: Double
    }

    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Counts.txt").path

    private(set) var entries: [String: Entry] = [:]
    private var lines: [String]

    /// Reads the file: a line has a name, a value and a tolerance in percent; `#` begins a comment.
    init() throws {
        lines = try String(contentsOfFile: Self.path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in lines where !line.isEmpty && !line.hasPrefix("#") {
            let fields = Self.fields(line)
            guard fields.count == 3, let value = Double(fields[1]),
                let percent = Double(fields[2].dropLast(2)), fields[2].hasSuffix(" %")
            else {
                throw BenchmarkError("\(Self.path): \(line) is not: name | value | tolerance %")
            }
            entries[fields[0]] = Entry(value: value, tolerance: percent / 100)
        }
    }

    private static func fields(_ line: String) -> [String] {
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Replaces the values, and keeps comments and tolerances.
    mutating func write(_ counts: [Counting.Count]) throws {
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let fields = Self.fields(line)
            guard let count = counts.first(where: { $0.name == fields[0] }) else {
                // Those of a machine with valgrind stay.
                if fields[0].hasSuffix(CountsWorkload.instructions) { continue }
                throw BenchmarkError("\(fields[0]) is not counted; remove it from \(Self.path)")
            }
            lines[index] = "\(fields[0]) | \(Self.text(count.value)) | \(fields[2])"
        }
        try lines.joined(separator: "\n").write(
            toFile: Self.path, atomically: true, encoding: .utf8)
    }

    static func text(_ value: Double) -> String {
        String(format: value < 100 ? "%.3f" : "%.1f", value)
    }
}
