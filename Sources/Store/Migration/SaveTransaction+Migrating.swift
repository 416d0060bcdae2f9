// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Gives a file the objects and the catalog of another model.
    ///
    /// The store is one of the new model already, and has its databases.
    ///
    /// - Parameters:
    ///   - plan: What is to be done.
    ///   - former: The databases of the stored model.
    ///   - leftovers: The databases of its indexes that the file has no more.
    /// - Throws: ``StoreError`` with `migration` where objects cannot be those of the new model.
    func migrate(
        _ plan: MigrationPlan, from former: StoreDatabases, emptying leftovers: [Database]
    ) throws {
        // Other programs may have written since the plan was made.
        try plan.check(former, store.meta, path: store.path, in: transaction)
        let lost = plan.removedNumbers
        var links = OpenedLinks()
        for entity in plan.entities where entity.changesRecords || !entity.opened.isEmpty {
            try convert(entity, lost, &links)
        }
        try moveLinks(plan, from: former)
        try removeLostLinks(plan, lost)
        try write(links)
        try removeEntities(plan, lost, from: former)
        try startRows(plan)
        for database in leftovers { try transaction.removeAll(database) }
        try noteFormerModel(plan.former.schema)
        try writeCatalog(plan.catalog)
        let new = plan.newIndexes
        for table in store.tables {
            for index in catalog.indexes(of: table) where new.contains(index.number.rawValue) {
                try fill(index, from: table)
            }
        }
        do { try flush() } catch let error as StoreError where error.code == .constraint {
            throw StoreError(
                .migration, path: store.path,
                "\(error.message.prefix { $0 != ";" }), which is unique in the new model; change "
                    + "one of them with the former model first",
                objects: error.objects, constraint: error.constraint, collisions: error.collisions)
        }
    }

    /// Encodes the records of an entity anew.
    private func convert(
        _ entity: EntityMigration, _ lost: Set<UInt16>, _ links: inout OpenedLinks
    ) throws {
        guard let table = store.table(named: entity.entity.name) else { return }
        let leftOut = entity.conversion.leftOut
        let layout = entity.conversion.former
        var encoder = RecordEncoder()
        var row: UInt64 = 0
        while let entry = try nextRecord(after: row, in: table) {
            let (found, record) = try entity.record(entry, path: store.path)
            row = found
            let key = ObjectKey(entity: table.number, row: row)
            guard record.hasValidChecksum(salt: store.seal.salt(of: key)) else {
                throw StoreError(
                    .damaged, path: store.path,
                    "the record of \(entity.former.name) \(row) does not match its checksum; "
                        + "restore the file from a copy, or delete this object with the former "
                        + "model",
                    objects: [key])
            }
            for opened in entity.opened where !record.isNull(opened.position) {
                let offset = layout.fields[opened.position].offset
                let destination = ObjectKey(rawValue: record.load(at: offset, as: UInt64.self))
                guard !lost.contains(destination.entity.rawValue) else { continue }
                links.add(Link(owner: key.rawValue, destination: destination.rawValue), opened)
            }
            guard entity.changesRecords else { continue }
            let outside = leftOut.filter { record.isExternal($0, in: layout) }
            // Into memory of the encoder: the page of the record moves when it is written.
            let bytes = encoder.convert(record, by: entity.conversion) {
                lost.contains($0.entity.rawValue)
            }
            try transaction.putReserving(row, byteCount: bytes.count, in: table.objects) {
                fill($0, with: bytes, key)
            }
            for position in outside {
                try deleteExternalValues(of: key, property: layout.fields[position].number)
            }
            for value in encoder.externalValues {
                let number = table.layout.fields[value.field].number
                try putExternalValue(value.bytes, of: key, number)
            }
        }
    }

    /// The first record behind a row; valid until the next write.
    private func nextRecord(after row: UInt64, in table: EntityTable) throws -> Entry? {
        let cursor = try transaction.makeCursor(table.objects)
        return try cursor.seek(atLeast: row + 1)
    }
}
