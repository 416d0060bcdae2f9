// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Decides when a writer looks for readers that died.
///
/// A killed process leaves the slots of its read transactions behind, and LMDB reuses no page that
/// such a reader might read, so the file grows with every commit. A look costs a system call for
/// each other process that reads, so a writer looks only now and then.
struct ReaderCheck {
    /// How many commits go by at most.
    static let commits = 256
    /// How much the file grows at most: by an eighth and as many pages.
    static let pages = 1_024

    private var rest = ReaderCheck.commits
    private var limit = 0

    /// Counts a write that begins.
    ///
    /// - Parameter pageCount: The pages of the file in use or free now.
    /// - Returns: Whether to look.
    mutating func isDue(_ pageCount: Int) -> Bool {
        rest -= 1
        guard rest <= 0 || pageCount >= limit else { return false }
        let isFirst = limit == 0
        rest = ReaderCheck.commits
        limit = pageCount + pageCount / 8 + ReaderCheck.pages
        // Opening the file has looked.
        return !isFirst
    }
}

extension Environment {
    /// Frees the slots of readers that died, once in a while.
    ///
    /// Called with `writeLock` held, before a write transaction begins.
    func clearStaleReadersIfDue() {
        var info = MDB_envinfo()
        guard mdb_env_info(handle, &info) == MDB_SUCCESS,
            readerCheck.isDue(Int(info.me_last_pgno) + 1)
        else { return }
        // If this fails, the file only goes on growing.
        clearDeadReaders()
        if keeper != nil, !WithoutLocks.isAnybodyReading(descriptor) { endKeeping() }
    }

    /// Whether the path still leads to the file that is open; true for a file without a path.
    var isFileThere: Bool { options.isTemporary || isFile(at: path) }

    /// Whether a path leads to the file that is open, by whatever name and links.
    public func isFile(at path: String) -> Bool { FileIdentity(path: path) == identity }

    /// Checks that the path still leads to the file that is open.
    ///
    /// What is written to a file that was deleted, or that another one has replaced, is lost with
    /// the last process that has it open.
    ///
    /// - Throws: ``LMDBError`` with `fileIsGone`, or with the `errno` value where the system does
    ///   not tell, as for a folder that this process may not look into any more.
    func checkFileIsThere() throws(LMDBError) {
        guard !isFileThere else { return }
        let isUnknown = FileIdentity(path: path) == nil && errno != ENOENT && errno != ENOTDIR
        throw error(isUnknown ? .init(rawValue: errno) : .fileIsGone, "Beginning a write")
    }
}
