// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Predicates
import Query
import RecordFormat
import Schema
import Store

/// Lode's store with a snapshot for each reader.
struct StoreShared: SharedLibrary {
    private let library: StoredLibrary

    init(_ library: StoredLibrary) { self.library = library }

    func makeReader() throws -> any LibraryReader { try Reader(library) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        try library.store.write { save in
            let table = library.books
            let fields = library.fields
            var years: [(key: ObjectKey, year: Int32)] = []
            for pair in pairs {
                let keys = (library.book(pair.first), library.book(pair.second))
                guard let first = try save.record(for: keys.0, in: table),
                    let second = try save.record(for: keys.1, in: table)
                else { throw BenchmarkError("\(keys) are not both there") }
                years.append((keys.0, Int32(fields.year(second))))
                years.append((keys.1, Int32(fields.year(first))))
            }
            years.sort { $0.key < $1.key }
            var change = BookChange(library, [fields.year])
            for (key, year) in years {
                try change.apply(to: key, save) { _, draft in
                    draft[fields.year.position] = .integer32(year)
                }
            }
        }
    }

    /// Nothing: the file closes with the last reference to it.
    func close() {}

    private final class Reader: LibraryReader {
        private let library: StoredLibrary
        private let snapshot: StoreSnapshot
        private let memory = PlanMemory()

        init(_ library: StoredLibrary) throws {
            self.library = library
            snapshot = try library.store.makeSnapshot()
            snapshot.park()
        }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            try snapshot.move()
            defer { snapshot.park() }
            var look = try Look(at: pairs) { position in
                let key = library.book(position)
                guard let record = try snapshot.record(row: key.row, in: library.books) else {
                    throw BenchmarkError("\(key) is missing")
                }
                return library.fields.decode(record)
            }
            let fetch = FetchDescription(
                entity: StoredLibrary.bookName, predicate: try Predicate(format: "year == \(year)"))
            let plan = try Planner.plan(fetch, in: library.store, remembering: memory)
            try plan.forEach(in: snapshot) { _, record in
                look.addOfYear(library.fields.decode(record))
                return true
            }
            return look
        }

        func close() {}
    }
}
