// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// The index entries of a commit, to be written in the order of their keys.
struct SortedEntries {
    /// An ISBN as a number that sorts as its bytes do, and its book.
    typealias Name = (high: UInt64, low: UInt64, size: Int, row: UInt64)
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
            (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), book.isbn.utf8.count, row))
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

    private func putNames(
        _ names: [SortedEntries.Name], _ transaction: OpaquePointer?
    ) throws {
        let cursor = try cursor(byISBN, transaction)
        defer { mdb_cursor_close(cursor) }
        let isEmpty = try isEmpty(cursor)
        let flags = UInt32(isEmpty ? MDB_APPEND : MDB_NOOVERWRITE)
        for name in names {
            try withUnsafeBytes(of: (name.high.bigEndian, name.low.bigEndian)) { words in
                try withUnsafeBytes(of: name.row) { row in
                    var key = MDB_val(UnsafeRawBufferPointer(rebasing: words[..<name.size]))
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
        for pair in pairs {
            try withUnsafeBytes(of: pair.key) { key in
                try withUnsafeBytes(of: pair.row) { row in
                    var name = MDB_val(key)
                    var value = MDB_val(row)
                    try check(mdb_cursor_put(cursor, &name, &value, flags))
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
