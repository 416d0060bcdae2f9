// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Reads the values of a `dupFixed` key page by page.
extension CursorReading where Self: ~Copyable {
    /// Moves to an integer key and returns its first page of values, packed.
    ///
    /// - Returns: The values, one after the other, or nil where the key is missing. They
    ///   are two-byte aligned at best: use unaligned loads.
    @inlinable
    public func firstMultiple(_ key: UInt64) throws(LMDBError) -> UnsafeRawBufferPointer? {
        guard try seek(exactly: key) != nil else { return nil }
        return try pageOfValues()
    }

    /// Moves to a key and returns its first page of values, packed.
    ///
    /// - Returns: The values, one after the other, or nil where the key is missing. They
    ///   are two-byte aligned at best: use unaligned loads.
    @inlinable
    public func firstMultiple(
        _ key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        guard try seek(exactly: key) != nil else { return nil }
        return try pageOfValues()
    }

    /// Returns the next page of values of the same key, packed; nil after the last one.
    @inlinable
    public func nextMultiple() throws(LMDBError) -> UnsafeRawBufferPointer? {
        try move(MDB_NEXT_MULTIPLE)?.value
    }

    /// The page of values that the cursor stands in.
    @inlinable
    func pageOfValues() throws(LMDBError) -> UnsafeRawBufferPointer? {
        guard let page = try move(MDB_GET_MULTIPLE)?.value else { return nil }
        // With a single value LMDB 0.9.24 reports success and hands out nothing.
        return page.baseAddress == nil ? try current()?.value : page
    }
}
