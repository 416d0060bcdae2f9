// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// Shelves in LMDB through its C API: keys of books page by page, then a get for each book.
public final class RawShelves: ShelfStore {
    /// The name.
    public static let name = "raw LMDB, a get per book"

    private let environment: OpaquePointer
    private var books: MDB_dbi = 0
    private var shelves: MDB_dbi = 0
    private var links: MDB_dbi = 0

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        environment = try openEnvironment(path, databases: 4, byteCount: 8 << 30)
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        let integers = UInt32(MDB_INTEGERKEY | MDB_CREATE)
        try check(mdb_dbi_open(transaction, "book", integers, &books))
        try check(mdb_dbi_open(transaction, "shelf", integers, &shelves))
        let pairs = UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
        try check(mdb_dbi_open(transaction, "books", integers | pairs, &links))
        try check(mdb_txn_commit(transaction))
    }

    /// Writes everything in one transaction.
    public func fill(_ rows: [BookRow], shelfCount: Int) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: PackedBook.byteLimit, alignment: 8)
        defer { buffer.deallocate() }
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        for shelf in 0..<shelfCount {
            try put(
                UInt64(shelf + 1), in: shelves, UnsafeRawBufferPointer(buffer)[..<8], transaction)
        }
        for (index, row) in rows.enumerated() {
            let size = PackedBook.encode(row, into: buffer)
            try put(
                UInt64(index + 1), in: books, UnsafeRawBufferPointer(buffer)[..<size], transaction)
            var number = UInt64(index + 1)
            try withUnsafeBytes(of: &number) { bytes in
                try put(UInt64(row.shelf + 1), in: links, bytes[...], transaction)
            }
        }
        try check(mdb_txn_commit(transaction))
    }

    private func put(
        _ key: UInt64, in database: MDB_dbi, _ bytes: Slice<UnsafeRawBufferPointer>,
        _ transaction: OpaquePointer?
    ) throws {
        var key = key
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        let code = withUnsafeMutableBytes(of: &key) { key in
            var name = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
            var value = MDB_val(
                mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            return mdb_put(transaction, database, &name, &value, 0)
        }
        try check(code)
    }

    /// Walks with two cursors and a get for each book; there is no set to ask for.
    public func sumYears(_ walk: ShelfWalk) throws -> Checksum {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        var shelfCursor: OpaquePointer?
        var linkCursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, shelves, &shelfCursor))
        try check(mdb_cursor_open(transaction, links, &linkCursor))
        defer {
            mdb_cursor_close(shelfCursor)
            mdb_cursor_close(linkCursor)
        }
        var total: Int64 = 0
        var shelf = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(shelfCursor, &shelf, &value, MDB_NEXT) == 0 {
            guard mdb_cursor_get(linkCursor, &shelf, &value, MDB_SET) == 0 else { continue }
            var code = mdb_cursor_get(linkCursor, &shelf, &value, MDB_GET_MULTIPLE)
            while code == 0 {
                total += try years(UnsafeRawBufferPointer(value), transaction)
                code = mdb_cursor_get(linkCursor, &shelf, &value, MDB_NEXT_MULTIPLE)
            }
        }
        var checksum = Checksum()
        checksum.add(total)
        return checksum
    }

    @inline(__always)
    private func years(
        _ keys: UnsafeRawBufferPointer, _ transaction: OpaquePointer?
    ) throws -> Int64 {
        var total: Int64 = 0
        for offset in stride(from: 0, to: keys.count, by: 8) {
            var name = MDB_val(
                mv_size: 8,
                mv_data: UnsafeMutableRawPointer(mutating: keys.baseAddress.map { $0 + offset }))
            var value = MDB_val()
            try check(mdb_get(transaction, books, &name, &value))
            total += Int64(PackedBook.year(UnsafeRawBufferPointer(value)))
        }
        return total
    }

    /// Closes the environment.
    public func close() { mdb_env_close(environment) }
}
