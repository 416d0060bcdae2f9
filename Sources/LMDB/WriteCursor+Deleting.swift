// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Deleting many pairs of a `dupSort` database in their order: a pair on the page where the cursor
/// stands needs no search from the root.
extension WriteCursor {
    /// Deletes one pair of integers: an edge.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    /// - Complexity: Fastest for ascending pairs.
    @inlinable
    @discardableResult
    public func delete(_ key: UInt64, _ value: UInt64) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        let cursor = self.handle
        let database = self.database
        var pair = (key, value)
        let status = withUnsafeBytes(of: &pair) { bytes in
            rawDelete(
                cursor: cursor, database, UnsafeRawBufferPointer(rebasing: bytes[0..<8]),
                UnsafeRawBufferPointer(rebasing: bytes[8..<16]))
        }
        return try deletion(status)
    }

    /// Deletes one integer value of a key of bytes: an index entry.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` with `mapFull` (let it pass, `write` handles it) or `corrupted`.
    /// - Complexity: Fastest for ascending pairs.
    @inlinable
    @discardableResult
    public func delete(
        _ key: UnsafeRawBufferPointer, _ value: UInt64
    ) throws(LMDBError) -> Bool {
        let cursor = self.handle
        let database = self.database
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            rawDelete(cursor: cursor, database, key, bytes)
        }
        return try deletion(status)
    }

    @inlinable
    func deletion(_ status: Int32) throws(LMDBError) -> Bool {
        if status == MDB_NOTFOUND { return false }
        try check(status, "Deleting an entry")
        return true
    }
}

/// Deletes a pair by a cursor and returns LMDB's status.
@inlinable
func rawDelete(
    cursor: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
) -> Int32 {
    assert(database.flags.contains(.dupSort), "database \(database.handle) has no pairs")
    var keyValue = MDB_val(key)
    var dataValue = MDB_val(value)
    let status = mdb_cursor_get(cursor, &keyValue, &dataValue, MDB_GET_BOTH)
    return status == MDB_SUCCESS ? mdb_cursor_del(cursor, 0) : status
}
