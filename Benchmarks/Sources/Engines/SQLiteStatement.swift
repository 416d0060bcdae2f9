// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite

/// A prepared statement.
final class SQLiteStatement {
    let handle: OpaquePointer

    /// - Parameter isKept: Whether it is used often; one that is used once takes its memory from
    ///   the connection's lookaside.
    init(_ connection: OpaquePointer?, _ text: String, isKept: Bool = true) throws {
        var handle: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, text, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw BenchmarkError(
                "SQLite refused \(text): \(String(cString: sqlite3_errmsg(connection)))")
        }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether there is a row.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            throw BenchmarkError("SQLite failed: \(String(cString: sqlite3_errstr(code)))")
        }
        return false
    }

    /// Runs a statement without rows to its end.
    @inline(__always)
    func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }

    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The seven values of a book, from the first column on.
    @inline(__always)
    func book() -> BookRow {
        BookRow(
            title: text(0), author: text(1), year: Int32(truncatingIfNeeded: integer(2)),
            rating: double(3), isbn: text(4), available: integer(5) != 0, shelf: integer(6))
    }

    /// Binds the seven values of a book and runs the statement while their bytes stay in place.
    @inline(__always)
    func run(with book: BookRow) throws {
        var (title, author, isbn) = (book.title, book.author, book.isbn)
        sqlite3_bind_int(handle, 3, book.year)
        sqlite3_bind_double(handle, 4, book.rating)
        sqlite3_bind_int(handle, 6, book.available ? 1 : 0)
        sqlite3_bind_int64(handle, 7, book.shelf)
        try title.withUTF8 { title in
            try author.withUTF8 { author in
                try isbn.withUTF8 { isbn in
                    bind(title, 1)
                    bind(author, 2)
                    bind(isbn, 5)
                    try run()
                }
            }
        }
    }

    /// Binds bytes without copying them; nil as the destructor is `SQLITE_STATIC`.
    @inline(__always)
    private func bind(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int32) {
        bytes.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), nil)
        }
    }
}
