// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A view of the data at one commit: a ``ReadTransaction``, a
/// ``WriteTransaction`` or a ``Snapshot``.
///
/// Bytes that a transaction hands out lie in the file's map. They are good until
/// the transaction ends (a snapshot: until it is reset or renewed), and in a
/// write transaction only until its next write. Copy what has to live longer.
public protocol Transaction: ~Copyable {
    /// LMDB's transaction (`MDB_txn *`).
    var handle: OpaquePointer { get }

    /// The number of cursors that are open on this transaction.
    ///
    /// Every cursor is counted, so that one that outlives its transaction
    /// traps instead of reading memory that is gone.
    var openCursors: UnsafeMutablePointer<Int> { get }
}

extension Transaction where Self: ~Copyable {
    /// The number of the commit that is read, or that is being made.
    @inlinable public var transactionID: UInt64 {
        UInt64(mdb_txn_id(handle))
    }

    /// Finds the value of an integer key; the first value in a `dupSort` database.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - database: A database with `integerKey`.
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    /// - Throws: ``LMDBError`` with `badTransaction` or `corrupted`.
    /// - Complexity: O(log *n*), without allocation.
    @inlinable
    public func get(
        _ key: UInt64, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try value(of: key, in: database)
    }

    /// Has LMDB find the value of an integer key.
    @inlinable
    func value(
        of key: UInt64, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        assert(database.belongs(to: handle), "database \(database.handle) is of another file")
        assert(database.takesKey(ofByteCount: 8) && database.flags.contains(.integerKey))
        var value = MDB_val()
        let status = rawGet(handle, database.handle, key, &value)
        guard status == MDB_SUCCESS else {
            if status == MDB_NOTFOUND { return nil }
            throw accessError(status, handle, "Reading an entry")
        }
        return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    /// Finds the value of a key; the first value in a `dupSort` database.
    ///
    /// - Parameters:
    ///   - key: The key, of 1 to 511 bytes.
    ///   - database: The database to look in.
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    /// - Throws: ``LMDBError`` with `badValueSize` for an empty key, `badTransaction` or
    ///   `corrupted`.
    /// - Complexity: O(log *n*), without allocation.
    @inlinable
    public func get(
        _ key: UnsafeRawBufferPointer, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try value(of: key, in: database)
    }

    /// Has LMDB find the value of a key of bytes.
    @inlinable
    func value(
        of key: UnsafeRawBufferPointer, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        assert(database.belongs(to: handle), "database \(database.handle) is of another file")
        assert(database.takesKey(ofByteCount: key.count), "an integer key of \(key.count) bytes")
        let transaction = handle
        var keyValue = MDB_val(key)
        var value = MDB_val()
        let status = mdb_get(transaction, database.handle, &keyValue, &value)
        guard status == MDB_SUCCESS else {
            if status == MDB_NOTFOUND { return nil }
            throw accessError(status, transaction, "Reading an entry")
        }
        return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    /// Opens a cursor that reads.
    ///
    /// The cursor must be gone before the transaction ends, or the end traps.
    ///
    /// - Throws: ``LMDBError`` with `badDatabase` or `badTransaction`.
    @inlinable
    public func makeCursor(_ database: Database) throws(LMDBError) -> Cursor {
        try Cursor(openCursor(in: database), counter: openCursors)
    }

    @inlinable
    func openCursor(in database: Database) throws(LMDBError) -> OpaquePointer {
        assert(database.belongs(to: handle), "database \(database.handle) is of another file")
        var cursor: OpaquePointer?
        let status = mdb_cursor_open(handle, database.handle, &cursor)
        guard status == MDB_SUCCESS, let cursor else {
            throw accessError(status, handle, "Opening a cursor")
        }
        return cursor
    }
}

extension MDB_val {
    /// Points at bytes without copying them.
    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// The bytes pointed at.
    @inlinable var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}

/// The environment of a transaction.
@usableFromInline
func environment(of transaction: OpaquePointer) -> Environment {
    guard let context = mdb_env_get_userctx(mdb_txn_env(transaction)) else {
        trap("transaction \(transaction) was not begun by an Environment")
    }
    // SAFETY: the context is the environment itself, and the transaction has not ended. Reads and
    // writes are methods of their environment, and a snapshot refers to its own, so it is alive.
    return Unmanaged<Environment>.fromOpaque(context).takeUnretainedValue()
}

/// Makes the error for a database that a transaction does not reach.
///
/// LMDB answers `EINVAL` when the transaction is parked, has ended, or began before the
/// database was opened.
@usableFromInline
@inline(never)
func accessError(
    _ status: Int32, _ transaction: OpaquePointer, _ operation: StaticString
) -> LMDBError {
    transactionError(status == EINVAL ? MDB_BAD_TXN : status, transaction, operation)
}

/// Makes the error for a failed operation of a transaction.
///
/// Also notes that the map is full, so that `write` grows it whatever the body
/// makes of the error.
@usableFromInline
@inline(never)
func transactionError(
    _ status: Int32, _ transaction: OpaquePointer, _ operation: StaticString
) -> LMDBError {
    let environment = environment(of: transaction)
    if status == MDB_MAP_FULL { environment.mapIsFull = true }
    let code = LMDBError.Code(rawValue: status)
    return LMDBError(code, path: environment.path, during: "\(operation)")
}

/// Finds the value of an integer key and returns LMDB's status.
@inlinable
func rawGet(
    _ transaction: OpaquePointer?, _ database: MDB_dbi, _ key: UInt64, _ value: inout MDB_val
) -> Int32 {
    var nativeKey = key
    return withUnsafeMutableBytes(of: &nativeKey) { bytes in
        var keyValue = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
        return mdb_get(transaction, database, &keyValue, &value)
    }
}
