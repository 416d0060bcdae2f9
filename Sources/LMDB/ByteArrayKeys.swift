// SPDX-License-Identifier: Apache-2.0

import CLMDB

// Array forms for keys that are made anew each time anyway; hot paths pass buffers.

extension WriteTransaction {
    /// Writes a number under a byte key.
    @discardableResult
    public func put(
        _ value: UInt64, for key: [UInt8], in database: Database, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        var nativeValue = value
        let status = key.withUnsafeBytes { keyBytes in
            withUnsafeBytes(of: &nativeValue) {
                rawPut(handle, database, keyBytes, $0, options)
            }
        }
        return try outcome(status, options)
    }

    /// Deletes one number from a byte key of a `dupSort` database; false when it is not there.
    @discardableResult
    public func delete(
        _ key: [UInt8], _ value: UInt64, in database: Database
    ) throws(LMDBError) -> Bool {
        var nativeValue = value
        let status = key.withUnsafeBytes { keyBytes in
            withUnsafeBytes(of: &nativeValue) { rawDelete(handle, database, keyBytes, $0) }
        }
        return try deletion(status)
    }
}

extension CursorReading where Self: ~Copyable {
    /// Moves to a key; `nil` when it is not there.
    public func seek(exactly key: [UInt8]) throws(LMDBError) -> Entry? {
        try seekArray(key, MDB_SET_KEY)
    }

    /// Moves to the first key that is not less; `nil` when there is none.
    public func seek(atLeast key: [UInt8]) throws(LMDBError) -> Entry? {
        try seekArray(key, MDB_SET_RANGE)
    }

    // The pointer stays inside the closure; errors leave it as a result, as withUnsafeBytes of an
    // array does not pass typed errors on.
    private func seekArray(
        _ key: [UInt8], _ operation: MDB_cursor_op
    ) throws(LMDBError) -> Entry? {
        var found = MDB_val()
        var value = MDB_val()
        let cursor = handle
        let status = key.withUnsafeBytes { bytes in
            found = MDB_val(bytes)
            return mdb_cursor_get(cursor, &found, &value, operation)
        }
        return try entry(status, found, value)
    }
}
