// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// LMDB through its C API: the least that storing books can cost on this machine.
public final class RawLMDBEngine: Engine {
    /// The name.
    public static let name = "raw LMDB"

    /// Version and flags.
    public static var settings: String {
        "\(version), MDB_NOSUBDIR|MDB_NOTLS, "
            + "each commit synced, integer keys, MDB_APPEND, packed records"
    }

    /// Of the library that is linked, not of its header.
    static var version: String {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        mdb_version(&major, &minor, &patch)
        return "LMDB \(major).\(minor).\(patch)"
    }

    private static let mapByteCount = 64 << 30
    let environment: OpaquePointer
    private(set) var database: MDB_dbi = 0
    private var transaction: OpaquePointer?
    private var nextRow: UInt64 = 1
    private var rows: [UInt64] = []
    var updatedRows: [UInt64] = []
    // One buffer for all records; only the thread that runs the workload uses the engine.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PackedBook.byteLimit, alignment: 8)

    /// Opens a file, creating it if there is none.
    public init(path: String) throws {
        environment = try openEnvironment(path, databases: 4, byteCount: Self.mapByteCount)
        try openDatabase()
    }

    deinit { buffer.deallocate() }

    /// Opens the database of books; only a new file needs a write transaction for that.
    private func openDatabase() throws {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        let code = mdb_dbi_open(transaction, "book", UInt32(MDB_INTEGERKEY), &database)
        if code == 0 { return try check(mdb_txn_commit(transaction)) }
        mdb_txn_abort(transaction)
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        try check(
            mdb_dbi_open(transaction, "book", UInt32(MDB_INTEGERKEY | MDB_CREATE), &database))
        try check(mdb_txn_commit(transaction))
    }

    /// Adds books.
    public func insert(_ books: ArraySlice<BookRow>, commits: Bool) throws {
        if transaction == nil { try check(mdb_txn_begin(environment, nil, 0, &transaction)) }
        for book in books {
            var row = nextRow
            nextRow += 1
            let size = PackedBook.encode(book, into: buffer)
            let code = withUnsafeMutableBytes(of: &row) { row in
                var key = MDB_val(mv_size: row.count, mv_data: row.baseAddress)
                var value = MDB_val(mv_size: size, mv_data: buffer.baseAddress)
                return mdb_put(transaction, database, &key, &value, UInt32(MDB_APPEND))
            }
            try check(code)
        }
        guard commits else { return }
        defer { transaction = nil }
        try check(mdb_txn_commit(transaction))
    }

    /// Reads all years with a cursor.
    public func sumYears() throws -> Checksum {
        try reading { transaction in
            var cursor: OpaquePointer?
            try check(mdb_cursor_open(transaction, database, &cursor))
            defer { mdb_cursor_close(cursor) }
            var checksum = Checksum()
            var key = MDB_val()
            var value = MDB_val()
            while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
                checksum.add(Int64(PackedBook.year(UnsafeRawBufferPointer(value))))
            }
            return checksum
        }
    }

    /// Keeps the rows of the positions.
    public func prepareReads(_ positions: [Int]) { rows = positions.map { UInt64($0 + 1) } }

    /// Gets each book by its row.
    public func readPrepared(hashesText: Bool) throws -> Checksum {
        try reading { transaction in
            var checksum = Checksum(hashesText: hashesText)
            for row in rows {
                checksum.add(PackedBook.decode(try record(row, transaction)))
            }
            return checksum
        }
    }

    /// Reads the first book.
    public func readFirst() throws -> Checksum {
        try reading { transaction in
            let book = PackedBook.decode(try record(1, transaction))
            var checksum = Checksum(hashesText: true)
            checksum.add(book.title)
            checksum.add(Int64(book.year))
            return checksum
        }
    }

    /// Closes the environment.
    public func close() { mdb_env_close(environment) }

    @inline(__always)
    private func record(
        _ row: UInt64, _ transaction: OpaquePointer?
    ) throws -> UnsafeRawBufferPointer {
        var row = row
        var value = MDB_val()
        let code = withUnsafeMutableBytes(of: &row) { row in
            var key = MDB_val(mv_size: row.count, mv_data: row.baseAddress)
            return mdb_get(transaction, database, &key, &value)
        }
        try check(code)
        return UnsafeRawBufferPointer(value)
    }

    private func reading<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { mdb_txn_abort(transaction) }
        return try body(transaction)
    }
}

extension UnsafeRawBufferPointer {
    init(_ value: MDB_val) { self.init(start: value.mv_data, count: value.mv_size) }
}

@inline(__always)
func check(_ code: Int32) throws {
    guard code != 0 else { return }
    throw BenchmarkError("LMDB failed: \(String(cString: mdb_strerror(code)))")
}

/// Opens a file as an environment, creating it if there is none.
func openEnvironment(_ path: String, databases: MDB_dbi, byteCount: Int) throws -> OpaquePointer {
    var handle: OpaquePointer?
    try check(mdb_env_create(&handle))
    guard let handle else { throw BenchmarkError("mdb_env_create made no environment") }
    try check(mdb_env_set_maxdbs(handle, databases))
    try check(mdb_env_set_mapsize(handle, byteCount))
    try check(mdb_env_open(handle, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS), 0o644))
    return handle
}
