// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// A store of the full library: books with a unique ISBN and an index on their year, on shelves
/// that know their books.
///
/// A method does a whole pass, so that no engine pays for a dynamic call a book.
public protocol LibraryStore: AnyObject {
    /// Writes the shelves, then the books, in durable commits of `commitSize` books.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws

    /// Takes note of the keys of what tasks are about; not timed.
    func prepare(_ input: LibraryInput) throws

    /// Does a task.
    ///
    /// - Returns: A sum over what was found; nil if the engine has no such thing.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum?

    /// Reads all attributes of the book that was inserted first.
    func first() throws -> Checksum

    /// A sum over every byte of every book and the name of its shelf, found from the shelves.
    func contents() throws -> Checksum

    /// Closes the file.
    func close() throws
}

/// An engine that stores libraries.
public struct LibraryEngine: Sendable {
    /// The name in tables.
    public let name: String
    /// Version and settings that matter to the figures.
    public let settings: String
    /// What is asked of it after an import: everything, the main tasks, what changes the file, or
    /// nothing.
    public let scope: Scope
    /// Whether its books stand on shelves.
    public let hasShelves: Bool
    /// Whether each commit is on the disk when it returns.
    public let isDurable: Bool
    /// Opens a file or a folder, creating it if there is none.
    public let open: @Sendable (_ path: String) throws -> any LibraryStore

    /// What is asked of an engine.
    public enum Scope: Sendable {
        case everything
        case main
        case changes
        case imports
    }

    init(
        _ name: String, settings: String, scope: Scope = .everything, hasShelves: Bool = true,
        isDurable: Bool = true,
        open: @escaping @Sendable (String) throws -> any LibraryStore
    ) {
        self.name = name
        self.settings = settings
        self.scope = scope
        self.hasShelves = hasShelves
        self.isDurable = isDurable
        self.open = open
    }

    /// Whether what it needs for a task is what others need.
    ///
    /// A durable commit that is none has no figure; the books are there all the same.
    public func isComparable(in task: LibraryTask) -> Bool {
        switch task {
        case .commit, .commitOnThreads: isDurable
        default: true
        }
    }

    /// Whether it does a task.
    public func does(_ task: LibraryTask) -> Bool {
        switch scope {
        case .everything: true
        case .main: task.isMain
        case .changes: task.changes
        case .imports: false
        }
    }
}

/// The engines that store libraries, in the order of the tables.
public enum LibraryEngines {
    /// The name of the engine that stands for LMDB as most use it.
    public static let limit = "raw LMDB"
    /// The name of the same as LMDB is at its best.
    public static let sortedLimit = limit + ", sorted"
    /// The name of the engine that stands for SQLite.
    public static let peer = "SQLite NORMAL"
    /// The name of the same with each commit synced.
    public static let durablePeer = "SQLite FULL"
    /// The name of the engine that is measured.
    public static let subject = "Lode"
    /// The name of the same by batch requests.
    public static let batchSubject = subject + ", batch insert"
    /// The names of those that charts show beside the limit, first the one that is measured.
    public static let charted = [
        subject, sortedLimit, peer, RocksDBLibrary.name, ObjectBoxLibrary.name,
    ]

    /// Those that are there.
    public static let all: [LibraryEngine] = {
        let found = optional.compactMap { try? $0.found.get() }
        let own = [StoreLibrary.engine] + LodeLibrary.engines
        return RawLibrary.engines + SQLiteLibrary.engines + found + own
    }()

    /// What the others are, and what they lack.
    public static let skipped: [String] = {
        var lines: [String] = optional.compactMap { name, found in
            guard case .failure(let reason) = found else { return nil }
            return "\(name) is skipped: \(reason)"
        }
        if SQLiteFiles.shell == nil {
            lines.append("the sqlite3 shell is skipped: install the package sqlite3")
        }
        return lines
    }()

    private static let optional = [
        (name: RocksDBLibrary.name, found: RocksDBLibrary.found),
        (name: ObjectBoxLibrary.name, found: ObjectBoxLibrary.found),
    ]
}

extension Checksum {
    /// The sum of numbers in any order.
    static func of(_ total: Int64) -> Checksum {
        var checksum = Checksum()
        checksum.add(total)
        return checksum
    }
}
