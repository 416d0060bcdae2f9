// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The changes of one ordered relationship's database that a save collects.
struct SequenceBatch {
    private let links: Database
    /// Destinations to append, each owner's in their order.
    var insertions: ContiguousArray<Link> = []
    var deletions: ContiguousArray<Link> = []
    /// The wanted orders by owner, each with all of the owner's destinations.
    var orders: [UInt64: ContiguousArray<UInt64>] = [:]

    init(_ links: Database) {
        self.links = links
    }

    /// Writes owner by owner, ascending.
    func write(to transaction: borrowing WriteTransaction) throws(LMDBError) {
        // Those of one owner stay in their order.
        var added = insertions
        RadixOrder.sort(&added, by: \.owner)
        var removed = deletions
        removed.sortAsStored()
        var owners = Set(orders.keys)
        for link in insertions { owners.insert(link.owner) }
        for link in deletions { owners.insert(link.owner) }
        var nextAdded = 0
        var nextRemoved = 0
        for owner in owners.sorted() {
            var additions: ContiguousArray<UInt64> = []
            while nextAdded < added.count, added[nextAdded].owner == owner {
                additions.append(added[nextAdded].destination)
                nextAdded += 1
            }
            var removals: ContiguousArray<UInt64> = []
            while nextRemoved < removed.count, removed[nextRemoved].owner == owner {
                removals.append(removed[nextRemoved].destination)
                nextRemoved += 1
            }
            if let order = orders[owner] {
                try rewrite(owner, order, transaction)
            } else {
                try change(owner, additions, removals, transaction)
            }
        }
    }

    /// Takes out the removals, then appends the additions that are not there yet.
    ///
    /// Reads the owner's entries page by page: there is no index from destinations to ranks, as it
    /// would double what a move has to write.
    private func change(
        _ owner: UInt64, _ additions: ContiguousArray<UInt64>,
        _ removals: ContiguousArray<UInt64>, _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let stored = try LinkReader.rankedLinks(of: owner, links, in: transaction)
        let leaving = SortedKeys(removals)
        let coming = SortedKeys(additions)
        var known: Set<UInt64> = []
        for link in stored {
            if leaving.contains(link.destination) {
                try delete(link, owner, transaction)
            } else if coming.contains(link.destination) {
                known.insert(link.destination)
            }
        }
        var rank = stored.last?.rank
        for destination in additions where known.insert(destination).inserted {
            let next = rank.map { $0.addingReportingOverflow(RankedLink.gap) }
            if next?.overflow == true { return try rewriteAll(owner, additions, transaction) }
            rank = next?.partialValue ?? RankedLink.firstRank
            let link = RankedLink(rank: rank ?? 0, destination: destination)
            try put(link, owner, transaction)
        }
    }

    /// The ranks behind the last one have run out: orders what is stored now, and the additions.
    private func rewriteAll(
        _ owner: UInt64, _ additions: ContiguousArray<UInt64>,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        var order = ContiguousArray(
            try LinkReader.rankedLinks(of: owner, links, in: transaction).map(\.destination))
        var known = Set(order)
        for destination in additions where known.insert(destination).inserted {
            order.append(destination)
        }
        try rewrite(owner, order, transaction)
    }

    private func rewrite(
        _ owner: UInt64, _ order: ContiguousArray<UInt64>,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let stored = try LinkReader.rankedLinks(of: owner, links, in: transaction)
        let rewrite = SequenceRewrite(stored: stored, target: order)
        for link in rewrite.deletions { try delete(link, owner, transaction) }
        for link in rewrite.insertions { try put(link, owner, transaction) }
    }

    private func put(
        _ link: RankedLink, _ owner: UInt64, _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        var bytes = (link.rank.bigEndian, link.destination)
        try withUnsafeBytes(of: &bytes) { (value) throws(LMDBError) in
            _ = try transaction.put(value, for: owner, in: links)
        }
    }

    private func delete(
        _ link: RankedLink, _ owner: UInt64, _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        var bytes = (owner, link.rank.bigEndian, link.destination)
        try withUnsafeBytes(of: &bytes) { (all) throws(LMDBError) in
            _ = try transaction.delete(
                UnsafeRawBufferPointer(rebasing: all[..<8]),
                UnsafeRawBufferPointer(rebasing: all[8...]), in: links)
        }
    }
}

/// A few keys to look up among many.
private struct SortedKeys {
    private let keys: ContiguousArray<UInt64>

    init(_ keys: ContiguousArray<UInt64>) {
        self.keys = ContiguousArray(keys.sorted())
    }

    func contains(_ key: UInt64) -> Bool {
        // Most keys are outside of this range, as added objects are mostly newer than stored ones.
        guard let first = keys.first, let last = keys.last, key >= first, key <= last else {
            return false
        }
        return keys.hasSorted(key)
    }
}
