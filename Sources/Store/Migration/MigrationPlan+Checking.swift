// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension MigrationPlan {
    /// Checks that the objects of a file can be those of the new model.
    ///
    /// Collisions of uniqueness constraints are found later, when these are filled.
    ///
    /// - Parameters:
    ///   - databases: Those of the stored model.
    ///   - meta: The entries of `meta`.
    ///   - path: The file, for errors.
    /// - Throws: ``StoreError`` with `migration`.
    /// - Complexity: O(1), but O(records + links) of entities with attributes that must have a
    ///   value now, or relationships that must have more or fewer destinations.
    func check(
        _ databases: StoreDatabases, _ meta: MetaTable, path: String,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        try checkGameObjects(meta, path: path, in: transaction)
        for entity in entities {
            guard let records = databases.objects[UInt32(entity.number.rawValue)] else { continue }
            let count = try transaction.entryCount(records)
            guard count > 0 else { continue }
            let name = entity.entity.name
            func refuse(_ what: String) -> StoreError {
                StoreError(.migration, path: path, what)
            }
            guard
                try entity.former.name == name
                    || !hasComponents(of: entity.number, databases, in: transaction)
            else {
                throw refuse(
                    "\(entity.former.name) is \(name) in the new model, and the file has "
                        + "components whose data are objects of it, and name it; keep the name")
            }
            guard !entity.entity.isAbstract || entity.former.isAbstract else {
                throw refuse(
                    "\(name) is abstract in the new model, and there are \(count) objects of it; "
                        + "delete them with the former model first, or let it be concrete")
            }
            if let attribute = entity.missing.first {
                throw refuse(
                    "\(name).\(attribute) is new, must have a value and has no default, and there "
                        + "are \(count) objects of \(name); give the attribute a default, or make "
                        + "it optional")
            }
            try checkLinks(of: entity, records, databases, path: path, in: transaction)
            guard !entity.required.isEmpty else { continue }
            try entity.forEachRecord(in: records, transaction, path: path) { row, record in
                guard let field = entity.required.first(where: { record.isNull($0.position) })
                else { return }
                throw refuse(
                    "\(name).\(field.name) must have a value in the new model and has no default, "
                        + "and object \(ObjectKey(entity: entity.number, row: row)) has none; give "
                        + "the attribute a default, or the object a value with the former model")
            }
        }
    }

    /// Whether objects of an entity are data of components, whose URIs have its name.
    private func hasComponents(
        of entity: EntityNumber, _ databases: StoreDatabases,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws -> Bool {
        let first = ComponentKey.bytes(type: entity, gameObject: ObjectKey(rawValue: 0))
        let cursor = try transaction.makeCursor(databases.components)
        guard let entry = try cursor.seek(atLeast: first) else { return false }
        return try ComponentKey.parts(of: entry.key).type == UInt32(entity.rawValue)
    }

    /// Value components belong to the game objects of the file.
    private func checkGameObjects(
        _ meta: MetaTable, path: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        let name = ChunkFormat.aliveName
        guard former.entityNumbers[name] != catalog.entityNumbers[name],
            let types = try meta.get(Store.columnTypesName, in: transaction),
            try !StoredColumnType.list(types).isEmpty
        else { return }
        throw StoreError(
            .migration, path: path,
            "the file has value components of \(name), and that entity is another one in the new "
                + "model; keep it under its name")
    }
}

extension EntityMigration {
    /// Calls a body with the records of the entity in its former layout, in the order of the rows.
    ///
    /// - Parameter body: Must not write into the table.
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout; what the
    ///   body throws.
    func forEachRecord(
        in records: Database, _ transaction: borrowing some Transaction & ~Copyable, path: String,
        _ body: (UInt64, RecordView) throws -> Void
    ) throws {
        let cursor = try transaction.makeCursor(records)
        while let entry = try cursor.next() {
            let (row, record) = try record(entry, path: path)
            try body(row, record)
        }
    }

    /// The row and the record of an entry.
    func record(_ entry: Entry, path: String) throws(StoreError) -> (UInt64, RecordView) {
        guard entry.key.count == 8, entry.integerKey > 0,
            entry.integerKey < ObjectKey.temporaryBit, let record = RecordView(entry.value),
            record.fits(conversion.former)
        else {
            throw StoreError(
                .damaged, path: path,
                "a record of \(former.name) does not have the layout of the stored model; restore "
                    + "the file from a copy")
        }
        return (entry.integerKey, record)
    }
}
