// SPDX-License-Identifier: Apache-2.0

/// Conveniences, for keys that are not on a hot path.
extension WriteTransaction {
    /// Writes an entry given as arrays of bytes.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as for raw bytes.
    @discardableResult
    public func put(
        _ value: [UInt8], for key: [UInt8], in database: Database, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        let status = key.withUnsafeBytes { keyBytes in
            value.withUnsafeBytes { rawPut(handle, database, keyBytes, $0, options) }
        }
        return try outcome(status, options)
    }

    /// Writes an entry under a key given as text: its UTF-8 bytes.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as for raw bytes.
    @discardableResult
    public func put(
        _ value: [UInt8], for key: String, in database: Database, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        try put(value, for: Array(key.utf8), in: database, options: options)
    }

    /// Writes an array of bytes under an integer key.
    ///
    /// - Returns: False where `noOverwrite` found the key or `noDuplicate` the pair.
    /// - Throws: ``LMDBError`` as for raw bytes.
    @discardableResult
    public func put(
        _ value: [UInt8], for key: UInt64, in database: Database, options: PutOptions = []
    ) throws(LMDBError) -> Bool {
        var nativeKey = key
        let status = withUnsafeBytes(of: &nativeKey) { keyBytes in
            value.withUnsafeBytes { rawPut(handle, database, keyBytes, $0, options) }
        }
        return try outcome(status, options)
    }

    /// Deletes a key given as an array of bytes, with all its values.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` as for raw bytes.
    @discardableResult
    public func delete(_ key: [UInt8], in database: Database) throws(LMDBError) -> Bool {
        try deletion(key.withUnsafeBytes { rawDelete(handle, database, $0, nil) })
    }

    /// Deletes a key given as text, with all its values.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``LMDBError`` as for raw bytes.
    @discardableResult
    public func delete(_ key: String, in database: Database) throws(LMDBError) -> Bool {
        try delete(Array(key.utf8), in: database)
    }
}
