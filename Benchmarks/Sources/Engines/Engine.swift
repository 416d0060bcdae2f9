// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// A store of books that workloads run on.
///
/// A method does a whole pass, so that no engine pays for a dynamic call a book.
public protocol Engine: AnyObject, SendableMetatype {
    /// The engine's name in tables.
    static var name: String { get }
    /// Version and settings that matter to the figures.
    static var settings: String { get }

    /// Opens a file, creating it if there is none.
    init(path: String) throws

    /// Adds books behind those there are; with `commits` everything since the last commit becomes
    /// durable before this returns.
    func insert(_ books: ArraySlice<BookRow>, commits: Bool) throws

    /// Reads all books in the order of insertion, of each the year only.
    func sumYears() throws -> Checksum

    /// Takes note of the books to read, by their positions; not timed.
    func prepareReads(_ positions: [Int]) throws

    /// Reads the prepared books one by one by their keys, all values.
    func readPrepared(hashesText: Bool) throws -> Checksum

    /// Takes note of the books to update, by their positions; not timed.
    ///
    /// The Lode engine also sets the properties here: what is timed is the save.
    func prepareUpdates(_ positions: [Int]) throws

    /// Adds one to the year of each prepared book, in the order of the positions, in one durable
    /// commit.
    func updatePrepared() throws

    /// Reads title and year of the first book.
    func readFirst() throws -> Checksum

    /// Closes the file.
    func close() throws
}

/// The engines that are compared, in the order of the tables.
public enum Engines {
    /// All of them.
    public static let all: [any Engine.Type] = [
        RawLMDBEngine.self, SQLiteEngine.self, LodeEngine.self,
    ]
}
