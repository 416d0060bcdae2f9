// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension MigrationPlan {
    /// Checks that the objects of an entity have as many destinations as the new model demands.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - records: Its records, of which there are some.
    ///   - databases: Those of the stored model.
    ///   - path: The file, for errors.
    func checkLinks(
        of entity: EntityMigration, _ records: Database, _ databases: StoreDatabases,
        path: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        let lost = removedNumbers
        for demand in entity.demands {
            func check(_ row: UInt64, _ before: Int, _ count: Int) throws(StoreError) {
                let key = ObjectKey(entity: entity.number, row: row)
                guard
                    let complaint = demand.complaint(about: key, having: before, keeping: count)
                else { return }
                throw StoreError(
                    .migration, path: path,
                    "\(entity.entity.name).\(demand.relationship.name) \(complaint)",
                    objects: [key])
            }
            switch demand.place {
            case .nowhere:
                let name = entity.entity.name
                throw StoreError(
                    .migration, path: path,
                    "\(name).\(demand.relationship.name) is new and must have a destination, and "
                        + "there are \(try transaction.entryCount(records)) objects of \(name), "
                        + "which have none; make the relationship optional")
            case .slot(let position):
                let offset = entity.conversion.former.fields[position].offset
                try entity.forEachRecord(in: records, transaction, path: path) { row, record in
                    guard !record.isNull(position) else { return try check(row, 0, 0) }
                    let other = ObjectKey(rawValue: record.load(at: offset, as: UInt64.self))
                    try check(row, 1, lost.contains(other.entity.rawValue) ? 0 : 1)
                }
            case .links(let number):
                guard let links = databases.links[number.rawValue] else { continue }
                try entity.forEachCount(
                    of: links, in: records, transaction, without: lost, path: path, check)
            }
        }
    }
}

extension EntityMigration {
    /// Calls a body with each row, the number of its links of a to-many relationship, and how many
    /// of them stay.
    ///
    /// - Parameter lost: The numbers of the entities whose objects go.
    fileprivate func forEachCount(
        of links: Database, in records: Database,
        _ transaction: borrowing some Transaction & ~Copyable, without lost: Set<UInt16>,
        path: String, _ body: (UInt64, Int, Int) throws -> Void
    ) throws {
        let isRanked = !links.flags.contains(.integerDup)
        let cursor = try transaction.makeCursor(links)
        // Both are in the order of the rows.
        var next = try cursor.seek(atLeast: ObjectKey(entity: number, row: 1).rawValue)
        try forEachRecord(in: records, transaction, path: path) { row, _ in
            let owner = ObjectKey(entity: number, row: row).rawValue
            var (before, kept) = (0, 0)
            while let entry = next {
                let link = try Link(entry, isRanked: isRanked, path: path)
                guard link.owner <= owner else { break }
                if link.owner == owner {
                    before += 1
                    let destination = ObjectKey(rawValue: link.destination)
                    if !lost.contains(destination.entity.rawValue) { kept += 1 }
                }
                next = try cursor.next()
            }
            try body(row, before, kept)
        }
    }
}
