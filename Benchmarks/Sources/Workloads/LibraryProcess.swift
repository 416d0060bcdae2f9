// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// An engine in a process of its own, which does what it is told: the side of the parent.
///
/// Engines that share a process share its heap: what one leaves in pieces, another has to take its
/// memory from, and Lode's objects took up to a quarter longer to make than in a process of theirs.
/// An application has one engine.
final class LibraryProcess {
    /// The engine.
    let engine: LibraryEngine
    private let child: RunningChild

    init(_ engine: LibraryEngine, _ configuration: Configuration) throws {
        self.engine = engine
        child = try RunningChild([
            "--child", LibraryWorkload.childName, "--engine", engine.name,
            "--objects", "\(configuration.objectCount)", "--runs", "\(configuration.runCount)",
            "--directory", configuration.directory.path,
        ])
    }

    /// Imports all books into a new file, compares them with what was given, and closes it.
    func fill(_ kind: LibraryImport, _ path: String) throws -> Timed {
        try Timed(answer(to: "fill \(kind) \(path)"))
    }

    /// Opens a file for tasks.
    func open(_ path: String) throws { try follow("open \(path)") }

    /// Does a task with the open file; nil if the engine has no such thing.
    func run(_ task: LibraryTask, round: Int) throws -> Timed? {
        let answer = try answer(to: "run \(task) \(round)")
        return answer == LibraryChild.nothing ? nil : try Timed(answer)
    }

    /// A sum over every byte of the books on shelves of the open file.
    func contents() throws -> Checksum { try Timed(answer(to: "contents")).checksum }

    /// Closes the open file, if there is one, and ends the process.
    func finish() throws {
        try follow("end")
        try child.finish()
    }

    private func follow(_ order: String) throws {
        let answer = try answer(to: order)
        guard answer == LibraryChild.done else {
            throw BenchmarkError("\(engine.name), \(order): the process answered \(answer)")
        }
    }

    private func answer(to order: String) throws -> String {
        do {
            try child.send(order)
            return try child.readLine()
        } catch {
            throw BenchmarkError("\(engine.name), \(order): \(error)")
        }
    }

    /// How long something took and what it found.
    struct Timed {
        let seconds: Double
        let checksum: Checksum

        init(_ seconds: Double, _ checksum: Checksum) {
            self.seconds = seconds
            self.checksum = checksum
        }

        /// Reads what ``text`` is.
        init(_ text: String) throws {
            let parts = text.split(separator: " ")
            guard parts.count == 2, let seconds = Double(parts[0]),
                let checksum = Checksum(text: parts[1])
            else { throw BenchmarkError("a process answered \(text), not a time and a sum") }
            self.init(seconds, checksum)
        }

        /// As a line for another process.
        var text: String { "\(seconds) \(checksum.text)" }
    }
}
