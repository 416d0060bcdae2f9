// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite

/// SQLite through its C API, with prepared statements.
public final class SQLiteEngine: Engine {
    /// The name.
    public static let name = "SQLite"

    /// Version and settings.
    public static var settings: String {
        "\(version), WAL, synchronous=FULL, page cache and "
            + "checkpoints as by default, prepared statements, no secondary index"
    }

    static var version: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    private static let columns = "title, author, year, rating, isbn, available, shelf"
    private(set) var connection: OpaquePointer?
    private var insertion: SQLiteStatement?
    private var isInTransaction = false
    private var rows: [Int64] = []
    var updatedRows: [Int64] = []

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        guard sqlite3_open(path, &connection) == SQLITE_OK else {
            throw BenchmarkError("SQLite cannot open \(path); check that its folder exists")
        }
        // For readers beside a writer: some of what they begin with takes a lock.
        sqlite3_busy_timeout(connection, 10_000)
        try execute("PRAGMA journal_mode=WAL")
        try execute("PRAGMA synchronous=FULL")
        try execute(
            "CREATE TABLE IF NOT EXISTS book (id INTEGER PRIMARY KEY, title TEXT, author TEXT, "
                + "year INTEGER, rating REAL, isbn TEXT, available INTEGER, shelf INTEGER)")
    }

    func execute(_ text: String) throws {
        guard sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError(
                "SQLite refused \(text): \(String(cString: sqlite3_errmsg(connection)))")
        }
    }

    /// Adds books.
    public func insert(_ books: ArraySlice<BookRow>, commits: Bool) throws {
        let statement =
            try insertion
            ?? SQLiteStatement(
                connection, "INSERT INTO book (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertion = statement
        if !isInTransaction { try execute("BEGIN") }
        isInTransaction = true
        for book in books { try statement.run(with: book) }
        guard commits else { return }
        try execute("COMMIT")
        isInTransaction = false
    }

    /// Reads all years.
    public func sumYears() throws -> Checksum {
        let statement = try SQLiteStatement(connection, "SELECT year FROM book ORDER BY id")
        var checksum = Checksum()
        while try statement.step() { checksum.add(statement.integer(0)) }
        return checksum
    }

    /// Keeps the rows of the positions.
    public func prepareReads(_ positions: [Int]) { rows = positions.map { Int64($0 + 1) } }

    /// Selects each book by its row, in one transaction.
    public func readPrepared(hashesText: Bool) throws -> Checksum {
        let statement = try SQLiteStatement(
            connection, "SELECT \(Self.columns) FROM book WHERE id = ?")
        var checksum = Checksum(hashesText: hashesText)
        try execute("BEGIN")
        for row in rows {
            sqlite3_bind_int64(statement.handle, 1, row)
            guard try statement.step() else { throw BenchmarkError("row \(row) is missing") }
            checksum.add(statement.book())
            sqlite3_reset(statement.handle)
        }
        try execute("COMMIT")
        return checksum
    }

    /// Reads the first book.
    public func readFirst() throws -> Checksum {
        let statement = try SQLiteStatement(
            connection, "SELECT title, year FROM book ORDER BY id LIMIT 1")
        guard try statement.step() else { throw BenchmarkError("the store has no book") }
        var checksum = Checksum(hashesText: true)
        checksum.add(statement.text(0))
        checksum.add(statement.integer(1))
        return checksum
    }

    /// Closes the connection.
    public func close() throws {
        insertion = nil
        guard sqlite3_close(connection) == SQLITE_OK else {
            throw BenchmarkError("SQLite did not close: a statement is still open")
        }
    }
}
