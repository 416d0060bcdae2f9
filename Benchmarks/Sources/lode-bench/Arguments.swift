// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation
import Workloads

/// The command line.
struct Arguments {
    static let usage = """
        usage: lode-bench [--smoke] [--objects N] [--runs R] [--workload NAME] [--directory PATH]

          --smoke           few books: checks that the engines agree; figures mean nothing
          --objects N       books of each engine (1000000)
          --runs R          measurements, of which the median counts (3)
          --workload NAME   one of \(Workloads.all.map { $0.name }.joined(separator: ", "))
          --engine NAME     one of \(Engines.all.map { $0.name }.joined(separator: ", ")) alone
          --directory PATH  where files are made (the system's temporary directory)
        """

    var configuration = Configuration()
    var workload: String?
    var wantsHelp = false
    /// The task of a process that this program started.
    var child: String?
    var path = ""
    var commitSize = Configuration.commitSize

    init(_ words: [String]) throws {
        if words.contains("--smoke") { configuration = .smoke }
        var words = words[...]
        while let name = words.popFirst() {
            switch name {
            case "--smoke": break
            case "--help", "-h": wantsHelp = true
            case "--objects": configuration.objectCount = try Self.number(name, &words)
            case "--runs": configuration.runCount = try Self.number(name, &words)
            case "--workload": workload = try Self.value(name, &words)
            case "--directory":
                configuration.directory = URL(fileURLWithPath: try Self.value(name, &words))
            case "--child": child = try Self.value(name, &words)
            case "--engine":
                configuration.engines = [try Engines.named(Self.value(name, &words))]
            case "--path": path = try Self.value(name, &words)
            case "--commit-size": commitSize = try Self.number(name, &words)
            default: throw BenchmarkError("\(name) is no option\n" + Self.usage)
            }
        }
    }

    private static func value(_ name: String, _ words: inout ArraySlice<String>) throws -> String {
        guard let value = words.popFirst() else {
            throw BenchmarkError("\(name) needs a value\n" + usage)
        }
        return value
    }

    private static func number(_ name: String, _ words: inout ArraySlice<String>) throws -> Int {
        let text = try value(name, &words)
        guard let number = Int(text), number > 0 else {
            throw BenchmarkError("\(name) takes a number above 0, not \(text)")
        }
        return number
    }
}
