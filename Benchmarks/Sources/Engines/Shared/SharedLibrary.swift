// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// Two books, by their positions, whose years are swapped in one commit.
public struct BookPair: Sendable, Codable {
    /// The one.
    public let first: Int
    /// The other.
    public let second: Int

    /// Makes a pair.
    public init(_ first: Int, _ second: Int) {
        self.first = first
        self.second = second
    }
}

/// What a reader found in one state of a library.
public struct Look: Sendable {
    /// The years of the books of the pairs, two a pair.
    public internal(set) var years: [Int32] = []
    /// How many books the index has under a year.
    public internal(set) var countOfYear = 0
    /// The sum of their years, as their records have them.
    public internal(set) var sumOfYears: Int64 = 0
    /// A sum over all attributes of all books, so that each is read.
    public internal(set) var weight: Int64 = 0

    /// The number of books that were read.
    public var bookCount: Int { years.count + countOfYear }

    /// Reads the books of pairs.
    ///
    /// - Parameter book: Reads the book that was inserted at a position.
    @inline(__always)
    init(at pairs: [BookPair], _ book: (Int) throws -> some BookValues) rethrows {
        years.reserveCapacity(2 * pairs.count)
        for pair in pairs {
            add(try book(pair.first))
            add(try book(pair.second))
        }
    }

    @inline(__always)
    private mutating func add(_ book: some BookValues) {
        years.append(book.year)
        weight &+= book.weight
    }

    @inline(__always)
    mutating func addOfYear(_ book: some BookValues) {
        countOfYear += 1
        sumOfYears += Int64(book.year)
        weight &+= book.weight
    }
}

/// Reads a library that another thread or process writes; used by one thread at a time.
public protocol LibraryReader: AnyObject {
    /// Reads the books of pairs by their keys, then those of a year by the index, all attributes,
    /// from one state: the newest there is when the look begins.
    func look(at pairs: [BookPair], year: Int32) throws -> Look

    /// Ends reading.
    func close() throws
}

/// An open library that one thread writes and others read.
public protocol SharedLibrary: Sendable {
    /// Makes a reader for another thread.
    func makeReader() throws -> any LibraryReader

    /// Swaps the years of the books of each pair, in one commit.
    func swapYears(_ pairs: ArraySlice<BookPair>) throws

    /// Closes the file.
    func close() throws
}

/// An engine whose libraries are read while they are written.
public struct SharedEngine: Sendable {
    /// The engine that fills the file.
    public let base: LibraryEngine
    /// Whether several processes may open a file.
    public let takesProcesses: Bool
    /// Opens a file that is filled.
    public let open: @Sendable (_ path: String) throws -> any SharedLibrary

    /// The name in tables.
    public var name: String { base.name }

    init?(
        _ name: String, takesProcesses: Bool = true,
        _ open: @escaping @Sendable (String) throws -> any SharedLibrary
    ) {
        guard let base = LibraryEngines.all.first(where: { $0.name == name }) else { return nil }
        self.base = base
        self.takesProcesses = takesProcesses
        self.open = open
    }

    /// Those that are there.
    public static let all: [SharedEngine] = [
        SharedEngine(LibraryEngines.limit) { RawShared(try RawLibrary(path: $0, isSorted: false)) },
        SharedEngine(LibraryEngines.peer) { try SQLiteShared(path: $0, synchronous: "NORMAL") },
        SharedEngine(LibraryEngines.durablePeer) {
            try SQLiteShared(path: $0, synchronous: "FULL")
        },
        RocksDBShared.engine,
        ObjectBoxShared.engine,
        SharedEngine(StoreLibrary.engine.name) { StoreShared(try StoredLibrary(path: $0)) },
        SharedEngine(LibraryEngines.subject) { try LodeShared(path: $0) },
    ].compactMap { $0 }
}
