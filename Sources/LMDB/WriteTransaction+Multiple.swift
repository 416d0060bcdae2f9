// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

extension WriteTransaction {
    /// Opens a cursor that reads and writes.
    ///
    /// The cursor must be gone before the transaction ends, or the end traps.
    ///
    /// - Throws: ``LMDBError`` with `badDatabase` or `badTransaction`.
    @inlinable
    public func makeWriteCursor(_ database: Database) throws(LMDBError) -> WriteCursor {
        try WriteCursor(openCursor(in: database), database: database, counter: openCursors)
    }

    /// Writes many values of one length under one key of a `dupFixed` database.
    ///
    /// Values that are there already are left as they are.
    ///
    /// - Parameters:
    ///   - values: The values, packed one after the other; sorted is fastest.
    ///   - stride: The length of one value.
    ///   - key: The key.
    ///   - database: A database with `integerKey` and `dupFixed`.
    /// - Throws: ``LMDBError`` as ``put(_:for:in:options:)-swift.method``.
    public func putMultiple(
        _ values: UnsafeRawBufferPointer, stride: Int, for key: UInt64, in database: Database
    ) throws(LMDBError) {
        require(
            stride > 0 && values.count % stride == 0,
            "putMultiple of \(values.count) bytes with a stride of \(stride)")
        require(
            database.flags.contains(.dupFixed),
            "putMultiple in database \(database.handle), which has no dupFixed")
        assert(database.takesValue(ofByteCount: stride), "an integer of \(stride) bytes")
        guard !values.isEmpty else { return }
        let cursor = try makeWriteCursor(database)
        try cursor.putMultiple(values, stride: stride, for: key)
    }

    /// Writes many integers under one key of a `dupFixed` database.
    ///
    /// - Parameters:
    ///   - values: The values; sorted is fastest.
    ///   - key: The key.
    ///   - database: A database with `integerKey` and `dupFixed`.
    /// - Throws: ``LMDBError`` as ``put(_:for:in:options:)-swift.method``.
    public func putMultiple(
        _ values: [UInt64], for key: UInt64, in database: Database
    ) throws(LMDBError) {
        var result: Result<Void, LMDBError> = .success(())
        values.withUnsafeBytes { bytes in
            do throws(LMDBError) {
                try putMultiple(bytes, stride: 8, for: key, in: database)
            } catch {
                result = .failure(error)
            }
        }
        try result.get()
    }
}
