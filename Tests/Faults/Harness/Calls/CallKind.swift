// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lets the n-th call of a kind fail, for each n, and looks at what the process makes of it.
///
/// The process must not crash; whatever save has returned must be in the file, the one that threw
/// all or nothing; and once calls work again, so must saving.
struct CallKind: FaultKind {
    /// All kinds of calls and of failures.
    static let all = CallKind(
        name: "calls", stepsPerNumber: FaultCall.allCases.count, makeFault: fault)
    /// The n-th write is made in full and reported as failed, and all after it fail: if it writes a
    /// header, LMDB cannot put the former one back.
    static let headers = CallKind(name: "headers", stepsPerNumber: 1) { step, _ in
        Fault(call: .write, action: .late, error: EIO, number: UInt64(1 + step), stays: true)
    }

    let name: String
    private let stepsPerNumber: Int
    /// The fault of a step, by the seed.
    private let makeFault: @Sendable (Int, UInt64) -> Fault

    private init(
        name: String, stepsPerNumber: Int, makeFault: @escaping @Sendable (Int, UInt64) -> Fault
    ) {
        self.name = name
        self.stepsPerNumber = stepsPerNumber
        self.makeFault = makeFault
    }

    /// A count of n stands for each n up to it, for each kind of call.
    func steps(for count: Int) -> Int { count * stepsPerNumber }

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for step in steps {
            let fault = makeFault(step, plan.seed)
            do { try run(step, fault, plan, &counts) } catch {
                throw FailedStep(step: step, text: "\(fault.text): \(error)")
            }
        }
        return counts
    }

    @Sendable private static func fault(_ step: Int, _ seed: UInt64) -> Fault {
        var random = FaultRandom(seed, "calls", step)
        let call = FaultCall.allCases[step % FaultCall.allCases.count]
        let actions: [FaultAction] = call == .write ? [.fail, .shorten, .tear, .late] : [.fail]
        let errors =
            switch call {
            case .write, .truncate: [ENOSPC, EIO, EDQUOT]
            case .sync: [EIO, ENOSPC]
            case .map: [ENOMEM, EAGAIN]
            case .open: [EMFILE, ENFILE, EACCES, ENOSPC]
            case .lock: [ENOLCK, EINTR]
            case .name: [EIO, EACCES]
            }
        let error = random.pick(errors)
        // A call that is interrupted is made again, for ever if it is always interrupted.
        return Fault(
            call: call, action: random.pick(actions), error: error,
            number: UInt64(1 + step / FaultCall.allCases.count),
            stays: random.chance(3) && error != EINTR)
    }

    private func run(
        _ step: Int, _ fault: Fault, _ plan: FaultPlan, _ counts: inout [String: Int]
    ) throws {
        let place = WorkPlace(
            folder: try plan.makeFolder(name, step), seed: plan.seed &+ UInt64(step / 70))
        var arguments = [
            "child", "call", "--folder", place.folder, "--seed", "\(place.seed)", "--fault",
            fault.text,
        ]
        if plan.isSabotaged { arguments.append("--sabotage") }
        let child = try Child(plan.program, arguments)
        var acknowledged = 0
        var found: [String: Int] = [:]
        let ending = child.finish(within: 120) { line in
            if line.hasPrefix("ack "), let step = Int(line.dropFirst(4)) {
                acknowledged = step
                return true
            }
            guard line.hasPrefix("count ") else { return false }
            found[String(line.dropFirst(6)), default: 0] += 1
            return true
        }
        guard ending == .exit(0) else {
            throw Violation("\(ending): \(child.complaint)")
        }
        _ = try WorkCheck.file(
            place.path, seed: place.seed, acknowledged: acknowledged, begun: acknowledged + 1)
        counts.merge(found, uniquingKeysWith: +)
        counts["acknowledged", default: 0] += acknowledged
        try FileManager.default.removeItem(atPath: place.folder)
    }
}

/// The process whose calls fail.
final class CallChild {
    private static let rounds = 1_500
    /// Saves that are made after the fault.
    private static let after = 4
    /// Saves between opening the store and closing it.
    private static let perOpening = 3

    private let place: WorkPlace
    private let interposer: Interposer
    private let fault: Fault
    private let isSabotaged: Bool
    private var state = WorkState()
    private var store: WorkStore?
    private var failures = 0

    init(_ options: FaultArguments, _ interposer: Interposer) throws {
        guard let fault = options.text("fault").flatMap({ Fault($0) }) else {
            throw Violation("no fault")
        }
        place = WorkPlace(folder: options.folder, seed: options.seed)
        self.interposer = interposer
        self.fault = fault
        isSabotaged = options.has("sabotage")
        interposer.watch(place.folder)
        interposer.arm(fault)
    }

    func run() throws {
        var rest = Self.after
        for round in 0..<Self.rounds where rest > 0 {
            if interposer.hits() > 0 { rest -= 1 }
            // A step that makes few calls of the kind never gets to the n-th.
            let expected = Int(interposer.count(fault.call)) * Self.rounds / max(1, round)
            if round == 60, expected < Int(fault.number) { break }
            if round % Self.perOpening == 0 { try close() }
            try step()
        }
        try close()
        say(interposer.hits() > 0 ? "count failed" : "count never reached")
    }

    /// Makes one step, whatever fails.
    private func step() throws {
        do {
            let open = try opened()
            try open.change(state, place.seed)
        } catch {
            try note(error, "refused to open or to read")
            return
        }
        do { try save() } catch {
            try note(error, "refused to save")
            if isSabotaged { forget() } else { try saveAgain() }
        }
    }

    private func save() throws {
        guard let store else { return }
        try store.context.performAndWait { try store.context.save() }
        acknowledge()
    }

    /// What must not be: says that a save was made that was not.
    private func forget() {
        store?.context.performAndWait { store?.context.rollback() }
        acknowledge()
    }

    private func acknowledge() {
        state.advance(place.seed)
        say("ack \(state.step)")
    }

    /// The changes are still in the context, and calls work again: so must saving.
    private func saveAgain() throws {
        do {
            try save()
            say("count saved again")
        } catch {
            throw Broken("stuck until the store is opened again: \(error)")
        }
    }

    private func opened() throws -> WorkStore {
        if let store { return store }
        let opened = try WorkStore(place.path)
        store = opened
        // A save that threw may be in the file after all.
        let found = try opened.state()
        guard found.step == state.step || found.step == state.step + 1 else {
            throw Broken("step \(found.step) is there, \(state.step) was acknowledged")
        }
        if found.step > state.step { acknowledge() }
        return opened
    }

    private func close() throws {
        guard let open = store else { return }
        store = nil
        do { try open.close() } catch { try note(error, "refused to close") }
        // It holds no data, and is made anew by calls that may fail.
        try? FileManager.default.removeItem(atPath: place.path + "-lock")
    }

    /// What must not be, whatever fails.
    private struct Broken: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private func note(_ error: any Error, _ what: String) throws {
        if error is Broken || error is Violation { throw error }
        say("count \(what)")
        failures += 1
        guard interposer.hits() > 0 else { throw Broken("without a fault: \(what): \(error)") }
        guard failures < 8 else { throw Broken("still failing: \(what): \(error)") }
        // As if room had been made.
        interposer.disarm()
        if what.hasPrefix("refused to open") {
            try? store?.close()
            store = nil
            if state.step == 0, WorkCheck.removeUnfinished(place.path) { say("count unfinished") }
        }
    }
}
