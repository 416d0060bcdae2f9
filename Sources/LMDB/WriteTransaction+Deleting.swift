// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension WriteTransaction {
    /// Deletes an integer key with all its values.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    @inlinable
    @discardableResult
    public func delete(_ key: UInt64, in database: Database) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        let transaction = handle
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawDelete(transaction, database, bytes, nil)
        }
        return try deletion(status)
    }

    /// Deletes a key with all its values.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    @inlinable
    @discardableResult
    public func delete(
        _ key: UnsafeRawBufferPointer, in database: Database
    ) throws(LMDBError) -> Bool {
        try deletion(rawDelete(handle, database, key, nil))
    }

    /// Deletes one pair of integers of a `dupSort` database: an edge.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    @inlinable
    @discardableResult
    public func delete(
        _ key: UInt64, _ value: UInt64, in database: Database
    ) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        let transaction = handle
        var pair = (key, value)
        let status = withUnsafeBytes(of: &pair) { bytes in
            rawDelete(
                transaction, database, UnsafeRawBufferPointer(rebasing: bytes[0..<8]),
                UnsafeRawBufferPointer(rebasing: bytes[8..<16]))
        }
        return try deletion(status)
    }

    /// Deletes one integer value of a key of bytes in a `dupSort` database: an index entry.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    @inlinable
    @discardableResult
    public func delete(
        _ key: UnsafeRawBufferPointer, _ value: UInt64, in database: Database
    ) throws(LMDBError) -> Bool {
        let transaction = handle
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            rawDelete(transaction, database, key, bytes)
        }
        return try deletion(status)
    }

    /// Deletes one pair of a `dupSort` database.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    @inlinable
    @discardableResult
    public func delete(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in database: Database
    ) throws(LMDBError) -> Bool {
        try deletion(rawDelete(handle, database, key, value))
    }

    /// Deletes every entry of a database and keeps the database.
    ///
    /// - Complexity: O(pages) when it holds values larger than a page; otherwise a small
    ///   fraction of that.
    public func removeAll(_ database: Database) throws(LMDBError) {
        assert(database.belongs(to: handle), "database \(database.handle) is of another file")
        let status = mdb_drop(handle, database.handle, 0)
        guard status == MDB_SUCCESS else {
            throw transactionError(status, handle, "Emptying a database")
        }
    }

    @inlinable
    func deletion(_ status: Int32) throws(LMDBError) -> Bool {
        if status == MDB_SUCCESS { return true }
        if status == MDB_NOTFOUND { return false }
        throw transactionError(status, handle, "Deleting an entry")
    }
}

/// Deletes a key, or a pair where there is a value, and returns LMDB's status.
@inlinable
func rawDelete(
    _ transaction: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer?
) -> Int32 {
    assert(database.belongs(to: transaction), "database \(database.handle) is of another file")
    assert(database.takesKey(ofByteCount: key.count), "an integer key of \(key.count) bytes")
    var keyValue = MDB_val(key)
    guard let value else { return mdb_del(transaction, database.handle, &keyValue, nil) }
    // Without dupSort LMDB ignores the value and deletes whatever the key has.
    require(
        database.flags.contains(.dupSort),
        "delete(key, value) in database \(database.handle), which has no dupSort")
    var dataValue = MDB_val(value)
    return mdb_del(transaction, database.handle, &keyValue, &dataValue)
}
