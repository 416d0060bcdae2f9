// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode

/// Records what a process writes, makes states that a power cut may leave, and opens them.
struct StateKind: FaultKind {
    let name = "states"
    /// The states of one recording.
    static let perRecording = 250
    let chunk = StateKind.perRecording

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        let recording = steps.lowerBound / chunk
        let seed = FaultRandom.seed(plan.seed, "states", recording)
        let folder = try plan.makeFolder(name, steps.lowerBound)
        let subject = RecordChild.subject(recording)
        let (work, log) = (folder + "/work", folder + "/log")
        try FileManager.default.createDirectory(
            atPath: work, withIntermediateDirectories: true)
        let child = try Child(
            plan.program,
            [
                "child", "record", "--folder", work, "--seed", "\(seed)", "--subject", subject,
                "--log", log,
            ])
        let ending = child.finish(within: 120) { _ in false }
        guard ending == .exit(0) else {
            throw Violation("recording: \(ending): \(child.complaint)")
        }
        var options = ["--work", work, "--log", log, "--subject", subject]
        options += ["--work-seed", "\(seed)"]
        if plan.isSabotaged { options.append("--sabotage") }
        var counts = try BatchKind(name: "states", chunk: chunk).run(
            steps, plan, options, folder: folder)
        counts["recordings", default: 0] += 1
        try FileManager.default.removeItem(atPath: folder)
        return counts
    }
}

/// The process that is recorded: it makes a store and saves.
struct RecordChild {
    static let steps = 14

    private let options: FaultArguments
    private let interposer: Interposer

    init(_ options: FaultArguments, _ interposer: Interposer) {
        self.options = options
        self.interposer = interposer
    }

    /// What a recording is of: saves of a durability, or imports.
    static func subject(_ recording: Int) -> String {
        ["full", "relaxed", "none", "import", "full"][recording % 5]
    }

    func run() throws {
        let place = WorkPlace(folder: options.folder, seed: options.seed)
        interposer.watch(place.folder)
        guard interposer.record(options.text("log") ?? "") else {
            throw Violation("the record cannot be made")
        }
        let subject = options.text("subject") ?? ""
        guard subject != "import" else {
            for version in 1...2 {
                try ImportScenario().load(version, place)
                interposer.note(UInt64(version))
            }
            return
        }
        var state = WorkState()
        let storeOptions = [LodeDurabilityOption: subject]
        // Closing once takes the mark away and brings it back.
        while state.step < Self.steps {
            try WorkStore.with(place.path, storeOptions) { store in
                repeat {
                    try store.save(state, place.seed)
                    state.advance(place.seed)
                    interposer.note(UInt64(state.step))
                } while state.step != Self.steps / 2 && state.step < Self.steps
            }
        }
    }
}

/// Opens the states of a recording.
struct StateWork: BatchWork {
    private let log: WriteLog
    /// The disk before each entry of the log.
    private let disks: [Disk]
    private let work: String
    private let folder: String
    private let subject: String
    private let seed: UInt64
    private let workSeed: UInt64
    private let boot: String?
    private let isSabotaged: Bool

    init(_ options: FaultArguments) throws {
        work = options.text("work") ?? ""
        folder = options.folder + "/state"
        subject = options.text("subject") ?? ""
        seed = options.seed
        workSeed = options.text("work-seed").flatMap { UInt64($0) } ?? 0
        isSabotaged = options.has("sabotage")
        var log = try WriteLog(path: options.text("log") ?? "", folder: work)
        if isSabotaged { log.dropSyncs() }
        self.log = log
        var (disk, disks) = (Disk(folder: log.folder), [Disk]())
        for entry in log.entries {
            disks.append(disk)
            disk.apply(entry)
        }
        self.disks = disks
        boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func run(_ step: Int) throws -> String {
        var random = FaultRandom(seed, "state", step)
        let count = log.entries.count
        let (end, choice) = place(step % StateKind.perRecording, &random)
        var disk = disks[end - 1]
        // The last call may have been under way.
        disk.apply(log.entries[end - 1], isUnderWay: choice != .all)
        let state = DiskState(disk, choice, &random)
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try state.write(from: work, to: folder, boot: boot)
        return try check(disk.acknowledged, "\(choice) at \(end) of \(count)")
    }

    /// Each prefix with all or nothing of what was not synced, and between them others.
    private func place(
        _ number: Int, _ random: inout FaultRandom
    ) -> (end: Int, choice: DiskState.Choice) {
        let count = log.entries.count
        // All of them, or evenly spread where there are many.
        let third = StateKind.perRecording / 3
        let prefix = 1 + (count <= third ? number / 3 : number / 3 * count / third) % count
        switch number % 3 {
        case 0: return (prefix, .all)
        case 1: return (prefix, .none)
        default:
            return (1 + random.below(count), random.pick([.some, .allButOne, .one, .torn, .torn]))
        }
    }

    private func check(_ acknowledged: Int, _ what: String) throws -> String {
        if subject == "import" {
            let place = WorkPlace(folder: folder, seed: workSeed)
            do { _ = try ImportScenario().check(place, from: 0, acknowledged: acknowledged) } catch
            {
                throw Violation("\(what), \(acknowledged) acknowledged: \(error)")
            }
            return "whole, import"
        }
        let promised =
            switch subject {
            case "full": acknowledged
            case "relaxed": max(0, acknowledged - 1)
            default: 0
            }
        do {
            _ = try WorkCheck.file(
                folder + "/work.lode", seed: workSeed, acknowledged: promised,
                begun: acknowledged + 1)
            return "whole, \(subject)"
        } catch {
            // Header pages that were not synced yet may be torn: nothing was saved to the file.
            if acknowledged == 0, !(error is Violation) { return "refused, not yet made" }
            // Without syncs a power cut may damage the file; then it is refused, or a check finds
            // it.
            guard subject == "none" else {
                throw Violation("\(what), \(acknowledged) acknowledged: \(error)")
            }
            return error is Violation ? "old pages found by reading, none" : "refused, none"
        }
    }
}
