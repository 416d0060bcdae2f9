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
        // A damaged file may say anything: no database has more pages than the file, or more
        // entries than bytes.
        var info = MDB_envinfo()
        mdb_env_info(mdb_txn_env(handle), &info)
        let pages = 0...max(0, info.me_last_pgno)
        let entries = 0...(pages.upperBound + 1) * Int(stat.ms_psize)
        return DatabaseStatistics(
            pageSizeBytes: Int(stat.ms_psize), depth: Int(stat.ms_depth),
            branchPages: pages.nearest(stat.ms_branch_pages),
            leafPages: pages.nearest(stat.ms_leaf_pages),
            overflowPages: pages.nearest(stat.ms_overflow_pages),
            entries: entries.nearest(stat.ms_entries))
    }
}

extension ClosedRange<Int> {
    /// The number nearest to a `size_t` of C, which Swift takes for a negative one if it is huge.
    fileprivate func nearest(_ number: Int) -> Int {
        Swift.max(lowerBound, Swift.min(upperBound, Int(clamping: UInt(bitPattern: number))))
    }
}
