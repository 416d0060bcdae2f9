// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Schema
import Store

/// The full library by Lode's store and its plans of fetches, without managed objects.
final class StoreLibrary: LibraryStore {
    static let engine = LibraryEngine(
        LibraryEngines.subject + "'s store",
        settings: "the layers below managed objects: records encoded and read by hand, plans of "
            + "fetches; each commit synced, small ones of several threads together"
    ) { try StoreLibrary(path: $0) }

    private var opened: StoredLibrary?

    /// Opens a file, creating it if there is none.
    init(path: String) throws { opened = try StoredLibrary(path: path) }

    private var library: StoredLibrary {
        get throws {
            guard let opened else { throw BenchmarkError("the store was closed") }
            return opened
        }
    }

    /// Encodes and inserts record by record.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        try library.fill(source, shelfCount: shelfCount, commitSize: commitSize)
    }

    /// Nothing: rows follow from positions.
    func prepare(_ input: LibraryInput) {}

    /// Does a task with a new snapshot.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        let library = try library
        let query = StoreQuery(library, try library.store.makeSnapshot())
        switch task {
        case .read: return .of(try query.read(input.reads))
        case .all: return .of(try query.sumYears())
        case .range: return .of(try query.range(input.years))
        case .traverse: return .of(try query.traverse { book, _ in book.weight })
        case .traverseIDs: return .of(try query.traverseIDs())
        case .unique: return .of(try query.unique(input.wanted))
        case .keptUnique: return .of(try query.keptUnique(input.wanted))
        case .filter: return .of(try query.filter(input.rating, input.titlePrefix))
        case .count: return .of(try query.count(input.rating))
        case .grouped: return .of(try query.grouped())
        case .years: return try query.years()
        case .top: return .of(try query.top())
        case .sorted: return try query.sorted()
        case .shelfName: return .of(try query.shelfName(input.shelfNames))
        case .findOrCreate, .commit, .commitOnThreads, .update, .delete:
            // What is written frees pages that no snapshot holds.
            query.snapshot.park()
            return .of(try library.change(task, input, round: round))
        }
    }

    /// Reads the record of the first row.
    func first() throws -> Checksum {
        let library = try library
        return .of(try StoreQuery(library, try library.store.makeSnapshot()).read([0]))
    }

    /// Walks from the shelves to everything.
    func contents() throws -> Checksum {
        let library = try library
        let query = StoreQuery(library, try library.store.makeSnapshot())
        return .of(try query.traverse { book, shelf in book.digest(shelf: shelf) })
    }

    /// Lets the file go.
    func close() { opened = nil }
}
