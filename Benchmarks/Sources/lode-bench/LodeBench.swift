// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation
import Workloads

/// Runs the workloads and prints their tables.
@main
enum LodeBench {
    static func main() {
        do {
            try run(Arguments(Array(CommandLine.arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("lode-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        if arguments.wantsHelp { return print(Arguments.usage) }
        if let child = arguments.child { return try runChild(child, arguments) }
        guard BuildMode.current == .release || arguments.configuration.isSmoke else {
            throw BenchmarkError(
                "a debug build gives no figures; use swift run -c release lode-bench, or --smoke")
        }
        let files = [arguments.json, arguments.chart, arguments.curves, arguments.readers]
            .compactMap(\.self)
        guard BuildMode.current == .release || files.isEmpty else {
            throw BenchmarkError("a debug build writes no figures; use swift run -c release")
        }
        let workloads = Workloads.all.filter { $0.name == arguments.workload ?? $0.name }
        guard !workloads.isEmpty else {
            throw BenchmarkError("there is no such workload\n" + Arguments.usage)
        }
        let configuration = arguments.configuration
        // Once, as the source tree may change while this runs.
        let machine = Machine.description(of: configuration.directory.path)
        printHead(configuration, machine)
        let stores = try FilledStores(configuration)
        var results = ResultFile(configuration, machine)
        for workload in workloads {
            let report = try workload.run(stores)
            show(report, workload, configuration)
            results.add(workload, report)
            try draw(report, workload, arguments, machine)
        }
        if let path = arguments.json { try results.write(to: path) }
    }

    private static func draw(
        _ report: Report, _ workload: any Workload.Type, _ arguments: Arguments,
        _ machine: Machine.Description
    ) throws {
        let configuration = arguments.configuration
        let note = "\(configuration.runCount) runs, \(machine)"
        if workload == LibraryWorkload.self, let path = arguments.chart {
            let chart = LibraryChart.make(
                report.figures, note: "\(configuration.objectCount) books, " + note)
            try chart.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if workload == ScalingWorkload.self, let path = arguments.curves {
            let chart = ScalingWorkload.chart(report, configuration, note: note)
            try chart.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if workload == ReadersWorkload.self, let path = arguments.readers {
            let chart = ReadersChart.make(
                report.figures, note: "\(configuration.objectCount) books, " + note)
            try chart.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    private static func printHead(
        _ configuration: Configuration, _ machine: Machine.Description
    ) {
        print(machine)
        print(
            "\(configuration.objectCount) books, medians of \(configuration.runCount) runs, "
                + "engines in turn, files in \(configuration.directory.path)")
        print("full library:")
        for engine in configuration.libraryEngines {
            print("- \(engine.name): \(engine.settings)")
        }
        for line in LibraryEngines.skipped { print("- \(line)") }
        print("plain books:")
        for engine in configuration.engines { print("- \(engine.name): \(engine.settings)") }
    }

    private static func show(
        _ report: Report, _ workload: any Workload.Type, _ configuration: Configuration
    ) {
        print("\n\(workload.name): \(workload.summary)")
        for omission in report.omissions { print(omission) }
        if configuration.isSmoke { return print("the engines agree") }
        for line in report.table.lines { print(line) }
        for verdict in report.verdicts { print(verdict) }
    }

    private static func runChild(_ name: String, _ arguments: Arguments) throws {
        let configuration = arguments.configuration
        switch name {
        case LibraryWorkload.childName:
            try LibraryWorkload.runChild(configuration.libraryEngines[0], configuration)
        case MemoryWorkload.childName:
            try MemoryWorkload.runChild(configuration.libraryEngines[0], configuration)
        case ReadersWorkload.childName:
            try ReadersWorkload.runChild(configuration.libraryEngines[0].name, configuration)
        case OpenWorkload.childName:
            try OpenWorkload.runChild(configuration)
        case CountsWorkload.childName: try CountsWorkload.runChild(path: configuration.path)
        case CountsWorkload.instructionsChildName:
            try CountsWorkload.runInstructionsChild(path: configuration.path)
        case HistoryWorkload.childName: try HistoryWorkload.runChild(path: configuration.path)
        default: throw BenchmarkError("\(name) is no task of a child")
        }
    }
}
