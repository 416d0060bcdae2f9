// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The header, model and numbers that a transaction reads.
struct StoredCatalog {
    let header: StoreHeader
    let catalog: Catalog
    let epoch: UInt64
    /// Whether writers have to go on with a history.
    let keepsHistory: Bool
    let transactionID: UInt64

    init(_ environment: Environment, _ meta: Database, path: String) throws {
        func found(_ bytes: UnsafeRawBufferPointer?, _ name: String) throws -> [UInt8] {
            guard let bytes else {
                throw StoreError(
                    .notAStore, path: path,
                    "the file has no \"\(name)\" entry; it is no Lode store or was not written "
                        + "completely")
            }
            return Array(bytes)
        }
        self = try environment.read { transaction in
            // The header itself says whether it has a seal.
            let name = StoreHeader.name
            let header = try StoreHeader(
                try found(try transaction.get(name, in: meta), name), path: path)
            let table = MetaTable(database: meta, seal: header.seal)
            return StoredCatalog(
                header: header,
                catalog: try Catalog(
                    model: try found(try table.get("model", in: transaction), "model"),
                    catalog: try found(try table.get("catalog", in: transaction), "catalog")),
                epoch: try MetaNumber.epoch.read(transaction, table),
                keepsHistory: try table.get(MetaNumber.historyStart.name, in: transaction) != nil,
                transactionID: transaction.transactionID)
        }
    }

    /// The catalog of a file that is about to be written for the first time.
    init(header: StoreHeader, catalog: Catalog) {
        self.init(
            header: header, catalog: catalog, epoch: 0, keepsHistory: false, transactionID: 0)
    }

    private init(
        header: StoreHeader, catalog: Catalog, epoch: UInt64, keepsHistory: Bool,
        transactionID: UInt64
    ) {
        self.header = header
        self.catalog = catalog
        self.epoch = epoch
        self.keepsHistory = keepsHistory
        self.transactionID = transactionID
    }
}

extension Store {
    /// How often a snapshot is moved along with a catalog that changes again and again.
    private static let mostMoves = 1_000

    /// The state of the catalog in a snapshot's transaction.
    ///
    /// Looks into the file only where others have committed. Where the catalog has changed, the
    /// snapshot moves: one that began before a database was opened does not know it.
    func catalog(of snapshot: Snapshot, like former: CatalogState? = nil) throws -> CatalogState {
        if let former, former.covers(snapshot.transactionID) { return former }
        for _ in 0..<Store.mostMoves {
            let newest = catalog
            if newest.covers(snapshot.transactionID) { return newest }
            let epoch = try MetaNumber.epoch.read(snapshot, meta)
            if epoch == newest.epoch {
                newest.note(snapshot.transactionID)
                return newest
            }
            if epoch > newest.epoch { try followCatalog() }
            try snapshot.renew()
        }
        throw StoreError(
            .storage, path: path,
            "other programs change the catalog again and again; try later")
    }

    /// Looks for a new state of the catalog, and makes it the one in use.
    ///
    /// - Throws: ``StoreError`` with `incompatibleModel` where the store must be opened again.
    func followCatalog() throws {
        let stored = try StoredCatalog(environment, databases.meta, path: path)
        let former = catalog
        guard stored.epoch != former.epoch else { return former.note(stored.transactionID) }
        try checkSameTables(stored)
        try findColumns(stored.header)
        let indexes = try StoreDatabases.indexes(
            stored.catalog, in: environment, path: path, tables)
        let history = try former.history ?? StoreHistory.open(in: environment, tables, nil)
        install(
            CatalogState(
                epoch: stored.epoch, asOf: stored.transactionID, indexes: indexes,
                history: stored.keepsHistory ? history : former.history,
                refusesWrites: isReadOnly || stored.keepsHistory && history?.writer == nil))
    }

    /// Follows the catalog if others have committed since it was looked at.
    func followCatalogIfOutdated() throws {
        let state = catalog
        guard !state.covers(lastTransactionID) else { return }
        let (epoch, number) = try environment.read { transaction in
            (try MetaNumber.epoch.read(transaction, meta), transaction.transactionID)
        }
        if epoch == state.epoch { state.note(number) } else { try followCatalog() }
    }

    /// Checks that records and relationships lie where they did.
    private func checkSameTables(_ stored: StoredCatalog) throws(StoreError) {
        let new = stored.catalog
        let isSame =
            stored.header.uuid == uuid && new.schema.entities.count == tables.count
            && tables.allSatisfy { table in
                let name = table.entity.name
                guard let entity = new.schema.entity(name),
                    entity.versionHash == table.entity.versionHash,
                    new.entityNumbers[name] == table.number,
                    new.currentLayouts[name] == table.layout.number,
                    let layout = new.layouts[UInt32(table.layout.number)]
                else { return false }
                return layout.hasSameSlots(as: table.layout)
                    && table.relationships.allSatisfy {
                        new.hasNumber(of: $0.relationship.name, in: name)
                            && new.number(of: $0.relationship.name, in: name) == $0.number
                            && $0.isRanked
                                == ($0.relationship.isRanked && stored.header.keepsOrder)
                    }
            }
        guard isSame else {
            throw StoreError(
                .incompatibleModel, path: path,
                "another program has changed the model of the open store; close the store and "
                    + "open it again with the new model")
        }
    }
}
