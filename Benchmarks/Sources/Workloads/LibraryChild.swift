// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// An engine in a process of its own, which does what it is told: the side of the child.
struct LibraryChild {
    /// The answer where an engine has no such thing.
    static let nothing = "nothing"
    /// The answer where there is nothing to tell.
    static let done = "done"

    private let engine: LibraryEngine
    // Without a folder: files are where the parent says, and what it ends deletes nothing.
    private let books: RunBooks
    private let input: LibraryInput
    private var store: (any LibraryStore)?

    init(_ engine: LibraryEngine, _ configuration: Configuration) {
        self.engine = engine
        books = RunBooks(configuration)
        input = books.makeInput(rounds: configuration.runCount)
    }

    /// Follows orders until the last one, or until the parent is gone.
    mutating func follow() throws {
        while let line = Parent.waitForLine() {
            let words = line.split(separator: " ", maxSplits: 2)
            switch words.first {
            case "fill": try fill(words)
            case "open": try open(line.dropFirst("open ".count))
            case "run": try run(words)
            case "contents": try sendContents()
            case "end":
                try store?.close()
                return Parent.send(Self.done)
            default: throw BenchmarkError("there is no order \(line)")
            }
        }
    }

    /// Opening, checking and closing are not timed.
    private func fill(_ words: [Substring]) throws {
        guard words.count == 3,
            let kind = LibraryImport.allCases.first(where: { "\($0)" == words[1] })
        else { throw BenchmarkError("there is no import \(words)") }
        let store = try engine.open(String(words[2]))
        let source = BookSource(books.rows)
        Pause.untilQuiet()
        let seconds = try Stopwatch.time {
            try store.fill(source, shelfCount: books.shelfCount, commitSize: kind.commitSize)
        }.seconds
        let found = try verify(store)
        try store.close()
        // What the engine goes on with would be paid for by the next one.
        Pause.untilQuiet()
        Parent.send(LibraryProcess.Timed(seconds, found).text)
    }

    /// Compares all that the engine holds with what it was given.
    private func verify(_ store: any LibraryStore) throws -> Checksum {
        let found = try store.contents()
        let wanted = books.contents(hasShelves: engine.hasShelves)
        guard found == wanted else {
            throw BenchmarkError(
                "\(engine.name) holds other books (\(found)) than it was given (\(wanted))")
        }
        return found
    }

    private mutating func open(_ path: Substring) throws {
        let opened = try engine.open(String(path))
        try opened.prepare(input)
        // Some read all books for that. Each begins with what its caches keep of them.
        _ = try opened.run(.all, input, round: 0)
        store = opened
        Pause.untilQuiet()
        Parent.send(Self.done)
    }

    private func sendContents() throws {
        guard let store else { throw BenchmarkError("no file is open") }
        Parent.send(LibraryProcess.Timed(0, try store.contents()).text)
    }

    private func run(_ words: [Substring]) throws {
        guard let store, words.count == 3, let round = Int(words[2]),
            let task = LibraryTask.allCases.first(where: { "\($0)" == words[1] })
        else { throw BenchmarkError("there is no task \(words), or no open file") }
        // A wait leaves caches cold, which tasks of less than a millisecond would feel.
        if task.changes { Pause.untilQuiet() }
        let (checksum, seconds) = try Stopwatch.time { try store.run(task, input, round: round) }
        if task.changes { Pause.untilQuiet() }
        Parent.send(checksum.map { LibraryProcess.Timed(seconds, $0).text } ?? Self.nothing)
    }
}
