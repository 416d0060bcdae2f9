// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// The index entries of a commit, to be written in the order of their keys.
struct SortedEntries {
    /// An ISBN as a number that sorts as its bytes do, and its book.
    struct Name {
        let high: UInt64
        let low: UInt64
        let size: Int
        let row: UInt64

        /// Calls a body with the bytes of the ISBN.
        @inline(__always)
        func withKey(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
            try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { words in
                try body(UnsafeRawBufferPointer(rebasing: words[..<size]))
            }
        }
    }

    /// A year or a shelf, and its book.
    typealias Pair = (key: UInt64, row: UInt64)

    var names: [Name] = []
    var years: [Pair] = []
    var shelves: [Pair] = []

    mutating func add(_ book: BookRow, _ row: UInt64) throws {
        guard book.isbn.utf8.count <= 16 else {
            throw BenchmarkError("\(book.isbn) is longer than sorting by two words can tell")
        }
        var words = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { bytes in
            for (index, byte) in book.isbn.utf8.enumerated() { bytes[index] = byte }
        }
        names.append(
            Name(
                high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1),
                size: book.isbn.utf8.count, row: row))
        years.append((UInt64(book.year), row))
        shelves.append((UInt64(book.shelf), row))
    }

    mutating func sort() {
        names.sort { ($0.high, $0.low) < ($1.high, $1.low) }
        years.sort { $0 < $1 }
        shelves.sort { $0 < $1 }
    }
}

extension RawLibrary {
    /// Puts all entries, at the end of a database if that is where they belong.
    func put(_ entries: inout SortedEntries, _ transaction: OpaquePointer?) throws {
        entries.sort()
        try putNames(entries.names, transaction)
        try putPairs(entries.years, in: byYear, transaction)
        try putPairs(entries.shelves, in: byShelf, transaction)
    }

    /// Adds one to the years of books, then moves their entries in the index.
    func updateSorted(_ positions: [Int], _ transaction: OpaquePointer?) throws {
        var old: [SortedEntries.Pair] = []
        var new: [SortedEntries.Pair] = []
        for position in positions.sorted() {
            let row = UInt64(position + 1)
            let years = try changeRecord(of: row, transaction) { $0 + 1 }
            old.append((UInt64(years.old), row))
            new.append((UInt64(years.new), row))
        }
        old.sort { $0 < $1 }
        new.sort { $0 < $1 }
        try deletePairs(old, in: byYear, transaction)
        try putPairs(new, in: byYear, transaction)
    }

    /// Deletes books, then what finds them.
    func deleteSorted(_ positions: [Int], _ transaction: OpaquePointer?) throws {
        var entries = SortedEntries()
        for position in positions.sorted() {
            let row = UInt64(position + 1)
            try entries.add(PackedBook.decode(try record(row, transaction)), row)
            try deleteRecord(row, transaction)
        }
        entries.sort()
        try deleteNames(entries.names, transaction)
        try deletePairs(entries.years, in: byYear, transaction)
        try deletePairs(entries.shelves, in: byShelf, transaction)
    }

    private func deleteNames(
        _ names: [SortedEntries.Name], _ transaction: OpaquePointer?
    ) throws {
        let cursor = try cursor(byISBN, transaction)
        defer { mdb_cursor_close(cursor) }
        for name in names {
            try name.withKey { key in
                var key = MDB_val(key)
                var value = MDB_val()
                try check(mdb_cursor_get(cursor, &key, &value, MDB_SET))
                try check(mdb_cursor_del(cursor, 0))
            }
        }
    }

    /// With one cursor, which looks first at the page that it is on.
    private func deletePairs(
        _ pairs: [SortedEntries.Pair], in database: MDB_dbi, _ transaction: OpaquePointer?
    ) throws {
        let cursor = try cursor(database, transaction)
        defer { mdb_cursor_close(cursor) }
        try forEach(pairs) { key, value in
            try check(mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH))
            try check(mdb_cursor_del(cursor, 0))
        }
    }

    private func putNames(
        _ names: [SortedEntries.Name], _ transaction: OpaquePointer?
    ) throws {
        let cursor = try cursor(byISBN, transaction)
        defer { mdb_cursor_close(cursor) }
        let isEmpty = try isEmpty(cursor)
        let flags = UInt32(isEmpty ? MDB_APPEND : MDB_NOOVERWRITE)
        for name in names {
            try name.withKey { key in
                try withUnsafeBytes(of: name.row) { row in
                    var key = MDB_val(key)
                    var value = MDB_val(row)
                    try check(mdb_cursor_put(cursor, &key, &value, flags))
                }
            }
        }
    }

    private func putPairs(
        _ pairs: [SortedEntries.Pair], in database: MDB_dbi, _ transaction: OpaquePointer?
    ) throws {
        let cursor = try cursor(database, transaction)
        defer { mdb_cursor_close(cursor) }
        let flags = UInt32(try isEmpty(cursor) ? MDB_APPENDDUP : 0)
        try forEach(pairs) { key, value in
            try check(mdb_cursor_put(cursor, &key, &value, flags))
        }
    }

    /// Calls a body with the bytes of each pair.
    @inline(__always)
    private func forEach(
        _ pairs: [SortedEntries.Pair], _ body: (inout MDB_val, inout MDB_val) throws -> Void
    ) rethrows {
        for pair in pairs {
            try withUnsafeBytes(of: pair.key) { key in
                try withUnsafeBytes(of: pair.row) { row in
                    var key = MDB_val(key)
                    var value = MDB_val(row)
                    try body(&key, &value)
                }
            }
        }
    }

    func cursor(_ database: MDB_dbi, _ transaction: OpaquePointer?) throws -> OpaquePointer? {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, database, &cursor))
        return cursor
    }

    private func isEmpty(_ cursor: OpaquePointer?) throws -> Bool {
        var key = MDB_val()
        var value = MDB_val()
        let code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        if code == MDB_NOTFOUND { return true }
        try check(code)
        return false
    }
}
