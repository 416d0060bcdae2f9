// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation
import Workloads

/// The command line.
struct Arguments {
    static let usage = """
        usage: lode-bench [--smoke] [--objects N] [--runs R] [--workload NAME] [--json FILE]

          --smoke           few books: checks that the engines agree; figures mean nothing
          --objects N       books of each engine (1000000)
          --runs R          measurements, of which the median counts (3)
          --workload NAME   one of \(Workloads.all.map { $0.name }.joined(separator: ", "))
          --task NAME       one task of library, memory, plain or open:
                            \(Workloads.tasks.joined(separator: ", "))
          --engine NAME     these engines alone, one for each time it is given, of the library
                            \(LibraryEngines.all.map { $0.name }.joined(separator: "; "));
                            of plain books
                            \(Engines.all.map { $0.name }.joined(separator: "; "))
          --write           with --workload counts: keeps what is counted
          --json FILE       writes all tables, and each measurement of engines
          --chart FILE      writes the ratios of the library as an SVG
          --curves FILE     writes the rates of scaling as an SVG
          --readers FILE    writes the rates of readers and of the writer beside them as an SVG
          --directory PATH  where files are made (the system's temporary directory)
        """

    var configuration = Configuration()
    var workload: String?
    var wantsHelp = false
    /// The files to write.
    var json: String?
    var chart: String?
    var curves: String?
    var readers: String?
    /// The task of a process that this program started.
    var child: String?

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
            case "--task": configuration.tasks = [try Self.task(name, &words)]
            case "--directory":
                configuration.directory = URL(fileURLWithPath: try Self.value(name, &words))
            case "--write": configuration.writesCounts = true
            case "--json": json = try Self.value(name, &words)
            case "--chart": chart = try Self.value(name, &words)
            case "--curves": curves = try Self.value(name, &words)
            case "--readers": readers = try Self.value(name, &words)
            case "--child": child = try Self.value(name, &words)
            case "--engine": try select(Self.value(name, &words))
            case "--round": configuration.round = try Self.number(name, &words, least: 0)
            case "--seed": configuration.seed = try Self.number(name, &words, least: 0)
            case "--path": configuration.path = try Self.value(name, &words)
            default: throw BenchmarkError("\(name) is no option\n" + Self.usage)
            }
        }
    }

    /// Keeps the engines of a name, and of the names before it.
    private mutating func select(_ engine: String) throws {
        configuration.names.append(engine)
        let given = configuration.names
        configuration.engines = Engines.all.filter { given.contains($0.name) }
        configuration.libraryEngines = LibraryEngines.all.filter { given.contains($0.name) }
        let names = Engines.all.map { $0.name } + LibraryEngines.all.map { $0.name }
        guard !names.contains(engine) else { return }
        throw BenchmarkError("there is no engine \(engine)\n" + Self.usage)
    }

    private static func value(_ name: String, _ words: inout ArraySlice<String>) throws -> String {
        guard let value = words.popFirst() else {
            throw BenchmarkError("\(name) needs a value\n" + usage)
        }
        return value
    }

    private static func task(_ name: String, _ words: inout ArraySlice<String>) throws -> String {
        let task = try value(name, &words)
        guard Workloads.tasks.contains(task) else {
            throw BenchmarkError("there is no task \(task)\n" + usage)
        }
        return task
    }

    private static func number(
        _ name: String, _ words: inout ArraySlice<String>, least: Int = 1
    ) throws -> Int {
        let text = try value(name, &words)
        guard let number = Int(text), number >= least else {
            throw BenchmarkError("\(name) takes a number, at least \(least), not \(text)")
        }
        return number
    }
}
