// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// The full library in LMDB through its C API.
///
/// Books, shelves, and three databases beside them: rows by ISBN, by year and by shelf.
final class RawLibrary: LibraryStore {
    private static let settings =
        "\(RawLMDBEngine.version), each commit synced, integer keys, packed records, index entries "

    static let engines = [
        LibraryEngine(LibraryEngines.limit, settings: settings + "in order of arrival") {
            try RawLibrary(path: $0, isSorted: false)
        },
        LibraryEngine(
            LibraryEngines.sortedLimit,
            settings: settings + "sorted in each commit, appended where they are the last; books "
                + "are updated and deleted in the order of their rows, with cursors; asked as "
                + LibraryEngines.limit,
            scope: .main
        ) {
            try RawLibrary(path: $0, isSorted: true)
        },
    ]

    private let environment: OpaquePointer
    let isSorted: Bool
    private(set) var books: MDB_dbi = 0
    private(set) var shelves: MDB_dbi = 0
    private(set) var byISBN: MDB_dbi = 0
    private(set) var byYear: MDB_dbi = 0
    private(set) var byShelf: MDB_dbi = 0
    private var nextRow: UInt64 = 1
    // One buffer for all records; only write transactions use it, of which there is one at a time.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PackedBook.byteLimit, alignment: 8)

    /// Opens a file, creating it if there is none.
    init(path: String, isSorted: Bool) throws {
        self.isSorted = isSorted
        environment = try openEnvironment(path, databases: 8, byteCount: 64 << 30)
        try writing { transaction in
            let integers = UInt32(MDB_INTEGERKEY | MDB_CREATE)
            let pairs = integers | UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
            try check(mdb_dbi_open(transaction, "book", integers, &books))
            try check(mdb_dbi_open(transaction, "shelf", integers, &shelves))
            try check(mdb_dbi_open(transaction, "isbn", UInt32(MDB_CREATE), &byISBN))
            try check(mdb_dbi_open(transaction, "year", pairs, &byYear))
            try check(mdb_dbi_open(transaction, "byShelf", pairs, &byShelf))
        }
    }

    deinit { buffer.deallocate() }

    /// Writes the shelves, then the books in synced commits.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        try writing { transaction in
            for shelf in 0..<shelfCount {
                try BookGenerator.shelfName(shelf).withBytes { name in
                    try put(UInt64(shelf), name, in: shelves, transaction)
                }
            }
        }
        // The first book of a commit is asked for before it begins.
        var next = source.next()
        while let first = next {
            try writing { transaction in
                var sorted = SortedEntries()
                var row = first
                var count = 0
                while true {
                    if isSorted {
                        let number = try append(row, transaction)
                        try sorted.add(row, number)
                    } else {
                        try add(row, transaction)
                    }
                    count += 1
                    next = source.next()
                    guard count < commitSize, let following = next else { break }
                    row = following
                }
                if isSorted { try put(&sorted, transaction) }
            }
        }
    }

    private func append(_ row: BookRow, _ transaction: OpaquePointer?) throws -> UInt64 {
        defer { nextRow += 1 }
        let size = PackedBook.encode(row, into: buffer)
        try put(
            nextRow, UnsafeRawBufferPointer(rebasing: buffer[..<size]), in: books, transaction,
            flags: UInt32(MDB_APPEND))
        return nextRow
    }

    /// Adds a book and what finds it.
    @inline(__always)
    func add(_ row: BookRow, _ transaction: OpaquePointer?) throws {
        let size = PackedBook.encode(row, into: buffer)
        try put(
            nextRow, UnsafeRawBufferPointer(rebasing: buffer[..<size]), in: books, transaction)
        try withUnsafeBytes(of: nextRow) { value in
            try row.isbn.withBytes { isbn in
                var name = MDB_val(isbn)
                var row = MDB_val(value)
                try check(mdb_put(transaction, byISBN, &name, &row, UInt32(MDB_NOOVERWRITE)))
            }
            try put(UInt64(row.year), value, in: byYear, transaction)
            guard row.shelf >= 0 else { return }
            try put(UInt64(row.shelf), value, in: byShelf, transaction)
        }
        nextRow += 1
    }

    /// Nothing: rows follow from positions.
    func prepare(_ input: LibraryInput) { nextRow = UInt64(input.bookCount + 1) }

    func reading<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        return try body(transaction)
    }

    func writing(_ body: (OpaquePointer?) throws -> Void) throws {
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
    func put(
        _ key: UInt64, _ bytes: UnsafeRawBufferPointer, in database: MDB_dbi,
        _ transaction: OpaquePointer?, flags: UInt32 = 0
    ) throws {
        try withUnsafeBytes(of: key) { key in
            var name = MDB_val(key)
            var value = MDB_val(bytes)
            try check(mdb_put(transaction, database, &name, &value, flags))
        }
    }

    /// Closes the environment.
    func close() { mdb_env_close(environment) }
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
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}
