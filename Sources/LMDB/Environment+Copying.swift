// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Environment {
    /// Copies the newest commit into a new file, without the free pages, and syncs it.
    ///
    /// Like a read, copying keeps old pages from being reused. Half-empty pages stay so. The copy
    /// gets its name once it is whole and on the disk: one that fails or is killed leaves nothing
    /// under it. Who may read the file may read the copy, and its owner may write to it.
    ///
    /// LMDB's other kind of copy, with the free pages, stops writers for a moment by their mutex,
    /// outside the ``WriterQueue``, and takes over both headers, which need not fit the commit.
    ///
    /// - Parameter destination: The new file; it must not exist.
    /// - Throws: ``LMDBError`` with `EEXIST` where the destination exists, another `errno`
    ///   value, or `incompatible` where pages were lost and a copy is impossible.
    public func copy(to destination: String) throws(LMDBError) {
        require(
            writer.load(ordering: .relaxed) != currentThread(),
            "a copy of \(path) inside a write: it would wait for itself")
        try checkUsable()
        let failure = try copyAside(from: destination)
        guard failure == MDB_SUCCESS else {
            // LMDB's own codes are of what it reads, those of the system of where it writes.
            throw LMDBError(
                .init(rawValue: failure), path: failure < 0 ? path : destination,
                during: "Copying")
        }
    }

    private func copyAside(from destination: String) throws(LMDBError) -> Int32 {
        var status = stat()
        guard lstat(destination, &status) != 0 else { return EEXIST }
        let mode = fstat(descriptor, &status) == 0 ? status.st_mode & 0o777 : 0o600
        guard let file = UnfinishedFile(of: destination, mode: mode | 0o600) else { return errno }
        defer { file.end() }
        let failure = try withGrownMapAdopted { () throws(LMDBError) in
            guard file.empty() else { return errno }
            return mdb_env_copyfd2(handle, file.descriptor, UInt32(MDB_CP_COMPACT))
        }
        return failure == MDB_SUCCESS ? file.finish() : failure
    }
}
