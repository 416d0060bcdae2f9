// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension WriteTransaction {
    /// Makes room for a value in the page itself and lets the caller fill it in.
    ///
    /// This saves a copy. The room holds arbitrary bytes at first, so `fill` has
    /// to write all of them.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - byteCount: The size of the value.
    ///   - database: A database with `integerKey` and without `dupSort`, or this traps.
    ///   - options: How to write it.
    ///   - fill: Writes the value; it is not called where nothing is written.
    /// - Returns: False where `noOverwrite` found the key; otherwise true.
    /// - Throws: ``LMDBError`` as ``put(_:for:in:options:)-swift.method``.
    @inlinable
    @discardableResult
    public func putReserving(
        _ key: UInt64, byteCount: Int, in database: Database, options: PutOptions = [],
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(LMDBError) -> Bool {
        assert(database.flags.contains(.integerKey), "database \(database.handle) has byte keys")
        var nativeKey = key
        var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let transaction = handle
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            rawReserve(transaction, database, bytes, byteCount, options, &room)
        }
        guard try outcome(status, options) else { return false }
        fill(room)
        return true
    }

    /// Makes room for a value under a key of bytes and lets the caller fill it in.
    ///
    /// - Parameters:
    ///   - key: The key, of 1 to 511 bytes.
    ///   - byteCount: The size of the value.
    ///   - database: A database without `dupSort`, or this traps.
    ///   - options: How to write it.
    ///   - fill: Writes the value; it is not called where nothing is written.
    /// - Returns: False where `noOverwrite` found the key; otherwise true.
    /// - Throws: ``LMDBError`` as ``put(_:for:in:options:)-swift.method``.
    @inlinable
    @discardableResult
    public func putReserving(
        _ key: UnsafeRawBufferPointer, byteCount: Int, in database: Database,
        options: PutOptions = [], _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(LMDBError) -> Bool {
        var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let status = rawReserve(handle, database, key, byteCount, options, &room)
        guard try outcome(status, options) else { return false }
        fill(room)
        return true
    }
}

extension WriteCursor {
    /// Makes room for a value under an integer key, moves there and lets the caller fill it in.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - byteCount: The size of the value.
    ///   - options: How to write it.
    ///   - fill: Writes the whole value; it is not called where nothing is written.
    /// - Returns: False where `noOverwrite` found the key; otherwise true.
    /// - Throws: ``LMDBError`` as `WriteTransaction.put`.
    @inlinable
    @discardableResult
    public func putReserving(
        _ key: UInt64, byteCount: Int, options: PutOptions = [],
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(LMDBError) -> Bool {
        require(
            byteCount >= 0 && !database.flags.contains(.dupSort),
            "putReserving(byteCount: \(byteCount)) in database \(database.handle)")
        let cursor = handle
        var nativeKey = key
        var value = MDB_val(mv_size: byteCount, mv_data: nil)
        let status = withUnsafeBytes(of: &nativeKey) { bytes in
            var keyValue = MDB_val(bytes)
            return mdb_cursor_put(
                cursor, &keyValue, &value, options.rawValue | UInt32(MDB_RESERVE))
        }
        guard try outcome(status, options) else { return false }
        fill(UnsafeMutableRawBufferPointer(start: value.mv_data, count: byteCount))
        return true
    }
}

/// Reserves room and returns LMDB's status.
@inlinable
func rawReserve(
    _ transaction: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer,
    _ byteCount: Int, _ options: PutOptions, _ room: inout UnsafeMutableRawBufferPointer
) -> Int32 {
    // MDB_RESERVE in a dupSort database is unchecked by LMDB and crashes it.
    require(
        !database.flags.contains(.dupSort),
        "putReserving(byteCount: \(byteCount)) in dupSort database \(database.handle)")
    require(byteCount >= 0, "putReserving(byteCount: \(byteCount))")
    assert(database.belongs(to: transaction), "database \(database.handle) is of another file")
    assert(database.takesKey(ofByteCount: key.count), "an integer key of \(key.count) bytes")
    var keyValue = MDB_val(key)
    var dataValue = MDB_val(mv_size: byteCount, mv_data: nil)
    let status = mdb_put(
        transaction, database.handle, &keyValue, &dataValue,
        options.rawValue | UInt32(MDB_RESERVE))
    if status == MDB_SUCCESS {
        room = UnsafeMutableRawBufferPointer(start: dataValue.mv_data, count: byteCount)
    }
    return status
}
