// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Synchronization

/// A library of one engine, with its readers and its writer.
final class ReadersTrial {
    let engine: SharedEngine
    private let plan: ReadersPlan
    private let stores: FilledStores
    private let secondsAlone: Double
    private let path: String
    private let library: any SharedLibrary
    /// How often the writer has gone through its commits.
    private var round = 0

    init(
        _ engine: SharedEngine, _ plan: ReadersPlan, _ stores: FilledStores, secondsAlone: Double
    ) throws {
        self.engine = engine
        self.plan = plan
        self.stores = stores
        self.secondsAlone = secondsAlone
        path = stores.folder.makePath()
        let filled = try engine.base.open(path)
        try filled.fill(
            BookSource(stores.books), shelfCount: stores.shelfCount,
            commitSize: Configuration.commitSize)
        try filled.close()
        library = try engine.open(path)
        try plan.write(to: Self.planPath(path))
    }

    /// The plan's file, which goes with the library's.
    private static func planPath(_ path: String) -> String { path + ".plan" }

    /// Closes and removes the file.
    func close() throws {
        try library.close()
        stores.folder.remove(path)
    }

    /// The books that readers read a second while nobody writes.
    func readAlone(_ kind: ReadersKind) throws -> Double {
        let seconds = secondsAlone
        return try read(kind) { Pause.milliseconds(Int(seconds * 1_000)) }
    }

    /// The books that readers read, and the commits that a writer makes, a second.
    func readAndWrite(_ kind: ReadersKind) throws -> (reads: Double, commits: Double) {
        let (plan, library) = (plan, library)
        let seconds = Mutex(0.0)
        let reads = try read(kind) {
            let passed = try Stopwatch.time {
                for commit in 0..<plan.commitCount {
                    try library.swapYears(plan.pairs(ofCommit: commit))
                }
            }.seconds
            seconds.withLock { $0 = passed }
        }
        var reader = CheckingReader(plan, try library.makeReader(), round: round, seed: 0)
        try reader.checkEnd()
        try reader.close()
        round += 1
        return (reads, Double(plan.commitCount) / seconds.withLock { $0 })
    }

    /// Lets readers read during something, and returns the books a second of all.
    private func read(
        _ kind: ReadersKind, during body: @escaping @Sendable () throws -> Void
    ) throws -> Double {
        kind.isThreads ? try readByThreads(kind.count, body) : try readByProcesses(kind.count, body)
    }

    private func readByThreads(
        _ count: Int, _ body: @escaping @Sendable () throws -> Void
    ) throws -> Double {
        let (plan, library, round) = (plan, library, round)
        let signals = Signals()
        // One thread more, for what goes on meanwhile.
        try ThreadGroup.run(count + 1) { position in
            guard position < count else {
                defer { signals.isOver.store(true, ordering: .relaxed) }
                while signals.ready.load(ordering: .acquiring) < count { Pause.milliseconds(1) }
                signals.hasBegun.store(true, ordering: .releasing)
                return try body()
            }
            var isReady = false
            func beReady() {
                if !isReady { signals.ready.add(1, ordering: .releasing) }
                isReady = true
            }
            // Even after an error: the writer waits for all.
            defer { beReady() }
            var reader = CheckingReader(
                plan, try library.makeReader(), round: round, seed: position + 1)
            _ = try reader.look()
            beReady()
            while !signals.hasBegun.load(ordering: .acquiring) { Pause.milliseconds(1) }
            let rate = try Self.rate(&reader) { signals.isOver.load(ordering: .relaxed) }
            signals.rate.withLock { $0 += rate }
            try reader.close()
        }
        return signals.rate.withLock { $0 }
    }

    /// What threads tell each other.
    private final class Signals: Sendable {
        let ready = Atomic(0)
        let hasBegun = Atomic(false)
        let isOver = Atomic(false)
        // Each reader adds its own.
        let rate = Mutex(0.0)
    }

    /// Looks until something is over; returns the books a second.
    private static func rate(
        _ reader: inout CheckingReader, until isOver: () -> Bool
    ) throws -> Double {
        var count = 0
        let seconds = try Stopwatch.time {
            repeat { count += try reader.look() } while !isOver()
        }.seconds
        return Double(count) / seconds
    }

    private func readByProcesses(
        _ count: Int, _ body: () throws -> Void
    ) throws -> Double {
        let children = try (0..<count).map { position in
            try RunningChild([
                "--child", ReadersWorkload.childName, "--engine", engine.name, "--path", path,
                "--round", "\(round)", "--seed", "\(position + 1)",
            ])
        }
        for child in children { _ = try child.readLine() }
        for child in children { try child.send("begin") }
        try body()
        for child in children { try child.send("end") }
        return try children.reduce(0) { total, child in
            let line = try child.readLine()
            try child.finish()
            guard let rate = Double(line) else {
                throw BenchmarkError("a reading process printed \(line)")
            }
            return total + rate
        }
    }

    static func runChild(_ engine: SharedEngine, _ configuration: Configuration) throws {
        let plan = try ReadersPlan(path: planPath(configuration.path))
        let library = try engine.open(configuration.path)
        var reader = CheckingReader(
            plan, try library.makeReader(), round: configuration.round, seed: configuration.seed)
        _ = try reader.look()
        Parent.send("ready")
        guard Parent.waitForLine() != nil else { return }
        let rate = try rate(&reader) { Parent.hasSpoken }
        Parent.send("\(rate)")
        try reader.close()
        try library.close()
    }
}
