// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Checks links and index entries, which have no checksums but are stored twice.
extension ContentCheck {
    /// Each index has the entries that the records ask for, in order, and no others.
    func checkIndexes() throws {
        var checked: Set<UInt32> = []
        for table in store.tables {
            for index in snapshot.catalog.indexes(of: table)
            where checked.insert(index.number.rawValue).inserted {
                var found = EntrySum()
                let cursor = try snapshot.snapshot.makeCursor(index.entries)
                while let entry = try cursor.next() {
                    guard entry.value.count == 8 else { throw wrong(index, table) }
                    found.add(entry.key, ObjectKey(rawValue: entry.integerValue))
                }
                guard found == indexSums[index.number.rawValue] ?? EntrySum() else {
                    throw wrong(index, table)
                }
            }
        }
    }

    private func wrong(_ index: IndexTable, _ table: EntityTable) -> StoreError {
        damaged(
            "the index \(index.index.name) of \(table.entity.name) does not have the entries that "
                + "its objects ask for",
            "restore the file from a copy, or open it with a model without this index and then "
                + "with it again, which builds it anew")
    }

    /// The links of each relationship are in order, lead to objects of the right kind, and agree
    /// with those of its inverse.
    func checkLinks() throws {
        var sums: [UInt32: LinkSums] = [:]
        var tables: [UInt32: (owner: EntityTable, relationship: RelationshipTable)] = [:]
        for table in store.tables {
            for relationship in table.relationships where relationship.isLinked {
                let number = relationship.number.rawValue
                guard tables[number] == nil else { continue }
                tables[number] = (table, relationship)
                sums[number] = try LinkSums(self, table, relationship)
            }
        }
        for (number, found) in tables.sorted(by: { $0.key < $1.key }) {
            guard let inverse = inverse(of: found.relationship) else { continue }
            let forward = sums[number]?.forward ?? EntrySum()
            let other =
                inverse.isLinked
                ? sums[inverse.number.rawValue]?.backward : slotSums[inverse.number.rawValue]
            guard forward != other ?? EntrySum() else { continue }
            try compare(found.owner, found.relationship, inverse)
        }
    }

    func inverse(of table: RelationshipTable) -> RelationshipTable? {
        guard let name = table.relationship.inverse,
            let other = store.table(named: table.relationship.destination)?
                .relationship(named: name),
            !other.relationship.isTransient
        else { return nil }
        return other
    }

    /// Compares the links of a relationship and its inverse one by one.
    ///
    /// A link with one end deleted need not be stored twice: a delete rule may leave it.
    private func compare(
        _ owner: EntityTable, _ relationship: RelationshipTable, _ inverse: RelationshipTable
    ) throws {
        var forward = try pairs(of: relationship)
        forward.sortAsStored()
        var backward = ContiguousArray(
            try pairs(of: inverse).lazy.map { Link(owner: $0.destination, destination: $0.owner) })
        backward.sortAsStored()
        var (left, right) = (0, 0)
        while left < forward.count || right < backward.count {
            let first = left < forward.count ? forward[left] : nil
            let second = right < backward.count ? backward[right] : nil
            if let first, let second, first == second {
                (left, right) = (left + 1, right + 1)
                continue
            }
            let isForward = second.map { second in first.map { $0 < second } ?? false } ?? true
            guard let lonely = isForward ? first : second else { return }
            if isForward { left += 1 } else { right += 1 }
            let keys = [lonely.owner, lonely.destination].map { ObjectKey(rawValue: $0) }
            guard try keys.allSatisfy({ try snapshot.record(for: $0) != nil }) else { continue }
            throw damaged(
                "\(owner.entity.name).\(relationship.relationship.name) and its inverse disagree "
                    + "about \(keys[0]) and \(keys[1])",
                "restore the file from a copy, or set the relationship of one of these objects "
                    + "anew", keys)
        }
    }

    /// All links of a relationship, to-one ones too.
    func pairs(of relationship: RelationshipTable) throws -> ContiguousArray<Link> {
        var pairs: ContiguousArray<Link> = []
        if let links = relationship.links {
            let cursor = try snapshot.snapshot.makeCursor(links)
            while let entry = try cursor.next() {
                pairs.append(
                    Link(
                        owner: entry.integerKey,
                        destination: LinkSums.destination(entry, isRanked: relationship.isRanked)))
            }
            return pairs
        }
        for table in store.tables {
            let fields = table.layout.fields
            guard let field = fields.firstIndex(where: { $0.number == relationship.number })
            else { continue }
            let offset = table.layout.fields[field].offset
            var cursor = try snapshot.records(of: table)
            while let (object, record) = try cursor.next() {
                if record.isNull(field) { continue }
                pairs.append(
                    Link(
                        owner: object.rawValue,
                        destination: record.load(at: offset, as: UInt64.self)))
            }
        }
        return pairs
    }
}

/// The links of one to-many relationship, summed up in both directions.
private struct LinkSums {
    var forward = EntrySum()
    var backward = EntrySum()

    init(_ check: ContentCheck, _ table: EntityTable, _ relationship: RelationshipTable) throws {
        guard let links = relationship.links else { return }
        let byteCount = relationship.isRanked ? RankedLink.byteCount : 8
        var former: (owner: UInt64, rank: UInt64, destination: UInt64)?
        let cursor = try check.snapshot.snapshot.makeCursor(links)
        while let entry = try cursor.next() {
            guard entry.key.count == 8, entry.value.count == byteCount else {
                throw LinkSums.wrong(check, table, relationship)
            }
            let owner = entry.integerKey
            let raw = LinkSums.destination(entry, isRanked: relationship.isRanked)
            let rank =
                relationship.isRanked
                ? UInt64(bigEndian: entry.value.loadUnaligned(as: UInt64.self)) : 0
            // Destinations of one rank would be ordered as bytes.
            let link = (
                owner: owner, rank: rank,
                destination: relationship.isRanked ? raw.byteSwapped : raw
            )
            if let former, former >= link { throw LinkSums.wrong(check, table, relationship) }
            former = link
            let (from, to) = (ObjectKey(rawValue: owner), ObjectKey(rawValue: raw))
            guard check.store.ordinal(of: from.entity) != nil,
                check.store.ordinal(of: to.entity) != nil
            else { throw LinkSums.wrong(check, table, relationship) }
            forward.add(from, to)
            backward.add(to, from)
        }
    }

    /// The destination of an entry: all of it, or what follows the rank.
    static func destination(_ entry: Entry, isRanked: Bool) -> UInt64 {
        entry.value.loadUnaligned(fromByteOffset: isRanked ? 8 : 0, as: UInt64.self)
    }

    private static func wrong(
        _ check: ContentCheck, _ table: EntityTable, _ relationship: RelationshipTable
    ) -> StoreError {
        check.damaged(
            "the links of \(table.entity.name).\(relationship.relationship.name) are no links or "
                + "out of order", ContentCheck.restore)
    }
}
