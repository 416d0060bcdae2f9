// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CSQLite
import Foundation

/// The `sqlite3` shell with its `.import`.
public enum SQLiteFiles: FileImporter {
    /// The name: the shell gets the settings of the engine.
    public static let name = LibraryEngines.peer

    /// The shell, if it is installed.
    public static var shell: String? {
        ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Declares the tables and their indexes, then imports.
    public static func load(_ files: LibraryFiles, into path: String) throws {
        guard let shell else {
            throw BenchmarkError("there is no sqlite3; install the package sqlite3")
        }
        let commands = [
            "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", "PRAGMA cache_size=-262144",
            "CREATE TABLE Shelf (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE Book (isbn TEXT UNIQUE, title TEXT, author TEXT, year INTEGER, "
                + "rating REAL, available INTEGER, shelf INTEGER REFERENCES Shelf (id))",
            "CREATE INDEX byYear ON Book (year)", "CREATE INDEX byShelf ON Book (shelf)",
            ".import --csv --skip 1 \(quoted(files.shelves)) Shelf",
            ".import --csv --skip 1 \(quoted(files.books)) Book",
        ]
        _ = try ChildProcess.output(of: shell, ["-bail", path] + commands)
    }

    /// A path as one word of the shell's commands, whatever it has in it.
    private static func quoted(_ path: String) -> String {
        let escaped = path.replacingOccurrences(of: "\\", with: "\\\\")
            .replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// Opens the file and reads all books with the names of their shelves.
    public static func check(_ path: String) throws -> Checksum {
        var connection: OpaquePointer?
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw BenchmarkError("SQLite cannot open \(path)")
        }
        defer { sqlite3_close_v2(connection) }
        let statement = try SQLiteStatement(
            connection,
            "SELECT title, author, year, rating, isbn, available, shelf, name FROM Book "
                + "JOIN Shelf ON Shelf.id = Book.shelf")
        var total: Int64 = 0
        while try statement.step() { total &+= statement.book().digest(shelf: statement.text(7)) }
        return .of(total)
    }
}
