// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

extension SaveTransaction {
    /// Notes that an owner has a destination; in an ordered relationship behind all others.
    public func link(_ owner: ObjectKey, to destination: ObjectKey, _ table: RelationshipTable) {
        guard let links = table.links else { return }
        if let recorder { recorder.relate(owner, table.number) }
        let link = Link(owner: owner.rawValue, destination: destination.rawValue)
        if table.isRanked {
            sequenceBatches[table.number.rawValue, default: SequenceBatch(links)].insertions
                .append(link)
        } else {
            linkBatches.insert(link, table.number.rawValue, links)
        }
    }

    /// Notes that an owner no longer has a destination.
    public func unlink(
        _ owner: ObjectKey, from destination: ObjectKey, _ table: RelationshipTable
    ) {
        guard let links = table.links else { return }
        if let recorder { recorder.relate(owner, table.number) }
        let link = Link(owner: owner.rawValue, destination: destination.rawValue)
        if table.isRanked {
            sequenceBatches[table.number.rawValue, default: SequenceBatch(links)].deletions
                .append(link)
        } else {
            linkBatches.delete(link, table.number.rawValue, links)
        }
    }

    /// Notes all destinations of an owner of an ordered relationship, in their order.
    ///
    /// Takes the place of all links and unlinks of the owner. Entries of destinations that need
    /// not move stay as they are.
    ///
    /// - Parameter destinations: The keys, each once.
    public func order(
        _ destinations: ContiguousArray<ObjectKey>, of owner: ObjectKey, _ table: RelationshipTable
    ) {
        guard let links = table.links else { return }
        require(
            table.isRanked, "\(table.relationship.name) keeps no order; use link(_:to:_:)")
        if let recorder { recorder.relate(owner, table.number) }
        sequenceBatches[table.number.rawValue, default: SequenceBatch(links)]
            .orders[owner.rawValue] = ContiguousArray(destinations.map(\.rawValue))
    }

    /// Removes all destinations of an owner, at once.
    @discardableResult
    public func unlinkAll(_ owner: ObjectKey, _ table: RelationshipTable) throws -> Bool {
        guard let links = table.links else { return false }
        return try write { (transaction, _) in try transaction.delete(owner.rawValue, in: links) }
    }

    /// Writes the collected links, relationship by relationship.
    func flushLinks() throws {
        try write { (transaction, _) in try linkBatches.write(to: transaction) }
        for (_, batch) in sequenceBatches.sorted(by: { $0.key < $1.key }) {
            try write { (transaction, _) in try batch.write(to: transaction) }
        }
        sequenceBatches = [:]
    }
}

extension SaveTransaction {
    /// Gives the ordered relationships of a file of version 1 the order that it kept: ascending.
    ///
    /// - Parameter unordered: The databases of version 1 by property number.
    func rank(_ unordered: [UInt32: Database]) throws {
        for table in store.tables {
            for relationship in table.relationships where relationship.isRanked {
                guard let ranked = relationship.links,
                    let former = unordered[relationship.number.rawValue]
                else { continue }
                try write { (transaction, _) in
                    try SaveTransaction.move(former, to: ranked, transaction)
                }
            }
        }
    }

    /// Moves the links of an unordered relationship into the database of an ordered one, ascending.
    static func move(
        _ former: Database, to ranked: Database, _ transaction: borrowing WriteTransaction
    ) throws {
        // Subentities share the database of the entity that declares the relationship.
        guard try transaction.entryCount(former) > 0 else { return }
        var owners: [UInt64] = []
        do {
            let cursor = try transaction.makeCursor(former)
            while let entry = try cursor.nextKey() { owners.append(entry.integerKey) }
        }
        var batch = SequenceBatch(ranked)
        for owner in owners {
            for key in try LinkReader.destinations(of: owner, former, in: transaction) {
                batch.insertions.append(Link(owner: owner, destination: key.rawValue))
            }
        }
        try batch.write(to: transaction)
        try transaction.removeAll(former)
    }
}
