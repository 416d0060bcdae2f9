// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// The one transaction of an environment that may change data.
///
/// ```swift
/// let count = try environment.write { transaction in
///     try transaction.put(Array("Grace".utf8), for: "second", in: names)
///     try transaction.delete("first", in: names)
///     return try transaction.entryCount(names)
/// }
/// ```
///
/// ``Environment/write(durability:usesReserve:_:)`` lends it out and commits
/// it, on one thread. It cannot be copied, kept or returned. Writes of several
/// threads may share one, each in its turn.
///
/// After an operation has thrown `mapFull` or another error of the file, the
/// transaction only answers `badTransaction`; leave the closure. Errors that
/// are answers (`keyExists`, `badValueSize`) leave it usable.
@frozen
public struct WriteTransaction: ~Copyable, Transaction {
    /// LMDB's transaction (`MDB_txn *`).
    public let handle: OpaquePointer
    /// The number of cursors that are open on this transaction.
    public let openCursors: UnsafeMutablePointer<Int>

    @inlinable
    init(handle: OpaquePointer, openCursors: UnsafeMutablePointer<Int>) {
        self.handle = handle
        self.openCursors = openCursors
    }
}

extension WriteTransaction {
    /// Writes an entry under an integer key.
    ///
    /// In a `dupSort` database the value joins the key's other values.
    ///
    /// - Parameters:
    ///   - value: The bytes to copy in. Not bytes of this database's map.
    ///   - key: The key.
    ///   - database: A database with `integerKey`.
    ///   - options: How to write it.
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair, which are
    ///   then left alone; otherwise true.
    /// - Throws: ``LMDBError`` with `keyExists` for an append out of order, `badValueSize`,
    ///   `mapFull` (let it pass, `write` handles it), or an `errno` value.
    /// - Complexity: O(log *n*)
    @inlinable
    @discardableResult
    public func put(
        _ value: UnsafeRawBufferPointer, for key: UInt64, in database: Database,
        options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        let transaction = handle
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawPut(transaction, database, bytes, value, options)
        }
        return try outcome(status, options)
    }

    /// Writes an entry.
    ///
    /// In a `dupSort` database the value joins the key's other values.
    ///
    /// - Parameters:
    ///   - value: The bytes to copy in. Not bytes of this database's map.
    ///   - key: The key, of 1 to 511 bytes. Not bytes of this database's map.
    ///   - database: Where to write it.
    ///   - options: How to write it.
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair, which are
    ///   then left alone; otherwise true.
    /// - Throws: ``LMDBError`` with `keyExists` for an append out of order, `badValueSize`,
    ///   `mapFull` (let it pass, `write` handles it), or an `errno` value.
    /// - Complexity: O(log *n*)
    @inlinable
    @discardableResult
    public func put(
        _ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, in database: Database,
        options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        try outcome(rawPut(handle, database, key, value, options), options)
    }

    /// Writes a pair of integers: an edge of a `dupFixed` database, or an integer value.
    ///
    /// - Parameters:
    ///   - value: The value, stored in native byte order.
    ///   - key: The key.
    ///   - database: A database with `integerKey`.
    ///   - options: How to write it.
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as for bytes.
    @inlinable
    @discardableResult
    public func put(
        _ value: UInt64, for key: UInt64, in database: Database, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        let transaction = handle
        var pair = (key, value)
        let status = withUnsafeBytes(of: &pair) { bytes in
            rawPut(
                transaction, database, UnsafeRawBufferPointer(rebasing: bytes[0..<8]),
                UnsafeRawBufferPointer(rebasing: bytes[8..<16]), options)
        }
        return try outcome(status, options)
    }

    /// Writes an integer value under a key of bytes: an index entry.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as for bytes.
    @inlinable
    @discardableResult
    public func put(
        _ value: UInt64, for key: UnsafeRawBufferPointer, in database: Database,
        options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        let transaction = handle
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            rawPut(transaction, database, key, bytes, options)
        }
        return try outcome(status, options)
    }

    /// Turns the status of a put into its answer.
    @inlinable
    func outcome(_ status: Int32, _ options: PutOptions) throws(LMDBError) -> Bool {
        if status == MDB_SUCCESS { return true }
        if status == MDB_KEYEXIST && options.reportsExisting { return false }
        throw transactionError(status, handle, "Writing an entry")
    }
}

/// Puts bytes and returns LMDB's status.
@inlinable
func rawPut(
    _ transaction: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer, _ options: PutOptions
) -> Int32 {
    assert(database.belongs(to: transaction), "database \(database.handle) is of another file")
    assert(database.takesKey(ofByteCount: key.count), "an integer key of \(key.count) bytes")
    assert(database.takesValue(ofByteCount: value.count), "an integer of \(value.count) bytes")
    var keyValue = MDB_val(key)
    var dataValue = MDB_val(value)
    return mdb_put(transaction, database.handle, &keyValue, &dataValue, options.rawValue)
}
