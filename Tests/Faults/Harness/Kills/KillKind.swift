// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Kills processes at any moment of their work, and looks at what they leave.
///
/// A step is a folder in which a process is killed four times, each time going on where the one
/// before was killed.
struct KillKind: FaultKind {
    static let killsPerStep = 4

    let name = "kills"

    func steps(for count: Int) -> Int { (count + Self.killsPerStep - 1) / Self.killsPerStep }

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for step in steps {
            do { try run(step, plan, &counts) } catch {
                let scenario = KillScenarios.all[step % KillScenarios.all.count].name
                throw FailedStep(step: step, text: "\(scenario): \(error)")
            }
        }
        return counts
    }

    private func run(_ step: Int, _ plan: FaultPlan, _ counts: inout [String: Int]) throws {
        var random = FaultRandom(plan.seed, name, step)
        let scenario = KillScenarios.all[step % KillScenarios.all.count]
        let folder = try plan.makeFolder(name, step)
        let place = WorkPlace(folder: folder, seed: random.next() >> 1)
        var done = 0
        for _ in 0..<Self.killsPerStep {
            let fault = random.chance(2) ? nil : Self.fault(&random)
            let delay = random.below(random.pick([2_000, 20_000, 60_000]))
            let acknowledged = try kill(
                scenario, place, from: done, fault, after: delay, plan)
            let found = try scenario.check(place, from: done, acknowledged: acknowledged)
            counts["kills", default: 0] += 1
            counts["of \(scenario.name)", default: 0] += 1
            counts["acknowledged", default: 0] += acknowledged - done
            done = found
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A call of the process at which it is killed.
    private static func fault(_ random: inout FaultRandom) -> Fault {
        Fault(
            call: random.pick([.write, .write, .write, .sync, .truncate, .open, .name, .lock]),
            action: random.pick([.killBefore, .killAfter]), error: 0,
            number: UInt64(1 + random.below(random.pick([6, 60]))))
    }

    /// Starts a process and kills it, or has it killed at a call.
    ///
    /// - Returns: The last step that it has acknowledged.
    private func kill(
        _ scenario: any KillScenario, _ place: WorkPlace, from: Int, _ fault: Fault?,
        after delay: Int, _ plan: FaultPlan
    ) throws -> Int {
        var arguments = [
            "child", "kill", scenario.name, "--folder", place.folder, "--seed", "\(place.seed)",
            "--from", "\(from)",
        ]
        if let fault { arguments += ["--fault", fault.text] }
        if plan.isSabotaged { arguments.append("--sabotage") }
        let child = try Child(plan.program, arguments)
        var acknowledged = from
        func read(_ line: String) -> Bool {
            guard line.hasPrefix("ack "), let step = Int(line.dropFirst(4)) else {
                return line == "ready"
            }
            acknowledged = step
            return true
        }
        // A process that is to be killed at a call may never make so many calls of that kind.
        var end = Clock.now + (fault == nil ? 60_000_000 : 700_000)
        while let line = child.line(within: max(0, end - Clock.now) / 1_000) {
            if line == "ready", fault == nil { end = Clock.now + delay }
            if !read(line) { child.note(line) }
        }
        child.kill()
        let ending = child.finish(within: 60, read)
        guard ending == .signal(SIGKILL) else {
            throw Violation("the process ended by itself with \(ending): \(child.complaint)")
        }
        return acknowledged
    }
}

/// The process that is killed.
struct KillChild {
    private let scenario: any KillScenario
    private let place: WorkPlace
    private let from: Int
    private let isSabotaged: Bool

    init(_ options: FaultArguments, _ interposer: Interposer) throws {
        guard let scenario = KillScenarios.named(options.words.last ?? "") else {
            throw Violation("there is no such scenario")
        }
        self.scenario = scenario
        place = WorkPlace(folder: options.folder, seed: options.seed)
        from = options.number("from") ?? 0
        isSabotaged = options.has("sabotage")
        interposer.watch(place.folder)
        if let fault = options.text("fault").flatMap({ Fault($0) }) { interposer.arm(fault) }
    }

    func run() throws {
        say("ready")
        // Acknowledges a step before it is done, which a kill in between shows.
        if isSabotaged { say("ack \(from + 1)") }
        try scenario.work(place, from: from) { step in
            say("ack \(isSabotaged ? step + 1 : step)")
        }
        throw Violation("the work came to an end")
    }
}
