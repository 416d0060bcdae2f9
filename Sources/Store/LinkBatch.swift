// SPDX-License-Identifier: Apache-2.0

import LMDB

/// One row of a relationship's database.
struct Link: Comparable {
    let owner: UInt64
    let destination: UInt64

    static func < (left: Link, right: Link) -> Bool {
        left.owner != right.owner
            ? left.owner < right.owner : left.destination < right.destination
    }
}

/// The changes of one relationship's database that a save collects.
struct LinkBatch {
    private let links: Database
    var insertions: [Link] = []
    var deletions: [Link] = []

    init(_ links: Database) {
        self.links = links
    }

    /// Deletes, then inserts, each in key order: pages are touched once and fill well.
    func write(to transaction: borrowing WriteTransaction) throws(LMDBError) {
        for link in deletions.sorted() {
            _ = try transaction.delete(link.owner, link.destination, in: links)
        }
        guard !insertions.isEmpty else { return }
        // A cursor need not search where the next link belongs to the page that it is on.
        let cursor = try transaction.makeWriteCursor(links)
        for link in insertions.sorted() { try cursor.put(link.destination, for: link.owner) }
    }
}
