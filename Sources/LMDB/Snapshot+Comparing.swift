// SPDX-License-Identifier: Apache-2.0

/// What does not change from one state of a file to the next.
///
/// LMDB never changes a page that a snapshot sees: a transaction writes elsewhere, and what it
/// replaces is used again only when no snapshot sees it any more.
extension Snapshot {
    /// Whether nothing was written to a database between two snapshots.
    ///
    /// As long as one of them reads, bytes of the database that lie on pages of their own (see
    /// ``Environment/keepsOnOwnPages(byteCount:)``) are good for both.
    ///
    /// - Parameters:
    ///   - database: A database of both.
    ///   - other: A snapshot of the same environment. Both must be active: pages of a snapshot that
    ///     is parked may have been used again.
    /// - Returns: False also where a database cannot be found.
    /// - Complexity: Two look-ups.
    public func hasSameContents(of database: Database, as other: Snapshot) -> Bool {
        guard environment === other.environment, isActive, other.isActive,
            let name = environment.namesByHandle.withLock({ $0[database.handle] }),
            let mine = MappedTree.record(named: name, in: handle),
            let theirs = MappedTree.record(named: name, in: other.handle)
        else { return false }
        // The record names the first page, which each change of the database replaces.
        return mine.elementsEqual(theirs)
    }
}

extension Environment {
    /// Whether LMDB keeps values of a size on pages that have nothing else on them.
    ///
    /// Such a value stays in its place in the map until it is replaced or deleted, whatever happens
    /// to other entries, and begins 16 bytes behind the start of a page. LMDB does so with what
    /// does not fit a page twice (`me_nodemax` in mdb.c).
    public func keepsOnOwnPages(byteCount: Int) -> Bool {
        pageByteCountInMap > 0 && byteCount >= pageByteCountInMap / 2
    }
}
