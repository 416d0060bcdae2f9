// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Conveniences, for keys that are not on a hot path.
extension Transaction where Self: ~Copyable {
    /// Finds the value of a key given as an array of bytes.
    ///
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    public func get(
        _ key: [UInt8], in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        var result: Result<UnsafeRawBufferPointer?, LMDBError> = .success(nil)
        key.withUnsafeBytes { bytes in
            do throws(LMDBError) {
                result = .success(try get(bytes, in: database))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Finds the value of a key given as text: its UTF-8 bytes.
    ///
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    public func get(
        _ key: String, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try get(Array(key.utf8), in: database)
    }

    /// The number of entries of a database; each value of a `dupSort` key counts.
    ///
    /// - Complexity: O(1)
    public func entryCount(_ database: Database) throws(LMDBError) -> Int {
        try statistics(database).entries
    }

    /// The size and shape of a database's tree.
    ///
    /// - Complexity: O(1)
    public func statistics(_ database: Database) throws(LMDBError) -> DatabaseStatistics {
        assert(database.belongs(to: handle), "database \(database.handle) is of another file")
        var stat = MDB_stat()
        let status = mdb_stat(handle, database.handle, &stat)
        guard status == MDB_SUCCESS else {
            throw accessError(status, handle, "Measuring a database")
        }
        return DatabaseStatistics(
            pageSizeBytes: Int(stat.ms_psize), depth: Int(stat.ms_depth),
            branchPages: stat.ms_branch_pages, leafPages: stat.ms_leaf_pages,
            overflowPages: stat.ms_overflow_pages, entries: stat.ms_entries)
    }
}
