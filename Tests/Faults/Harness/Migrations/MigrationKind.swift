// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode

/// Kills processes that migrate a file, at each of their calls of the system, and looks at what
/// they leave: the file as it was, or as it shall be.
struct MigrationKind: FaultKind {
    let name = "migrations"
    /// The file is made once for so many steps.
    let chunk = 16

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        let folder = try plan.makeFolder(name, steps.lowerBound)
        let original = folder + "/original.lode"
        var calls: [FaultCall: Int] = [:]
        var counts: [String: Int] = [:]
        do {
            try MigratedLibrary.make(at: original)
            try MigratedLibrary.check(original, .first)
            calls = try countCalls(original, folder, plan)
        } catch {
            throw FailedStep(step: steps.lowerBound, text: "without a kill: \(error)")
        }
        for step in steps {
            let fault = Self.fault(step, calls, plan.seed)
            do { try run(fault, original, folder, plan, &counts) } catch {
                throw FailedStep(step: step, text: "\(fault.text): \(error)")
            }
        }
        try FileManager.default.removeItem(atPath: folder)
        return counts
    }

    /// The call at which the process of a step is killed.
    ///
    /// Three of four steps have the calls that change the file, one after the other; between two of
    /// them nothing happens to it. The others have a choice of those that open, map and lock it.
    private static func fault(_ step: Int, _ calls: [FaultCall: Int], _ seed: UInt64) -> Fault {
        func faults(_ call: FaultCall, _ actions: FaultAction...) -> [Fault] {
            (0..<calls[call, default: 0]).flatMap { place in
                actions.map {
                    Fault(call: call, action: $0, error: 0, number: UInt64(place + 1))
                }
            }
        }
        let isChoice = step % 4 == 3
        let faults =
            isChoice
            ? [.open, .map, .lock].flatMap { faults($0, .killAfter) }
            : faults(.write, .killBefore, .killAmid)
                + [.sync, .truncate, .name].flatMap { faults($0, .killAfter) }
        var random = FaultRandom(seed, "migrations", step)
        let place = step / 4 * 3 + step % 4
        return isChoice ? random.pick(faults) : faults[place % faults.count]
    }

    /// Lets a process migrate a copy, and returns how many calls of each kind it has made.
    private func countCalls(
        _ original: String, _ folder: String, _ plan: FaultPlan
    ) throws -> [FaultCall: Int] {
        let place = try copy(original, folder)
        var calls: [FaultCall: Int] = [:]
        let child = try Child(plan.program, ["child", "migration", "--folder", place.folder])
        let ending = child.finish(within: 120) { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "calls",
                let call = FaultCall(rawValue: String(words[1])), let count = Int(words[2])
            else { return line == "migrated" }
            calls[call] = count
            return true
        }
        guard ending == .exit(0) else { throw Violation("\(ending): \(child.complaint)") }
        try check(place.path, .second)
        return calls
    }

    private func copy(_ original: String, _ folder: String) throws -> WorkPlace {
        let place = WorkPlace(folder: folder + "/copy", seed: 0)
        try? FileManager.default.removeItem(atPath: place.folder)
        try FileManager.default.createDirectory(
            atPath: place.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original, toPath: place.path)
        return place
    }

    private func run(
        _ fault: Fault, _ original: String, _ folder: String, _ plan: FaultPlan,
        _ counts: inout [String: Int]
    ) throws {
        let place = try copy(original, folder)
        var arguments = ["child", "migration", "--folder", place.folder, "--fault", fault.text]
        if plan.isSabotaged { arguments.append("--sabotage") }
        let child = try Child(plan.program, arguments)
        var isAcknowledged = false
        let ending = child.finish(within: 120) { line in
            if line == "migrated" { isAcknowledged = true }
            return line == "migrated" || line.hasPrefix("calls ")
        }
        guard ending == .signal(SIGKILL) || ending == .exit(0) else {
            throw Violation("\(ending): \(child.complaint)")
        }
        counts[ending == .exit(0) ? "never reached" : "kills", default: 0] += 1
        let found = try version(place.path)
        guard found == .second || !isAcknowledged else {
            throw Violation("the migration was acknowledged, and the file is as before")
        }
        try check(place.path, found)
        counts["left with the \(found) version", default: 0] += 1
        guard found == .first else { return }
        try WorkStore.with(
            place.path, model: LibraryVersion.second.makeModel(),
            MigratedLibrary.migratingOptions
        ) { _ in }
        try check(place.path, .second)
    }

    /// The version that a file says it has.
    private func version(_ path: String) throws -> LibraryVersion {
        let model = try NSManagedObjectModel.stored(at: URL(fileURLWithPath: path))
        return model.entitiesByName["Writer"] == nil ? .first : .second
    }

    /// Checks that a file is wholly of a version, without migrating it.
    private func check(_ path: String, _ version: LibraryVersion) throws {
        try NSPersistentStore.verify(at: URL(fileURLWithPath: path))
        try MigratedLibrary.check(path, version)
    }
}

/// The process that migrates a file, and is killed.
struct MigrationChild {
    private let path: String
    private let interposer: Interposer
    private let isSabotaged: Bool

    init(_ options: FaultArguments, _ interposer: Interposer) {
        path = WorkPlace(folder: options.folder, seed: 0).path
        self.interposer = interposer
        isSabotaged = options.has("sabotage")
        interposer.watch(options.folder)
        if let fault = options.text("fault").flatMap({ Fault($0) }) { interposer.arm(fault) }
    }

    func run() throws {
        // Acknowledges what is not done, which a kill shows.
        if isSabotaged { say("migrated") }
        try WorkStore.with(
            path, model: LibraryVersion.second.makeModel(), MigratedLibrary.migratingOptions
        ) { _ in say("migrated") }
        for call in FaultCall.allCases {
            say("calls \(call.rawValue) \(interposer.count(call))")
        }
    }
}
