// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite

/// SQLite with a connection for each reader, and one that writes.
// The connection is used by the one thread that writes; readers have their own.
final class SQLiteShared: SharedLibrary, @unchecked Sendable {
    private let path: String
    private let library: SQLiteLibrary
    private var statements: (select: SQLiteStatement, update: SQLiteStatement)?

    init(path: String, synchronous: String) throws {
        self.path = path
        library = try SQLiteLibrary(path: path, synchronous: synchronous)
    }

    func makeReader() throws -> any LibraryReader { try Reader(path) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        let (select, update) =
            try statements
            ?? (
                library.statement("SELECT year FROM book WHERE id = ?"),
                library.statement("UPDATE book SET year = ? WHERE id = ?")
            )
        statements = (select, update)
        try library.execute("BEGIN IMMEDIATE")
        for pair in pairs {
            let years = try [pair.first, pair.second].map { position in
                sqlite3_bind_int64(select.handle, 1, Int64(position + 1))
                guard try select.step() else {
                    throw BenchmarkError("row \(position + 1) is missing")
                }
                defer { sqlite3_reset(select.handle) }
                return select.integer(0)
            }
            for (position, year) in [(pair.first, years[1]), (pair.second, years[0])] {
                sqlite3_bind_int64(update.handle, 1, year)
                sqlite3_bind_int64(update.handle, 2, Int64(position + 1))
                try update.run()
            }
        }
        try library.execute("COMMIT")
    }

    func close() throws {
        statements = nil
        try library.close()
    }

    private final class Reader: LibraryReader {
        private let library: SQLiteLibrary
        private var byKey: SQLiteStatement?
        private var byYear: SQLiteStatement?

        init(_ path: String) throws {
            library = try SQLiteLibrary(path: path, synchronous: "NORMAL")
            let columns = SQLiteLibrary.columns
            byKey = try library.statement("SELECT \(columns) FROM book WHERE id = ?")
            byYear = try library.statement("SELECT \(columns) FROM book WHERE year = ?")
        }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            guard let byKey, let byYear else { throw BenchmarkError("the reader was closed") }
            try library.execute("BEGIN")
            var look = try Look(at: pairs) { position in
                sqlite3_bind_int64(byKey.handle, 1, Int64(position + 1))
                guard try byKey.step() else {
                    throw BenchmarkError("row \(position + 1) is missing")
                }
                defer { sqlite3_reset(byKey.handle) }
                return byKey.book()
            }
            sqlite3_bind_int(byYear.handle, 1, year)
            while try byYear.step() { look.addOfYear(byYear.book()) }
            sqlite3_reset(byYear.handle)
            try library.execute("COMMIT")
            return look
        }

        func close() throws {
            (byKey, byYear) = (nil, nil)
            try library.close()
        }
    }
}
