// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode
import Synchronization

/// Several threads and processes change the same objects, each with its merge policy; one of the
/// processes may be killed.
struct RaceKind: FaultKind {
    let name = "races"

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for step in steps {
            do { try run(step, plan, &counts) } catch {
                throw FailedStep(step: step, text: "\(error)")
            }
        }
        return counts
    }

    private func run(_ step: Int, _ plan: FaultPlan, _ counts: inout [String: Int]) throws {
        var random = FaultRandom(plan.seed, name, step)
        let folder = try plan.makeFolder(name, step)
        let path = folder + "/race.lode"
        try WorkStore.with(path, model: RaceModel.make()) { try RaceModel.fill($0) }
        let processes = 1 + random.below(4)
        let threads = processes == 1 ? 2 + random.below(7) : 1 + random.below(8 / processes)
        let killed = processes > 1 && random.chance(3) ? random.below(processes) : -1
        let tally = try race(
            folder, processes, threads, killed: killed, after: random.below(60_000),
            seed: random.next() >> 1, plan)
        try NSPersistentStore.verify(at: URL(fileURLWithPath: path))
        try WorkStore.with(path, model: RaceModel.make()) { store in
            try tally.check(try RaceTally.sums(in: store))
            let sum = try store.context.performAndWait { try RaceWorker.sum(store) }
            guard sum == Int(RaceModel.balance) * RaceModel.accounts else {
                throw Violation("the balances are \(sum) in sum")
            }
        }
        counts["races", default: 0] += 1
        counts["acknowledged", default: 0] += tally.acknowledged
        counts["conflicts", default: 0] += tally.dropped
        counts["killed", default: 0] += killed < 0 ? 0 : 1
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the processes at the same time, and reads what they say.
    private func race(
        _ folder: String, _ processes: Int, _ threads: Int, killed: Int, after delay: Int,
        seed: UInt64, _ plan: FaultPlan
    ) throws -> RaceTally {
        let result = RaceResult()
        let children = try (0..<processes).map { process in
            var arguments = [
                "child", "race", "--folder", folder, "--seed", "\(seed)", "--process",
                "\(process)", "--threads", "\(threads)", "--steps", "40",
            ]
            if plan.isSabotaged { arguments.append("--sabotage") }
            return try Child(plan.program, arguments)
        }
        let running = Running(children)
        onThreads(processes + 1) { place in
            guard place < processes else {
                guard killed >= 0 else { return }
                usleep(UInt32(delay + 20_000))
                running.children[killed].kill()
                return
            }
            let child = running.children[place]
            let ending = child.finish(within: 300) { line in
                result.tally.withLock { $0.read(line) }
            }
            let isFine = ending == .exit(0) || (place == killed && ending == .signal(SIGKILL))
            if !isFine {
                let text = "\(ending): \(child.complaint)"
                result.failures.withLock { $0.append(text) }
            }
        }
        let failures = result.failures.withLock { $0 }
        guard failures.isEmpty else { throw Violation(failures.joined(separator: "\n")) }
        return result.tally.withLock { $0 }
    }

    /// What the processes of a race say.
    private final class RaceResult: Sendable {
        // A thread reads each process.
        let tally = Mutex(RaceTally())
        let failures = Mutex<[String]>([])
    }

    /// The processes of a race.
    private struct Running: @unchecked Sendable {
        // Each is read by one thread; killing asks the system only.
        let children: [Child]
        init(_ children: [Child]) { self.children = children }
    }
}

/// A process of a race.
struct RaceChild {
    private struct Shared: @unchecked Sendable {
        // The coordinator is for all threads; the context of this one is not used.
        let store: WorkStore?
        init(_ store: WorkStore?) { self.store = store }
    }

    private final class Failures: Sendable {
        // Its threads add to it.
        let texts = Mutex<[String]>([])
    }

    private let options: FaultArguments

    init(_ options: FaultArguments) { self.options = options }

    func run() throws {
        let threads = options.number("threads") ?? 1
        let first = (options.number("process") ?? 0) * threads
        let (path, seed) = (options.folder + "/race.lode", options.seed)
        let (steps, isSabotaged) = (options.number("steps") ?? 1, options.has("sabotage"))
        let failed = Failures()
        // Half of the processes have one coordinator, the others one for each thread.
        let shared = Shared(
            try seed % 2 == 0 ? WorkStore(path, model: RaceModel.make()) : nil)
        onThreads(threads) { thread in
            do {
                let store =
                    try shared.store.map { WorkStore(besides: $0) }
                    ?? WorkStore(path, model: RaceModel.make())
                let worker = RaceWorker(first + thread, store, seed, isSabotaged: isSabotaged)
                try worker.run(steps)
                if shared.store == nil { try store.close() }
            } catch {
                failed.texts.withLock { $0.append("worker \(first + thread): \(error)") }
            }
        }
        if let text = failed.texts.withLock({ $0.first }) { throw Violation(text) }
    }
}
