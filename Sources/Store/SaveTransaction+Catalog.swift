// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension SaveTransaction {
    /// Makes a file a store.
    ///
    /// - Throws: ``CatalogMoved`` where another program did so meanwhile.
    func writeHeader(_ header: StoreHeader, _ catalog: Catalog) throws {
        guard try transaction.get(StoreHeader.name, in: store.databases.meta) == nil else {
            throw CatalogMoved()
        }
        try store.meta.put(header.encoded(), for: StoreHeader.name, in: transaction)
        try writeCatalog(catalog)
    }

    func writeCatalog(_ catalog: Catalog) throws {
        try store.meta.put(SchemaCoding.encode(catalog.schema), for: "model", in: transaction)
        try store.meta.put(catalog.encoded(), for: "catalog", in: transaction)
    }

    /// Writes a compatible model's catalog, fills the indexes that are new in it and empties those
    /// that it no longer has.
    func replaceCatalog(_ catalog: Catalog, emptying leftovers: [Database]) throws {
        try writeCatalog(catalog)
        for database in leftovers { try transaction.removeAll(database) }
        for table in store.tables {
            for index in self.catalog.indexes(of: table)
            where try transaction.entryCount(index.entries) == 0 {
                try fill(index, from: table)
            }
        }
        try flush()
    }

    /// Collects the entries of all records of an entity for an index.
    func fill(_ index: IndexTable, from table: EntityTable) throws {
        let cursor = try transaction.makeCursor(table.objects)
        let batch = indexBatches.batch(of: index)
        var entry = try cursor.first()
        while let current = entry {
            let row = try store.row(of: current, table)
            let record = try store.view(current.value, row: row, table: table)
            batch.add(
                record, ObjectKey(entity: table.number, row: row), index, table, isInsertion: true)
            entry = try cursor.next()
        }
    }

    /// The value of an entry of user metadata.
    public func setMetadata(_ bytes: [UInt8]?, for name: String) throws {
        if let bytes {
            try store.meta.put(bytes, for: "user/\(name)", in: transaction)
        } else {
            try store.meta.delete("user/\(name)", in: transaction)
        }
    }
}
