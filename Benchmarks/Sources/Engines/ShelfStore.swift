// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// A store of shelves that have books: the one-to-many relationship that engines walk over.
public protocol ShelfStore: AnyObject, SendableMetatype {
    /// The name in tables.
    static var name: String { get }

    /// Opens a file, creating it if there is none.
    init(path: String) throws

    /// Writes shelves and books, each book on its shelf.
    func fill(_ books: [BookRow], shelfCount: Int) throws

    /// Walks from each shelf to its books and sums the years; the order of the books is free.
    func sumYears(_ walk: ShelfWalk) throws -> Checksum

    /// Closes the file.
    func close() throws
}

/// How a walk asks for the books of a shelf.
public enum ShelfWalk: String, CaseIterable, Sendable {
    /// As a list.
    case list
    /// As a set, which hashes each book.
    case set
}
