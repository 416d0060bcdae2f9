// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The moves of a cursor: what ``Cursor`` and ``WriteCursor`` have in common.
///
/// A cursor stands on one entry, or nowhere at first. A move returns the entry it
/// reaches, or nil where there is none. Bytes of an entry are good as long as
/// those that ``Transaction`` hands out.
public protocol CursorReading: ~Copyable {
    /// LMDB's cursor (`MDB_cursor *`).
    var handle: OpaquePointer { get }
}

extension CursorReading where Self: ~Copyable {
    /// The entry the cursor stands on.
    @inlinable
    public func current() throws(LMDBError) -> Entry? {
        var key = MDB_val()
        var value = MDB_val()
        let status = mdb_cursor_get(handle, &key, &value, MDB_GET_CURRENT)
        // EINVAL is LMDB's answer for a cursor that has not moved yet.
        return status == EINVAL ? nil : try entry(status, key, value)
    }

    /// Moves to the first entry.
    @inlinable
    public func first() throws(LMDBError) -> Entry? {
        try move(MDB_FIRST)
    }

    /// Moves to the last entry.
    @inlinable
    public func last() throws(LMDBError) -> Entry? {
        try move(MDB_LAST)
    }

    /// Moves to the next entry; to the first one at the start.
    @inlinable
    public func next() throws(LMDBError) -> Entry? {
        try move(MDB_NEXT)
    }

    /// Moves to the previous entry; to the last one at the start.
    @inlinable
    public func previous() throws(LMDBError) -> Entry? {
        try move(MDB_PREV)
    }

    /// Moves to the first value of the next key.
    @inlinable
    public func nextKey() throws(LMDBError) -> Entry? {
        try move(MDB_NEXT_NODUP)
    }

    /// Moves to the last value of the previous key.
    @inlinable
    public func previousKey() throws(LMDBError) -> Entry? {
        try move(MDB_PREV_NODUP)
    }

    /// Moves to a key; nil where it is missing.
    @inlinable
    public func seek(exactly key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
        try move(MDB_SET_KEY, key)
    }

    /// Moves to an integer key; nil where it is missing.
    @inlinable
    public func seek(exactly key: UInt64) throws(LMDBError) -> Entry? {
        try move(MDB_SET_KEY, key)
    }

    /// Moves to the first key that is not below a key.
    @inlinable
    public func seek(atLeast key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
        try move(MDB_SET_RANGE, key)
    }

    /// Moves to the first key that is not below an integer.
    @inlinable
    public func seek(atLeast key: UInt64) throws(LMDBError) -> Entry? {
        try move(MDB_SET_RANGE, key)
    }
}

extension CursorReading where Self: ~Copyable {
    /// Makes a move that needs no key.
    @inlinable
    func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
        var key = MDB_val()
        var value = MDB_val()
        let status = mdb_cursor_get(handle, &key, &value, operation)
        return try entry(status, key, value)
    }

    /// Makes a move to a key; the entry's key lies in the map.
    @inlinable
    func move(
        _ operation: MDB_cursor_op, _ key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Entry? {
        var found = MDB_val(key)
        var value = MDB_val()
        let status = mdb_cursor_get(handle, &found, &value, operation)
        return try entry(status, found, value)
    }

    /// Makes a move to an integer key; the entry's key lies in the map.
    @inlinable
    func move(_ operation: MDB_cursor_op, _ key: UInt64) throws(LMDBError) -> Entry? {
        let cursor = handle
        var nativeKey = key
        var found = MDB_val()
        var value = MDB_val()
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            found = MDB_val(bytes)
            return mdb_cursor_get(cursor, &found, &value, operation)
        }
        return try entry(status, found, value)
    }

    @inlinable
    func entry(_ status: Int32, _ key: MDB_val, _ value: MDB_val) throws(LMDBError) -> Entry? {
        guard status == MDB_SUCCESS else {
            if status == MDB_NOTFOUND { return nil }
            throw transactionError(status, mdb_cursor_txn(handle), "Moving a cursor")
        }
        return Entry(key: key.bytes, value: value.bytes)
    }
}
