// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Moves among the values of one key of a `dupSort` database.
extension CursorReading where Self: ~Copyable {
    /// Moves to the first value of the key the cursor stands on.
    @inlinable
    public func firstDuplicate() throws(LMDBError) -> Entry? {
        try moveAndReread(MDB_FIRST_DUP)
    }

    /// Moves to the last value of the key the cursor stands on.
    @inlinable
    public func lastDuplicate() throws(LMDBError) -> Entry? {
        try moveAndReread(MDB_LAST_DUP)
    }

    /// Moves to the next value of the same key; nil after the last one.
    @inlinable
    public func nextDuplicate() throws(LMDBError) -> Entry? {
        try move(MDB_NEXT_DUP)
    }

    /// Moves to the previous value of the same key; nil before the first one.
    @inlinable
    public func previousDuplicate() throws(LMDBError) -> Entry? {
        try move(MDB_PREV_DUP)
    }

    /// Moves to the first value of a key that is not below a value.
    @inlinable
    public func seek(
        _ key: UnsafeRawBufferPointer, duplicateAtLeast value: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH_RANGE, key, value)
    }

    /// Moves to the first value of a key of bytes that is not below an integer.
    @inlinable
    public func seek(
        _ key: UnsafeRawBufferPointer, duplicateAtLeast value: UInt64
    ) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH_RANGE, key, value)
    }

    /// Moves to the first value of an integer key that is not below an integer.
    @inlinable
    public func seek(_ key: UInt64, duplicateAtLeast value: UInt64) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH_RANGE, key, value)
    }

    /// Moves to a key with a value; nil where the pair is missing.
    @inlinable
    public func seekBoth(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH, key, value)
    }

    /// Moves to a key of bytes with an integer value; nil where the pair is missing.
    @inlinable
    public func seekBoth(
        _ key: UnsafeRawBufferPointer, _ value: UInt64
    ) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH, key, value)
    }

    /// Moves to a pair of integers; nil where the pair is missing.
    @inlinable
    public func seekBoth(_ key: UInt64, _ value: UInt64) throws(LMDBError) -> Entry? {
        try seek(MDB_GET_BOTH, key, value)
    }

    /// The number of values of the key the cursor stands on.
    @inlinable
    public func duplicateCount() throws(LMDBError) -> Int {
        var count = 0
        let status = mdb_cursor_count(handle, &count)
        guard status == MDB_SUCCESS else {
            throw transactionError(status, mdb_cursor_txn(handle), "Counting the values of a key")
        }
        return count
    }
}

extension CursorReading where Self: ~Copyable {
    /// Moves, then reads the entry: these moves leave LMDB's key untouched.
    @inlinable
    func moveAndReread(_ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
        var key = MDB_val()
        var value = MDB_val()
        let status = mdb_cursor_get(handle, &key, &value, operation)
        return try reread(status)
    }

    @inlinable
    func seek(
        _ operation: MDB_cursor_op, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Entry? {
        var keyValue = MDB_val(key)
        var dataValue = MDB_val(value)
        return try reread(mdb_cursor_get(handle, &keyValue, &dataValue, operation))
    }

    @inlinable
    func seek(
        _ operation: MDB_cursor_op, _ key: UnsafeRawBufferPointer, _ value: UInt64
    ) throws(LMDBError) -> Entry? {
        let cursor = handle
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            var keyValue = MDB_val(key)
            var dataValue = MDB_val(bytes)
            return mdb_cursor_get(cursor, &keyValue, &dataValue, operation)
        }
        return try reread(status)
    }

    @inlinable
    func seek(
        _ operation: MDB_cursor_op, _ key: UInt64, _ value: UInt64
    ) throws(LMDBError) -> Entry? {
        let cursor = handle
        var pair = (key, value)
        let status = withUnsafeBytes(of: &pair) { bytes in
            var keyValue = MDB_val(UnsafeRawBufferPointer(rebasing: bytes[0..<8]))
            var dataValue = MDB_val(UnsafeRawBufferPointer(rebasing: bytes[8..<16]))
            return mdb_cursor_get(cursor, &keyValue, &dataValue, operation)
        }
        return try reread(status)
    }

    /// The entry after a move that does not hand out both key and value.
    @inlinable
    func reread(_ status: Int32) throws(LMDBError) -> Entry? {
        guard status == MDB_SUCCESS else { return try entry(status, MDB_val(), MDB_val()) }
        return try current()
    }
}
