// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// One row of a relationship's database.
struct Link: Comparable {
    let owner: UInt64
    let destination: UInt64

    static func < (left: Link, right: Link) -> Bool {
        left.owner != right.owner
            ? left.owner < right.owner : left.destination < right.destination
    }
}

extension ContiguousArray<Link> {
    /// Puts the rows in the order of the database: by owner, then by destination.
    mutating func sortAsStored() {
        // A save writes owners in the order of their keys: new members of few each are in order.
        guard zip(self, dropFirst()).contains(where: { $1 < $0 }) else { return }
        RadixOrder.sort(&self, by: \.destination)
        RadixOrder.sort(&self, by: \.owner)
    }
}

/// The changes of one relationship's database that a save collects.
struct LinkBatch {
    /// The relationship's number.
    let number: UInt32
    private let links: Database
    var insertions: ContiguousArray<Link> = []
    var deletions: ContiguousArray<Link> = []

    init(_ number: UInt32, _ links: Database) {
        self.number = number
        self.links = links
    }

    /// Deletes, then inserts, each in key order: pages are touched once and fill well.
    mutating func write(to transaction: borrowing WriteTransaction) throws(LMDBError) {
        deletions.sortAsStored()
        insertions.sortAsStored()
        // A cursor need not search where the next link belongs to the page that it is on.
        let cursor = try transaction.makeWriteCursor(links)
        for link in deletions { try cursor.delete(link.owner, link.destination) }
        for link in insertions { try cursor.put(link.destination, for: link.owner) }
    }
}

/// The changes of all relationships that a save collects.
///
/// A list, as relationships are few: links of one come in runs, so the last batch is mostly the one
/// that is asked for.
struct LinkBatches {
    private var batches: ContiguousArray<LinkBatch> = []
    private var last = 0

    mutating func insert(_ link: Link, _ number: UInt32, _ links: Database) {
        select(number, links)
        batches[last].insertions.append(link)
    }

    mutating func delete(_ link: Link, _ number: UInt32, _ links: Database) {
        select(number, links)
        batches[last].deletions.append(link)
    }

    @inline(__always)
    private mutating func select(_ number: UInt32, _ links: Database) {
        if last < batches.count, batches[last].number == number { return }
        last = batches.firstIndex { $0.number == number } ?? batches.count
        if last == batches.count { batches.append(LinkBatch(number, links)) }
    }

    /// Writes and forgets the batches, in the order of the relationships' numbers.
    mutating func write(to transaction: borrowing WriteTransaction) throws(LMDBError) {
        batches.sort { $0.number > $1.number }
        // Each one ends once it is written: a save of many objects has large ones.
        while var batch = batches.popLast() { try batch.write(to: transaction) }
    }
}
