// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// The full library in LMDB through its C API, written in the order of arrival.
///
/// Books, shelves, and three databases beside them: rows by ISBN, by year and by shelf.
public final class RawLibrary: LibraryStore {
    /// The name.
    public static let name = "raw LMDB"

    private let environment: OpaquePointer
    private var books: MDB_dbi = 0
    private var shelves: MDB_dbi = 0
    private var byISBN: MDB_dbi = 0
    private var byYear: MDB_dbi = 0
    private var byShelf: MDB_dbi = 0

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        environment = try openEnvironment(path, databases: 8, byteCount: 16 << 30)
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        let integers = UInt32(MDB_INTEGERKEY | MDB_CREATE)
        let pairs = integers | UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
        try check(mdb_dbi_open(transaction, "book", integers, &books))
        try check(mdb_dbi_open(transaction, "shelf", integers, &shelves))
        try check(mdb_dbi_open(transaction, "isbn", UInt32(MDB_CREATE), &byISBN))
        try check(mdb_dbi_open(transaction, "year", pairs, &byYear))
        try check(mdb_dbi_open(transaction, "byShelf", pairs, &byShelf))
        try check(mdb_txn_commit(transaction))
    }

    /// Writes the shelves, then the books in synced commits.
    public func fill(
        _ rows: [BookRow], shelves places: [Int], shelfCount: Int, commitSize: Int
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: PackedBook.byteLimit, alignment: 8)
        defer { buffer.deallocate() }
        try writing { transaction in
            for shelf in 0..<shelfCount {
                try "Shelf \(shelf)".withBytes { name in
                    try put(UInt64(shelf), name, in: shelves, transaction)
                }
            }
        }
        for start in stride(from: 0, to: rows.count, by: commitSize) {
            try writing { transaction in
                for index in start..<min(start + commitSize, rows.count) {
                    try add(
                        rows[index], UInt64(index + 1), shelf: UInt64(places[index]), buffer,
                        transaction)
                }
            }
        }
    }

    @inline(__always)
    private func add(
        _ row: BookRow, _ number: UInt64, shelf: UInt64, _ buffer: UnsafeMutableRawBufferPointer,
        _ transaction: OpaquePointer?
    ) throws {
        let size = PackedBook.encode(row, into: buffer)
        try put(number, UnsafeRawBufferPointer(rebasing: buffer[..<size]), in: books, transaction)
        try withUnsafeBytes(of: number) { value in
            try row.isbn.withBytes { isbn in
                var name = MDB_val(isbn)
                var row = MDB_val(value)
                try check(mdb_put(transaction, byISBN, &name, &row, UInt32(MDB_NOOVERWRITE)))
            }
            try put(UInt64(row.year), value, in: byYear, transaction)
            try put(shelf, value, in: byShelf, transaction)
        }
    }

    /// Answers what a key or an index answers; LMDB knows no other questions.
    public func answer(_ question: LibraryQuestion, _ facts: LibraryFacts) throws -> Checksum? {
        switch question {
        case .unique, .keptUnique: try lookUp(facts)
        case .range: try range(facts)
        case .filter, .count, .grouped, .top, .sorted, .shelfName, .findOrCreate: nil
        }
    }

    private func lookUp(_ facts: LibraryFacts) throws -> Checksum {
        try reading { transaction in
            var total: Int64 = 0
            for isbn in facts.wanted {
                var row = MDB_val()
                try isbn.withBytes { isbn in
                    var name = MDB_val(isbn)
                    try check(mdb_get(transaction, byISBN, &name, &row))
                }
                var value = MDB_val()
                try check(mdb_get(transaction, books, &row, &value))
                total += Int64(PackedBook.year(UnsafeRawBufferPointer(value)))
            }
            return .of(total)
        }
    }

    private func range(_ facts: LibraryFacts) throws -> Checksum {
        try reading { transaction in
            var cursor: OpaquePointer?
            try check(mdb_cursor_open(transaction, byYear, &cursor))
            defer { mdb_cursor_close(cursor) }
            var total: Int64 = 0
            let first = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            first.initialize(to: UInt64(facts.years.lowerBound))
            defer { first.deallocate() }
            var key = MDB_val(mv_size: 8, mv_data: first)
            var row = MDB_val()
            var code = mdb_cursor_get(cursor, &key, &row, MDB_SET_RANGE)
            while code == 0,
                key.mv_data.loadUnaligned(as: UInt64.self) <= UInt64(facts.years.upperBound)
            {
                var value = MDB_val()
                try check(mdb_get(transaction, books, &row, &value))
                total += PackedBook.decode(UnsafeRawBufferPointer(value)).weight
                code = mdb_cursor_get(cursor, &key, &row, MDB_NEXT)
            }
            return .of(total)
        }
    }

    private func reading<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        return try body(transaction)
    }

    private func writing(_ body: (OpaquePointer?) throws -> Void) throws {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction))
    }

    @inline(__always)
    private func put(
        _ key: UInt64, _ bytes: UnsafeRawBufferPointer, in database: MDB_dbi,
        _ transaction: OpaquePointer?
    ) throws {
        try withUnsafeBytes(of: key) { key in
            var name = MDB_val(key)
            var value = MDB_val(bytes)
            try check(mdb_put(transaction, database, &name, &value, 0))
        }
    }

    /// Closes the environment.
    public func close() { mdb_env_close(environment) }
}

extension MDB_val {
    /// Bytes that LMDB only reads.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}

extension String {
    @inline(__always)
    fileprivate func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}
