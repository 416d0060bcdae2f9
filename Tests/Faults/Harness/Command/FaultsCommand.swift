// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The command `lode-faults`: looks for faults at length, or is one of its own children.
public enum FaultsCommand {
    static let usage = """
        usage: lode-faults [--seed N] [--jobs N] [--folder PATH] [--keep] [--KIND COUNT]…
               lode-faults --seed N --only KIND --from STEP --steps N
        kinds: \(kinds.map(\.name).joined(separator: ", "))
        Prints what was done by kind. Ends with 1 after a violation, each of which is printed with
        the command that repeats it.
        """

    static let kinds: [any FaultKind] = [
        KillKind(), MigrationKind(), CallKind.all, CallKind.headers, MapKind(), RaceKind(),
        StateKind(),
        BatchKind.predicates, BatchKind.csv, BatchKind.json, BatchKind.mutants,
    ]

    /// Runs the command; returns the exit status.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - program: The program's path, for its children.
    public static func run(
        _ arguments: [String], program: String, interposer: Interposer
    ) -> Int32 {
        if arguments.first == "child" {
            return ChildCommand.run(Array(arguments.dropFirst()), interposer)
        }
        let options = FaultArguments(arguments)
        let known = Set(
            kinds.map(\.name) + ["seed", "jobs", "folder", "keep", "only", "from", "steps"])
        guard options.words.isEmpty, options.names.subtracting(known + ["sabotage"]).isEmpty,
            !options.names.isEmpty
        else {
            say(usage)
            return 64
        }
        let seed = options.text("seed").flatMap { UInt64($0) } ?? UInt64.random(in: 1...9_999_999)
        let base = options.text("folder") ?? NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: base).resolvingSymlinksInPath()
            .appendingPathComponent("lode-faults-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            say("lode-faults: \(folder): \(error)")
            return 1
        }
        var plan = FaultPlan(program: program, seed: seed, folder: folder)
        plan.isSabotaged = options.has("sabotage")
        let status = run(options, plan)
        if !options.has("keep") { try? FileManager.default.removeItem(atPath: folder) }
        return status
    }

    private static func run(_ options: FaultArguments, _ plan: FaultPlan) -> Int32 {
        say("seed \(plan.seed)")
        let report = FaultReport()
        let runner = FaultRunner(plan: plan, report: report, jobs: options.number("jobs") ?? 2)
        for kind in kinds {
            let steps: Range<Int>
            if let only = options.text("only") {
                guard only == kind.name else { continue }
                let from = options.number("from") ?? 0
                steps = from..<from + (options.number("steps") ?? 1)
            } else {
                guard let count = options.number(kind.name) else { continue }
                steps = 0..<kind.steps(for: count)
            }
            let start = Clock.now
            runner.run(kind, steps)
            report.add(kind.name, ["seconds": (Clock.now - start) / 1_000_000])
        }
        say(report.summary)
        return report.violationCount == 0 ? 0 : 1
    }
}
