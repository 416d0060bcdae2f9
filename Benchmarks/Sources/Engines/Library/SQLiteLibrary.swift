// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite
import Foundation

/// The full library in SQLite, with the indexes that a careful user would make.
final class SQLiteLibrary: LibraryStore {
    private static let settings =
        "\(SQLiteEngine.version), WAL, prepared statements, "
    private static let largeCache = "a page cache of 256 MiB, "
    private static let normal = "synchronous=NORMAL: a commit is synced with the next checkpoint"

    static let engines = [
        LibraryEngine(
            LibraryEngines.peer,
            settings: settings + largeCache + normal, isDurable: false
        ) { try SQLiteLibrary(path: $0, synchronous: "NORMAL") },
        LibraryEngine(
            LibraryEngines.peer + ", small cache",
            settings: settings + "the default page cache of 2 MB, " + normal, scope: .main,
            isDurable: false
        ) { try SQLiteLibrary(path: $0, synchronous: "NORMAL", hasLargeCache: false) },
        LibraryEngine(
            LibraryEngines.durablePeer,
            settings: settings + largeCache + "synchronous=FULL: each commit synced",
            scope: .changes
        ) { try SQLiteLibrary(path: $0, synchronous: "FULL") },
    ]

    static let columns = "title, author, year, rating, isbn, available, shelf"
    private let engine: SQLiteEngine

    /// Opens a file, creating it if there is none.
    init(path: String, synchronous: String, hasLargeCache: Bool = true) throws {
        engine = try SQLiteEngine(path: path)
        try engine.execute("PRAGMA synchronous=\(synchronous)")
        if hasLargeCache { try engine.execute("PRAGMA cache_size=-262144") }
        try engine.execute("CREATE TABLE IF NOT EXISTS shelf (id INTEGER PRIMARY KEY, name TEXT)")
        try engine.execute("CREATE UNIQUE INDEX IF NOT EXISTS byISBN ON book (isbn)")
        try engine.execute("CREATE INDEX IF NOT EXISTS byYear ON book (year)")
        try engine.execute("CREATE INDEX IF NOT EXISTS byShelf ON book (shelf)")
    }

    /// Inserts with prepared statements.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        try engine.execute("BEGIN")
        let shelf = try statement("INSERT INTO shelf (id, name) VALUES (?, ?)")
        for number in 0..<shelfCount {
            sqlite3_bind_int64(shelf.handle, 1, Int64(number))
            shelf.bind(BookGenerator.shelfName(number), 2)
            try shelf.run()
        }
        try engine.execute("COMMIT")
        // In pieces, as those of one commit may be all.
        var uncommitted = 0
        while true {
            let books = source.next(min(1_000, commitSize - uncommitted))
            uncommitted += books.count
            let commits = books.isEmpty || uncommitted == commitSize
            try engine.insert(books[...], commits: commits)
            if commits { uncommitted = 0 }
            if books.isEmpty { return }
        }
    }

    /// Nothing: rows follow from positions.
    func prepare(_ input: LibraryInput) {}

    /// Asks with statements that are prepared once a task.
    func run(_ task: LibraryTask, _ input: LibraryInput, round: Int) throws -> Checksum? {
        switch task {
        case .read: try read(input.reads)
        // The books themselves: an index has the years, and the other engines read books.
        case .all: try number("SELECT year FROM book NOT INDEXED")
        case .range:
            try weigh(
                "SELECT \(Self.columns) FROM book WHERE year BETWEEN \(input.years.lowerBound) "
                    + "AND \(input.years.upperBound)")
        case .traverse: .of(try traverse { book, _ in book.weight })
        case .traverseIDs: .of(try traverseIDs())
        case .unique:
            try lookUp(input.wanted) { _ in
                try self.statement("SELECT year FROM book WHERE isbn = ? LIMIT 1", isKept: false)
            }
        case .keptUnique:
            try lookUp(input.wanted) { known in
                try known ?? self.statement("SELECT year FROM book WHERE isbn = ? LIMIT 1")
            }
        case .filter:
            try weigh(
                "SELECT \(Self.columns) FROM book WHERE rating > \(input.rating) "
                    + "AND substr(title, 1, \(input.titlePrefix.count)) = '\(input.titlePrefix)'")
        case .count: try number("SELECT count(*) FROM book WHERE rating > \(input.rating)")
        case .grouped: try grouped()
        case .years: try years()
        case .top:
            try weigh("SELECT \(Self.columns) FROM book ORDER BY rating DESC, title LIMIT 100")
        case .sorted: try sorted()
        case .shelfName:
            try lookUp(input.shelfNames) { known in
                try known
                    ?? self.statement(
                        "SELECT year FROM book JOIN shelf ON shelf.id = book.shelf "
                            + "WHERE shelf.name = ?")
            }
        case .findOrCreate: try findOrCreate(input.foundOrNew[round])
        case .commit: try commit(input.additions[round])
        case .commitOnThreads: try commitOnThreads(input.additionsOnThreads[round])
        case .update:
            try change("UPDATE book SET year = year + 1 WHERE id = ?", input.updates[round])
        case .delete: try change("DELETE FROM book WHERE id = ?", input.deletions[round])
        }
    }

    /// Reads the row with the least ID.
    func first() throws -> Checksum {
        try weigh("SELECT \(Self.columns) FROM book ORDER BY id LIMIT 1")
    }

    /// Walks from the shelves to everything.
    func contents() throws -> Checksum {
        .of(try traverse { book, shelf in book.digest(shelf: shelf) })
    }

    private func read(_ positions: [Int]) throws -> Checksum {
        let statement = try statement("SELECT \(Self.columns) FROM book WHERE id = ?")
        var total: Int64 = 0
        try engine.execute("BEGIN")
        for position in positions {
            sqlite3_bind_int64(statement.handle, 1, Int64(position + 1))
            guard try statement.step() else {
                throw BenchmarkError("row \(position + 1) is missing")
            }
            total += statement.book().weight
            sqlite3_reset(statement.handle)
        }
        try engine.execute("COMMIT")
        return .of(total)
    }

    @inline(__always)
    private func traverse(_ weight: (BookRow, String) -> Int64) throws -> Int64 {
        let shelf = try statement("SELECT id, name FROM shelf")
        let books = try statement("SELECT \(Self.columns) FROM book WHERE shelf = ?")
        var total: Int64 = 0
        while try shelf.step() {
            let name = shelf.text(1)
            sqlite3_bind_int64(books.handle, 1, shelf.integer(0))
            while try books.step() { total &+= weight(books.book(), name) }
            sqlite3_reset(books.handle)
        }
        return total
    }

    private func traverseIDs() throws -> Int64 {
        let shelf = try statement("SELECT id FROM shelf ORDER BY id")
        let books = try statement("SELECT id FROM book WHERE shelf = ?")
        var result = LinkCount()
        var found: ContiguousArray<Int64> = []
        while try shelf.step() {
            found.removeAll(keepingCapacity: true)
            sqlite3_bind_int64(books.handle, 1, shelf.integer(0))
            while try books.step() { found.append(books.integer(0)) }
            sqlite3_reset(books.handle)
            result.add(found.count)
        }
        return result.weight
    }

    private func commit(_ books: [BookRow]) throws -> Checksum {
        for book in books { try engine.insert([book], commits: true) }
        return .of(Int64(books.count))
    }

    /// SQLite has one writer at a time: the threads share its connection.
    private func commitOnThreads(_ books: [[BookRow]]) throws -> Checksum {
        let lock = NSLock()
        // SAFETY: the threads use it with the lock held.
        nonisolated(unsafe) let engine = self.engine
        try ThreadGroup.run(books.count) { position in
            for book in books[position] {
                try lock.withLock { try engine.insert([book], commits: true) }
            }
        }
        return .of(Int64(books.joined().count))
    }

    private func change(_ text: String, _ positions: [Int]) throws -> Checksum {
        let statement = try statement(text)
        try engine.execute("BEGIN")
        for position in positions {
            sqlite3_bind_int64(statement.handle, 1, Int64(position + 1))
            try statement.run()
        }
        try engine.execute("COMMIT")
        return .of(Int64(positions.count))
    }

    func execute(_ text: String) throws { try engine.execute(text) }

    func statement(_ text: String, isKept: Bool = true) throws -> SQLiteStatement {
        try SQLiteStatement(engine.connection, text, isKept: isKept)
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

    /// The sum of the only column.
    private func number(_ text: String) throws -> Checksum {
        let statement = try statement(text)
        var total: Int64 = 0
        while try statement.step() { total += statement.integer(0) }
        return .of(total)
    }

    private func grouped() throws -> Checksum {
        // By the index on the year, which it takes otherwise, it needs 1.3 times as long.
        let statement = try statement(
            "SELECT year, avg(rating) FROM book NOT INDEXED GROUP BY year")
        var total: Int64 = 0
        while try statement.step() {
            total += statement.integer(0) + Int64((statement.double(1) * 1e6).rounded())
        }
        return .of(total)
    }

    private func years() throws -> Checksum {
        let statement = try statement(
            "SELECT year, count(*) FROM book GROUP BY year ORDER BY year")
        var checksum = Checksum()
        while try statement.step() {
            checksum.add(statement.integer(0))
            checksum.add(statement.integer(1))
        }
        return checksum
    }

    private func sorted() throws -> Checksum {
        let statement = try statement("SELECT year FROM book ORDER BY title")
        var checksum = Checksum()
        while try statement.step() { checksum.add(statement.integer(0)) }
        return checksum
    }

    private func findOrCreate(_ wanted: [String]) throws -> Checksum {
        let select = try statement("SELECT id FROM book WHERE isbn = ? LIMIT 1")
        let update = try statement("UPDATE book SET available = 1 - available WHERE id = ?")
        let insert = try statement(
            "INSERT INTO book (title, author, year, rating, isbn, available) "
                + "VALUES ('new', 'new', \(BookRow.newYear), 0, ?, 0)")
        var found: Int64 = 0
        try engine.execute("BEGIN")
        for isbn in wanted {
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
    func close() throws { try engine.close() }
}

extension SQLiteStatement {
    /// Binds a text, which SQLite copies.
    func bind(_ text: String, _ index: Int32) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient)
    }
}
