// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite

/// The full library in SQLite, with the indexes that a careful user would make.
public final class SQLiteLibrary: LibraryStore {
    /// The name.
    public static let name = "SQLite"

    private static let columns = "title, author, year, rating, isbn, available, shelf"
    private let engine: SQLiteEngine

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        engine = try SQLiteEngine(path: path)
        try engine.execute("PRAGMA synchronous=NORMAL")
        try engine.execute("PRAGMA cache_size=-262144")
        try engine.execute("CREATE TABLE IF NOT EXISTS shelf (id INTEGER PRIMARY KEY, name TEXT)")
        try engine.execute("CREATE UNIQUE INDEX IF NOT EXISTS byISBN ON book (isbn)")
        try engine.execute("CREATE INDEX IF NOT EXISTS byYear ON book (year)")
        try engine.execute("CREATE INDEX IF NOT EXISTS byShelf ON book (shelf)")
    }

    /// Inserts with prepared statements.
    public func fill(
        _ books: [BookRow], shelves: [Int], shelfCount: Int, commitSize: Int
    ) throws {
        try engine.execute("BEGIN")
        let shelf = try statement("INSERT INTO shelf (id, name) VALUES (?, ?)")
        for number in 0..<shelfCount {
            sqlite3_bind_int64(shelf.handle, 1, Int64(number))
            shelf.bind("Shelf \(number)", 2)
            try shelf.run()
        }
        try engine.execute("COMMIT")
        var rows = books
        for index in rows.indices { rows[index].shelf = Int64(shelves[index]) }
        for start in stride(from: 0, to: rows.count, by: commitSize) {
            try engine.insert(rows[start..<min(start + commitSize, rows.count)], commits: true)
        }
    }

    /// Asks with statements that are prepared once a question.
    public func answer(_ question: LibraryQuestion, _ facts: LibraryFacts) throws -> Checksum? {
        switch question {
        case .unique:
            try lookUp(facts.wanted) { _ in
                try self.statement("SELECT year FROM book WHERE isbn = ? LIMIT 1")
            }
        case .keptUnique:
            try lookUp(facts.wanted) { known in
                try known ?? self.statement("SELECT year FROM book WHERE isbn = ? LIMIT 1")
            }
        case .range:
            try weigh(
                "SELECT \(Self.columns) FROM book WHERE year BETWEEN \(facts.years.lowerBound) "
                    + "AND \(facts.years.upperBound)")
        case .filter:
            try weigh(
                "SELECT \(Self.columns) FROM book WHERE rating > \(facts.rating) "
                    + "AND substr(title, 1, \(facts.titlePrefix.count)) = '\(facts.titlePrefix)'")
        case .count: try number("SELECT count(*) FROM book WHERE rating > \(facts.rating)")
        case .grouped: try grouped()
        case .top:
            try weigh("SELECT \(Self.columns) FROM book ORDER BY rating DESC, title LIMIT 100")
        case .sorted: try sorted()
        case .shelfName:
            try lookUp(facts.shelfNames) { known in
                try known
                    ?? self.statement(
                        "SELECT year FROM book JOIN shelf ON shelf.id = book.shelf "
                            + "WHERE shelf.name = ?")
            }
        case .findOrCreate: try findOrCreate(facts)
        }
    }

    private func statement(_ text: String) throws -> SQLiteStatement {
        try SQLiteStatement(engine.connection, text)
    }

    private func lookUp(
        _ values: [String], _ prepare: (SQLiteStatement?) throws -> SQLiteStatement
    ) throws -> Checksum {
        var total: Int64 = 0
        var last: SQLiteStatement?
        for value in values {
            let statement = try prepare(last)
            last = statement
            statement.bind(value, 1)
            while try statement.step() { total += statement.integer(0) }
            sqlite3_reset(statement.handle)
        }
        return .of(total)
    }

    private func weigh(_ text: String) throws -> Checksum {
        let statement = try statement(text)
        var total: Int64 = 0
        while try statement.step() { total += statement.book().weight }
        return .of(total)
    }

    private func number(_ text: String) throws -> Checksum {
        let statement = try statement(text)
        guard try statement.step() else { throw BenchmarkError("\(text) has no row") }
        return .of(statement.integer(0))
    }

    private func grouped() throws -> Checksum {
        let statement = try statement("SELECT year, avg(rating) FROM book GROUP BY year")
        var total: Int64 = 0
        while try statement.step() {
            total += statement.integer(0) + Int64((statement.double(1) * 1e6).rounded())
        }
        return .of(total)
    }

    private func sorted() throws -> Checksum {
        let statement = try statement("SELECT year FROM book ORDER BY title")
        var checksum = Checksum()
        while try statement.step() { checksum.add(statement.integer(0)) }
        return checksum
    }

    private func findOrCreate(_ facts: LibraryFacts) throws -> Checksum {
        let select = try statement("SELECT id FROM book WHERE isbn = ? LIMIT 1")
        let update = try statement("UPDATE book SET available = 1 WHERE id = ?")
        let insert = try statement(
            "INSERT INTO book (title, author, isbn) VALUES ('new', 'new', ?)")
        var found: Int64 = 0
        try engine.execute("BEGIN")
        for isbn in facts.foundOrNew {
            select.bind(isbn, 1)
            if try select.step() {
                sqlite3_bind_int64(update.handle, 1, select.integer(0))
                try update.run()
                found += 1
            } else {
                insert.bind(isbn, 1)
                try insert.run()
            }
            sqlite3_reset(select.handle)
        }
        try engine.execute("COMMIT")
        return .of(found)
    }

    /// Closes the connection.
    public func close() throws { try engine.close() }
}

extension SQLiteStatement {
    /// Binds a text, which SQLite copies.
    func bind(_ text: String, _ index: Int32) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient)
    }
}
