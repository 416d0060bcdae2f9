// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The model that a file has is another one than it is opened with, and the file may be migrated.
struct MigrationNeeded: Error {
    /// The model of the file.
    let stored: Schema
}

extension Store {
    /// The most databases that an environment can have.
    private static let mostDatabases = (1 << 16) - 1

    /// Migrates a file in place, in one transaction.
    ///
    /// - Parameters:
    ///   - path: The file, which is a store.
    ///   - schema: The new model.
    ///   - stored: The model of the file, as it was found.
    ///   - options: How the store is to be opened.
    /// - Throws: ``StoreError`` with `missingMapping` or `migration`; nothing is written then,
    ///   unless it is known only from the data of new constraints.
    static func migrate(
        _ path: String, to schema: Schema, from stored: Schema, _ options: StoreOptions
    ) throws {
        guard !options.isReadOnly else {
            throw StoreError(
                .migration, path: path,
                "the file has another model and has to be migrated, but the store is opened "
                    + "read-only; open it for writing once")
        }
        var settings = environmentOptions(options, mayCreate: false)
        // A migration moves from the databases of the one model to those of the other.
        settings.maxDatabases = min(
            mostDatabases,
            try schema.databaseCapacity(path, orElse: .incompatibleModel)
                + stored.databaseCapacity(path, orElse: .damaged))
        let environment = try Environment.open(at: path, options: settings)
        while true {
            // Another program may change the catalog between what is read here and written.
            do { return try migrate(environment, path, to: schema, options) } catch is CatalogMoved
            {}
        }
    }

    private static func migrate(
        _ environment: Environment, _ path: String, to schema: Schema, _ options: StoreOptions
    ) throws {
        guard
            let meta = try environment.databases([StoreDatabases.metaSpec], createMissing: false)[0]
        else { return }
        let stored = try StoredCatalog(environment, meta, path: path)
        // Another program may have been faster.
        guard !differences(of: schema, from: stored.catalog.schema).isEmpty else { return }
        try checkHeader(stored, options, path)
        let table = MetaTable(database: meta, seal: stored.header.seal)
        let former = try environment.read { try FormerModels(table, in: $0) }
        let mapping = try mapping(from: stored.catalog.schema, to: schema, path)
        let losses = mapping.losses(from: stored.catalog.schema, to: schema)
        try checkLosses(losses, isFormer: former.hashes.contains(schema.versionHash), options, path)
        let plan = try MigrationPlan(stored.catalog, to: schema, by: mapping, path: path)
        let old = try StoreDatabases.open(
            stored.catalog, in: environment, path: path, creating: false,
            keepsOrder: stored.header.keepsOrder)
        try environment.read { try plan.check(old, table, path: path, in: $0) }
        try run(plan, from: old, stored, environment, path)
    }

    /// Refuses files that have a form which is not migrated.
    private static func checkHeader(
        _ stored: StoredCatalog, _ options: StoreOptions, _ path: String
    ) throws(StoreError) {
        guard stored.header.isNarrow else {
            throw StoreError(
                .migration, path: path,
                "the file began as a format before \(FormatVersion.narrow), which is not migrated; "
                    + "open it with the model it was written with, and write its objects into a "
                    + "new file")
        }
        guard !stored.keepsHistory || options.history != nil else {
            throw StoreError(
                .migration, path: path,
                "the file has another model and has to be migrated, but it keeps a history and is "
                    + "opened without one; open it with its history once")
        }
    }

    private static func mapping(
        from stored: Schema, to schema: Schema, _ path: String
    ) throws(StoreError) -> SchemaMapping {
        let mapping: SchemaMapping
        do {
            mapping = try SchemaMapping(from: stored, to: schema)
        } catch {
            throw StoreError(
                .missingMapping, path: path,
                "the stored model cannot become the given one by itself: \(error)", mapping: error)
        }
        // A program that is given a wrong path would empty a file of another one.
        let keepsAny = mapping.entities.contains { $0.source != nil && $0.destination != nil }
        guard keepsAny || stored.entities.isEmpty else {
            throw StoreError(
                .missingMapping, path: path,
                "no entity of the file is in the model, so the file is probably another program's; "
                    + "check the path")
        }
        return mapping
    }

    /// Refuses a migration that takes something away, unless that was asked for: a program that is
    /// older than the file would take away what it does not know.
    ///
    /// - Parameter isFormer: Whether the file was migrated from the model before.
    private static func checkLosses(
        _ losses: [String], isFormer: Bool, _ options: StoreOptions, _ path: String
    ) throws(StoreError) {
        guard let first = losses.first else { return }
        guard !isFormer else {
            throw StoreError(
                .migration, path: path,
                "the file was migrated from this model to a newer one, whose values would be lost; "
                    + "open it with the newer model")
        }
        guard options.migration == .inferredWithLosses else {
            let names =
                losses.count == 1 ? first : "\(first) and \(losses.count - 1) more of the file"
            throw StoreError(
                .migration, path: path,
                "the model does not have \(names), so that a migration takes their values away: if "
                    + "the program is older than the file, use a newer one; otherwise allow it by "
                    + "LodeMigrationMayRemoveOption")
        }
    }

    /// Creates the new databases, and writes.
    private static func run(
        _ plan: MigrationPlan, from old: StoreDatabases, _ stored: StoredCatalog,
        _ environment: Environment, _ path: String
    ) throws {
        var header = stored.header
        header.isMigrated = true
        header.raise(for: plan.catalog.schema)
        let databases = try StoreDatabases.open(
            plan.catalog, in: environment, path: path, creating: true,
            keepsOrder: header.keepsOrder)
        let leftovers = try StoreDatabases.indexEntries(
            of: plan.forgottenIndexes, in: environment)
        // No entry of the history: objects stay what they are.
        let store = try Store(
            path: path, environment: environment, header: header, stored: stored,
            catalog: plan.catalog, databases: databases, isReadOnly: false, StoreOptions())
        try store.findColumns(header)
        try store.changeCatalog(header) { save in
            try save.migrate(plan, from: old, emptying: leftovers)
        }
    }
}
