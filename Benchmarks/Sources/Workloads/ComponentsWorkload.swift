// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Game objects and their components; Lode alone, as the other engines have none.
public enum ComponentsWorkload: Workload {
    /// The name.
    public static let name = "components"
    /// The summary.
    public static let summary =
        "three components on each new game object, their IDs obtained one by one, and a save; and "
        + "what a question costs without unsaved objects and with many of them"
    private static let counts = [1_000, 10_000, 100_000, 1_000_000]
    /// What each question may take, however many objects are unsaved.
    private static let limit = 50e-6
    /// What a new component with its data may take together with its share of the save, and what
    /// some of the questions may.
    private static let goals = (component: 3e-6, components: 0.8e-6, data: 0.8e-6, all: 0.3e-6)
    /// How many times as long a component may take with the most objects as with the fewest.
    private static let flatness = 1.25

    /// Measures both for more and more objects, as far as `--objects` goes.
    public static func run(_ stores: FilledStores) throws -> Report {
        let configuration = stores.configuration
        let counts = configuration.isSmoke ? [100, 700] : counts
        var report = Report(table: Table(["operation", "objects", "median", "least", "greatest"]))
        var wholes: [(count: Int, samples: Samples)] = []
        for count in counts where count <= max(configuration.objectCount, counts[0]) {
            try touchMemory(count, stores)
            var giving = Samples()
            var saving = Samples()
            var givingInBulk = Samples()
            var whole = Samples()
            var removing = Samples()
            var questions: [GameStep: Samples] = [:]
            // Before all else: neither the file nor the heap of another game is in the way.
            for _ in 0..<configuration.runCount {
                let all = try makeInBulk(count, stores)
                givingInBulk.add(all.giving / Double(count))
                whole.add((all.giving + all.saving) / Double(3 * count))
            }
            for _ in 0..<configuration.runCount {
                let path = stores.folder.makePath()
                defer { stores.folder.remove(path) }
                let game = try LodeGame(path: path)
                let seconds = try game.make(count)
                giving.add(seconds.giving / Double(count))
                saving.add(seconds.saving / Double(count))
                for (step, seconds) in try game.ask(unsaved: count) {
                    questions[step, default: Samples()].add(seconds)
                }
                removing.add(try game.removeAll())
                try game.close()
            }
            wholes.append((count, whole))
            add("an object with three components", count, giving, &report)
            add("the same by addComponents(with:)", count, givingInBulk, &report)
            add("its share of the save", count, saving, &report)
            add("a component, addComponents(with:) and save", count, whole, &report)
            add("removeComponent(with:) of a saved one, and save", count, removing, &report)
            judge(count, whole, questions, &report)
            for step in GameStep.allCases {
                let samples = questions[step, default: Samples()]
                add(step.rawValue, count, samples, &report)
                report.verdicts.append(
                    .below(
                        limit, "\(step.rawValue) with \(count) objects unsaved", samples.median,
                        format: Figures.microseconds))
            }
        }
        judgeFlatness(wholes, &report)
        return report
    }

    private static func makeInBulk(
        _ count: Int, _ stores: FilledStores
    ) throws -> (giving: Double, saving: Double) {
        let path = stores.folder.makePath()
        defer { stores.folder.remove(path) }
        let game = try LodeGame(path: path)
        let seconds = try game.make(count, inBulk: true)
        try game.close()
        return seconds
    }

    /// Makes and saves as many objects as will be measured.
    ///
    /// A virtual machine gets each page of memory from its host with the first touch of it, which
    /// takes longer than what is done with the page: 4,000,000 objects and the pages of their file
    /// would measure the host.
    private static func touchMemory(_ count: Int, _ stores: FilledStores) throws {
        _ = try makeInBulk(count, stores)
    }

    private static func judgeFlatness(
        _ wholes: [(count: Int, samples: Samples)], _ report: inout Report
    ) {
        guard let least = wholes.first, let most = wholes.last, least.count < most.count else {
            return
        }
        report.verdicts.append(
            .below(
                flatness, "a component of \(most.count) objects to one of \(least.count)",
                most.samples.median / least.samples.median, format: Figures.ratio))
    }

    private static func judge(
        _ count: Int, _ whole: Samples, _ questions: [GameStep: Samples], _ report: inout Report
    ) {
        let components = questions[.components, default: Samples()]
        let data = questions[.data, default: Samples()]
        let all = questions[.all, default: Samples()]
        for (name, samples, goal) in [
            ("a component of \(count) objects, made and saved", whole, goals.component),
            ("\(GameStep.components.rawValue), \(count) unsaved", components, goals.components),
            ("\(GameStep.data.rawValue), \(count) unsaved", data, goals.data),
            ("\(GameStep.all.rawValue), \(count) unsaved", all, goals.all),
        ] {
            report.verdicts.append(
                .below(goal, name, samples.median, format: Figures.microseconds))
        }
    }

    private static func add(
        _ name: String, _ count: Int, _ samples: Samples, _ report: inout Report
    ) {
        report.table.add([
            name, "\(count)", Figures.microseconds(samples.median),
            Figures.microseconds(samples.least), Figures.microseconds(samples.greatest),
        ])
        report.keep("\(name), \(count) objects", samples)
    }
}
