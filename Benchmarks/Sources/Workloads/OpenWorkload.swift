// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// From a closed file to the first object.
public enum OpenWorkload: Workload {
    /// The name.
    public static let name = "open"
    /// The summary.
    public static let summary =
        "open a filled file and read the first book, in this process again and again and in fresh "
        + "ones; in Lode with making model and container; the full library with all attributes, "
        + "plain books with title and year"
    /// The name of the child's task on the command line.
    public static let childName = "open"

    private static let secondsLimit = 1e-3
    /// Opening is short, so a run has more of them than other workloads have.
    private static let opensPerRun = 7

    /// A filled file of an engine, and how to open it and read its first book.
    private struct Opening {
        let kind: Kind
        let engine: String
        let path: String

        /// Whether the books have indexes and shelves.
        enum Kind: String, CaseIterable {
            case library, plain

            var title: String { self == .library ? "full library" : "plain books" }
        }

        /// Opens, reads and closes; the seconds are those until the book is there.
        func once() throws -> (Checksum, Double) {
            switch kind {
            case .library:
                guard let engine = LibraryEngines.all.first(where: { $0.name == engine }) else {
                    throw BenchmarkError("no library is opened by \(engine)")
                }
                return try time({ try engine.open(path) }, { try $0.first() }, { try $0.close() })
            case .plain:
                guard let type = Engines.all.first(where: { $0.name == engine }) else {
                    throw BenchmarkError("no plain books are opened by \(engine)")
                }
                return try time(
                    { try type.init(path: path) as any Engine }, { try $0.readFirst() },
                    { try $0.close() })
            }
        }

        private func time<Store>(
            _ open: () throws -> Store, _ read: (Store) throws -> Checksum,
            _ close: (Store) throws -> Void
        ) throws -> (Checksum, Double) {
            let ((store, checksum), seconds) = try Stopwatch.time {
                let store = try open()
                return (store, try read(store))
            }
            try close(store)
            return (checksum, seconds)
        }

        /// The same in a process that has done nothing else.
        func onceInFreshProcess() throws -> (Checksum, Double) {
            let output = try ChildProcess.outputOfSelf([
                "--child", childName, "--engine", engine, "--path", path, "--task",
                kind.rawValue,
            ])
            let timed = try LibraryProcess.Timed(output)
            return (timed.checksum, timed.seconds)
        }
    }

    /// The names of the kinds of files, as tasks of the child.
    static let tasks = Opening.Kind.allCases.map(\.rawValue)

    /// Fills a file of each engine, then opens it, engine after engine.
    public static func run(_ stores: FilledStores) throws -> Report {
        var report = Report(
            table: Table(["file", "engine", "same process", "fresh process", "checksum"]))
        for kind in Opening.Kind.allCases where stores.configuration.wants(kind.rawValue) {
            let openings = try fill(kind, stores)
            let here = try measure(openings, stores) { try $0.once() }
            let fresh = try measure(openings, stores) { try $0.onceInFreshProcess() }
            for (result, first) in zip(here, fresh) {
                report.table.add([
                    kind.title, result.name, result.samples.text(Figures.milliseconds),
                    first.samples.text(Figures.milliseconds), result.checksum.description,
                ])
                report.keep("open, \(kind.title), same process", result.samples, by: result.name)
                report.keep("open, \(kind.title), fresh process", first.samples, by: first.name)
            }
            for (results, place) in [(here, "same process"), (fresh, "fresh process")] {
                report.verdicts.append(
                    .below(
                        secondsLimit, "open to first object, \(kind.title), \(place)",
                        results.median(LibraryEngines.subject), format: Figures.milliseconds))
            }
            if kind == .library { for opening in openings { stores.folder.remove(opening.path) } }
        }
        return report
    }

    /// The files of plain books are those of other workloads.
    private static func fill(_ kind: Opening.Kind, _ stores: FilledStores) throws -> [Opening] {
        switch kind {
        case .plain:
            return try stores.configuration.engines.map {
                Opening(kind: kind, engine: $0.name, path: try stores.path($0))
            }
        case .library:
            return try stores.configuration.libraryEngines.filter { $0.scope != .imports }.map {
                let path = stores.folder.makePath()
                let store = try $0.open(path)
                try store.fill(
                    BookSource(stores.books), shelfCount: stores.shelfCount,
                    commitSize: Configuration.commitSize)
                try store.close()
                return Opening(kind: kind, engine: $0.name, path: path)
            }
        }
    }

    private static func measure(
        _ openings: [Opening], _ stores: FilledStores,
        _ once: (Opening) throws -> (Checksum, Double)
    ) throws -> [EngineResult] {
        var results = openings.map { EngineResult(name: $0.engine) }
        for _ in 0..<stores.configuration.runCount * opensPerRun {
            for (index, opening) in openings.enumerated() {
                let (checksum, seconds) = try once(opening)
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        try results.requireAgreement(name)
        return results
    }

    /// What the child does: opens once and prints seconds and checksum.
    public static func runChild(_ configuration: Configuration) throws {
        guard let kind = Opening.Kind.allCases.first(where: { configuration.wants($0.rawValue) }),
            let engine = configuration.names.last
        else { throw BenchmarkError("\(childName) needs an engine and a kind of file") }
        let opening = Opening(kind: kind, engine: engine, path: configuration.path)
        let (checksum, seconds) = try opening.once()
        print(LibraryProcess.Timed(seconds, checksum).text)
    }
}
