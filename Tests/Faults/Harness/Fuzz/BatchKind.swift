// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Steps that run many to a process: what crashes it or hangs is found by running the rest again.
struct BatchKind: FaultKind {
    let name: String
    let chunk: Int

    static let predicates = BatchKind(name: "predicates", chunk: 20_000)
    static let csv = BatchKind(name: "csv", chunk: 200)
    static let json = BatchKind(name: "json", chunk: 200)
    static let mutants = BatchKind(name: "mutants", chunk: 200)

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        let folder = try plan.makeFolder(name, steps.lowerBound)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try run(steps, plan, [], folder: folder)
    }

    /// Runs steps in one process.
    ///
    /// - Parameters:
    ///   - options: More words for it.
    ///   - folder: Where it may write.
    func run(
        _ steps: Range<Int>, _ plan: FaultPlan, _ options: [String], folder: String
    ) throws -> [String: Int] {
        var counts: [String: Int] = [name: steps.count]
        var fault: FailedStep?
        let first = try start(steps, plan, options, folder)
        let ending = first.finish(within: 600) { line in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count == 3, let number = Int(words[1]) else { return false }
            switch words[0] {
            case "count": counts[words[2]] = number
            case "fault": fault = fault ?? FailedStep(step: number, text: words[2])
            default: return false
            }
            return true
        }
        if let fault { throw fault }
        if ending == .exit(0) { return counts }
        // Again, saying each step, for the one that it does not come back from.
        var last = steps.lowerBound
        let second = try start(steps, plan, options + ["--verbose"], folder)
        let again = second.finish(within: 600) { line in
            guard line.hasPrefix("step "), let step = Int(line.dropFirst(5)) else { return false }
            last = step
            return true
        }
        throw FailedStep(
            step: last,
            text: "\(ending), then \(again): \(second.complaint)")
    }

    private func start(
        _ steps: Range<Int>, _ plan: FaultPlan, _ options: [String], _ folder: String
    ) throws -> Child {
        try Child(
            plan.program,
            [
                "child", "batch", name, "--seed", "\(plan.seed)", "--from",
                "\(steps.lowerBound)", "--count", "\(steps.count)", "--folder", folder,
            ] + options)
    }
}

/// What a process does in each of its steps.
protocol BatchWork {
    /// Runs a step; returns what it came to, in a word or two, to be counted.
    ///
    /// - Throws: What must not be.
    mutating func run(_ step: Int) throws -> String
}

/// A process that runs many steps.
struct BatchChild {
    /// How long one step may take, in seconds; the system ends the process then.
    private static let limit: UInt32 = 60

    private let options: FaultArguments

    init(_ options: FaultArguments) { self.options = options }

    func run() throws {
        var work = try make(options.words.last ?? "")
        var counts: [String: Int] = [:]
        let first = options.number("from") ?? 0
        for step in first..<first + (options.number("count") ?? 0) {
            if options.has("verbose") { say("step \(step)") }
            alarm(Self.limit)
            do {
                let word = try work.run(step)
                counts[word, default: 0] += 1
            } catch {
                let text = "\(error)".replacingOccurrences(of: "\n", with: " | ")
                say("fault \(step) \(text)")
            }
        }
        for (name, count) in counts { say("count \(count) \(name)") }
    }

    /// The path of a store that is not there yet: the steps of a process may be run again.
    static func newStore(_ name: String, in folder: String) -> String {
        let path = "\(folder)/\(name).lode"
        for suffix in ["", "-lock", "-open"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        return path
    }

    private func make(_ name: String) throws -> any BatchWork {
        switch name {
        case "predicates": return try PredicateWork(options)
        case "csv": return try TextWork(options, .csv)
        case "json": return try TextWork(options, .json)
        case "mutants": return try MutantWork(options)
        case "states": return try StateWork(options)
        default: throw Violation("there is no batch of \(name)")
        }
    }
}
