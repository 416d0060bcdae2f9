// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A position in a database, for reading and writing.
///
/// Only a ``WriteTransaction`` makes one. The rule of ``Cursor`` holds: it must
/// be gone before the transaction ends. `MDB_CURRENT` is offered for values of
/// equal size only, as LMDB 0.9.24 loses bytes of others with it; to replace a
/// value of a `dupSort` key, delete it and put the new one.
@frozen
public struct WriteCursor: ~Copyable, CursorReading {
    /// LMDB's cursor (`MDB_cursor *`).
    public let handle: OpaquePointer
    /// The database it moves in.
    public let database: Database
    @usableFromInline let counter: UnsafeMutablePointer<Int>

    @inlinable
    init(_ handle: OpaquePointer, database: Database, counter: UnsafeMutablePointer<Int>) {
        self.handle = handle
        self.database = database
        self.counter = counter
        counter.pointee += 1
    }

    @inlinable
    deinit {
        mdb_cursor_close(handle)
        counter.pointee -= 1
    }
}

extension WriteCursor {
    /// Writes an entry and moves to it; fast when it is near the last one.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    @discardableResult
    public func put(
        _ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        try outcome(rawPut(handle, database, cursorKey: key, value, options), options)
    }

    /// Writes an entry under an integer key and moves to it.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    @discardableResult
    public func put(
        _ value: UnsafeRawBufferPointer, for key: UInt64, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        let cursor = handle
        let database = database
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawPut(cursor, database, cursorKey: bytes, value, options)
        }
        return try outcome(status, options)
    }

    /// Writes a pair of integers and moves to it.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    @discardableResult
    public func put(
        _ value: UInt64, for key: UInt64, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            var nativeKey = key
            return withUnsafeBytes(of: &nativeKey) { keyBytes in
                rawPut(handle, database, cursorKey: keyBytes, bytes, options)
            }
        }
        return try outcome(status, options)
    }

    /// Writes an integer value under a key of bytes and moves to it.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    @discardableResult
    public func put(
        _ value: UInt64, for key: UnsafeRawBufferPointer, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            rawPut(handle, database, cursorKey: key, bytes, options)
        }
        return try outcome(status, options)
    }

    /// Writes an integer value behind all others of a key of bytes and moves to it: their pages are
    /// filled, where values that may come anywhere leave them half empty.
    ///
    /// - Returns: False where the key has a value that is not below; then nothing is written.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    public func putLast(
        _ value: UInt64, for key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Bool {
        try putBehind(value, for: key, .appendDuplicate)
    }

    /// Writes an integer value behind all entries of the database and moves to it: pages are
    /// filled, where keys that may come anywhere leave them half empty.
    ///
    /// - Returns: False where the last key is not below; then nothing is written.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    public func putAtEnd(
        _ value: UInt64, for key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Bool {
        try putBehind(value, for: key, .append)
    }

    @inlinable
    func putBehind(
        _ value: UInt64, for key: UnsafeRawBufferPointer, _ options: PutOptions
    ) throws(LMDBError) -> Bool {
        var nativeValue = value
        let status = withUnsafeBytes(of: &nativeValue) { bytes in
            rawPut(handle, database, cursorKey: key, bytes, options)
        }
        return try isWritten(status)
    }

    /// Writes an entry of an integer key behind all others and moves to it.
    ///
    /// - Returns: False where the last key is not below; then nothing is written.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    public func putAtEnd(
        _ value: UnsafeRawBufferPointer, for key: UInt64
    ) throws(LMDBError) -> Bool {
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawPut(handle, database, cursorKey: bytes, value, .append)
        }
        return try isWritten(status)
    }

    /// Replaces the value of the entry the cursor stands on, without another search.
    ///
    /// - Parameters:
    ///   - value: The new value, of the size of the old one.
    ///   - key: The key that the cursor stands on.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    public func overwriteCurrent(
        _ value: UnsafeRawBufferPointer, for key: UInt64
    ) throws(LMDBError) {
        assert(!database.flags.contains(.dupSort), "overwriteCurrent in a dupSort database")
        let cursor = handle
        let database = database
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawPut(
                cursor, database, cursorKey: bytes, value, PutOptions(rawValue: UInt32(MDB_CURRENT))
            )
        }
        try check(status, "Overwriting an entry")
    }

    /// Deletes the entry the cursor stands on.
    ///
    /// A following ``CursorReading/next()`` moves to the entry after it. Walk forwards
    /// when deleting: LMDB 0.9.24 loses its way backwards in a `dupSort` database.
    ///
    /// - Throws: ``LMDBError`` with `EINVAL` where the cursor stands nowhere, or `mapFull`.
    @inlinable
    public func deleteCurrent() throws(LMDBError) {
        try check(mdb_cursor_del(handle, 0), "Deleting an entry")
    }

    /// Deletes the key the cursor stands on with all its values.
    ///
    /// - Throws: ``LMDBError`` with `EINVAL` where the cursor stands nowhere, or `mapFull`.
    @inlinable
    public func deleteCurrentKey() throws(LMDBError) {
        let flags = database.flags.contains(.dupSort) ? UInt32(MDB_NODUPDATA) : 0
        try check(mdb_cursor_del(handle, flags), "Deleting a key")
    }

    /// Writes many values of one length under one key.
    ///
    /// LMDB 0.9.24 stops at the first value that is there already and reports success, so
    /// `MDB_MULTIPLE` only serves new keys, and what it reports is checked.
    func putMultiple(
        _ values: UnsafeRawBufferPointer, stride: Int, for key: UInt64
    ) throws(LMDBError) {
        let isNew = try seek(exactly: key) == nil
        if isNew, try putAllAtOnce(values, stride: stride, for: key) { return }
        for offset in Swift.stride(from: 0, to: values.count, by: stride) {
            try put(UnsafeRawBufferPointer(rebasing: values[offset..<offset + stride]), for: key)
        }
    }

    /// Writes many values in one call; returns whether LMDB took them all.
    private func putAllAtOnce(
        _ values: UnsafeRawBufferPointer, stride: Int, for key: UInt64
    ) throws(LMDBError) -> Bool {
        let count = values.count / stride
        var nativeKey = key
        var data = (
            MDB_val(
                mv_size: stride, mv_data: UnsafeMutableRawPointer(mutating: values.baseAddress)),
            MDB_val(mv_size: count, mv_data: nil)
        )
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            var keyValue = MDB_val(bytes)
            return withUnsafeMutableBytes(of: &data) { pair in
                let first = pair.baseAddress?.assumingMemoryBound(to: MDB_val.self)
                return mdb_cursor_put(handle, &keyValue, first, UInt32(MDB_MULTIPLE))
            }
        }
        try check(status, "Writing several values")
        return data.1.mv_size == count
    }

    @inlinable
    func outcome(_ status: Int32, _ options: PutOptions) throws(LMDBError) -> Bool {
        if status == MDB_KEYEXIST && options.reportsExisting { return false }
        try check(status, "Writing an entry")
        return true
    }

    /// The outcome of an entry that is written only where it is the last one.
    @inlinable
    func isWritten(_ status: Int32) throws(LMDBError) -> Bool {
        if status == MDB_KEYEXIST { return false }
        try check(status, "Writing an entry")
        return true
    }

    @inlinable
    func check(_ status: Int32, _ operation: StaticString) throws(LMDBError) {
        guard status == MDB_SUCCESS else {
            throw transactionError(status, mdb_cursor_txn(handle), operation)
        }
    }
}

/// Puts bytes through a cursor and returns LMDB's status.
@inlinable
func rawPut(
    _ cursor: OpaquePointer, _ database: Database, cursorKey key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer, _ options: PutOptions
) -> Int32 {
    assert(database.takesKey(ofByteCount: key.count), "an integer key of \(key.count) bytes")
    assert(database.takesValue(ofByteCount: value.count), "an integer of \(value.count) bytes")
    var keyValue = MDB_val(key)
    var dataValue = MDB_val(value)
    return mdb_cursor_put(cursor, &keyValue, &dataValue, options.rawValue)
}
