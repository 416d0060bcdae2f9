// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The links of to-one relationships that become to-many, by the numbers of these.
struct OpenedLinks {
    fileprivate var links: [UInt32: ContiguousArray<Link>] = [:]

    /// Takes a link from a slot.
    mutating func add(_ link: Link, _ opened: EntityMigration.Opened) {
        links[opened.number.rawValue, default: []].append(link)
    }
}

extension SaveTransaction {
    /// Writes the links that were slots of records.
    func write(_ opened: OpenedLinks) throws {
        for (number, links) in opened.links.sorted(by: { $0.key < $1.key }) {
            guard let database = store.databases.links[number] else { continue }
            try write(links, to: database)
        }
    }

    private func write(_ links: ContiguousArray<Link>, to database: Database) throws {
        if database.flags.contains(.integerDup) {
            var batch = LinkBatch(0, database)
            batch.insertions = links
            try batch.write(to: transaction)
        } else {
            var batch = SequenceBatch(database)
            batch.insertions = links
            try batch.write(to: transaction)
        }
    }

    /// Moves the links of relationships that are ordered from now on, or no more, and empties the
    /// databases of those that go.
    func moveLinks(_ plan: MigrationPlan, from former: StoreDatabases) throws {
        for (number, old) in former.links {
            guard let new = store.databases.links[number] else {
                try transaction.removeAll(old)
                continue
            }
            guard old.flags != new.flags else { continue }
            if new.flags.contains(.integerDup) {
                try unrank(old, to: new)
            } else {
                try SaveTransaction.move(old, to: new, transaction)
            }
        }
    }

    /// Moves the links of an ordered relationship into the database of an unordered one.
    private func unrank(_ ranked: Database, to database: Database) throws {
        var links: ContiguousArray<Link> = []
        do {
            let cursor = try transaction.makeCursor(ranked)
            while let entry = try cursor.next() {
                links.append(try Link(entry, isRanked: true, path: store.path))
            }
        }
        try write(links, to: database)
        try transaction.removeAll(ranked)
    }

    /// Removes the links of relationships that stay from and to objects that go.
    func removeLostLinks(_ plan: MigrationPlan, _ lost: Set<UInt16>) throws {
        func isLost(_ key: UInt64) -> Bool {
            lost.contains(ObjectKey(rawValue: key).entity.rawValue)
        }
        for number in plan.relationshipsWithLosses.sorted() {
            guard let database = store.databases.links[number] else { continue }
            let isRanked = !database.flags.contains(.integerDup)
            var entries: [(owner: UInt64, value: [UInt8])] = []
            do {
                let cursor = try transaction.makeCursor(database)
                while let entry = try cursor.next() {
                    let link = try Link(entry, isRanked: isRanked, path: store.path)
                    guard isLost(link.owner) || isLost(link.destination) else { continue }
                    entries.append((link.owner, Array(entry.value)))
                }
            }
            for (owner, value) in entries {
                _ = try withUnsafeBytes(of: owner) { key in
                    try value.withUnsafeBytes { try transaction.delete(key, $0, in: database) }
                }
            }
        }
    }
}
