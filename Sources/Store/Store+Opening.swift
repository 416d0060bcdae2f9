// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension Store {
    /// Opens or creates a store.
    ///
    /// - Parameters:
    ///   - path: The file; LMDB keeps a lock file named `<path>-lock` beside it. A file of no bytes
    ///     is taken as a missing one.
    ///   - schema: The model, or `nil` to take the one in the file.
    ///   - uuid: The identity of a store that is created by this call.
    ///   - options: Read-only, durability, map size, and what to check of the file first.
    /// - Throws: ``StoreError`` with `notAStore`, `newerFormat`, `incompatibleModel`, `damaged` or
    ///   `storage`; where the file may be migrated, `migration` or `missingMapping`. Nothing is
    ///   written to a file that is refused.
    public static func open(
        at path: String, schema: Schema?, uuid: UUIDValue, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Store {
        do {
            do { return try openFile(path, schema, uuid, options) } catch let need
                as MigrationNeeded
            {
                guard let schema else { throw need }
                try migrate(path, to: schema, from: need.stored, options)
            }
            var options = options
            options.migration = .off
            return try openFile(path, schema, uuid, options)
        } catch let error as LMDBError where error.code == .databasesFull {
            throw StoreError(noRoomAt: path, error)
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    private static func openFile(
        _ path: String, _ schema: Schema?, _ uuid: UUIDValue, _ options: StoreOptions
    ) throws -> Store {
        var settings = environmentOptions(options, mayCreate: schema != nil)
        if let known = try schema ?? storedSchema(at: path, settings, options.verification) {
            settings.maxDatabases = try known.databaseCapacity(
                path, orElse: schema == nil ? .damaged : .incompatibleModel)
        }
        let environment = try Environment.open(at: path, options: settings)
        try verify(environment, options.verification)
        let store = try open(environment, path, schema, uuid, options)
        if options.verification == .records { try store.verifyContents() }
        return store
    }

    /// Creates a store in memory, which cannot be opened again.
    ///
    /// - Parameters:
    ///   - options: What a new file is given; its commits are never synced.
    /// - Throws: ``StoreError`` with `storage`.
    public static func openInMemory(
        schema: Schema, uuid: UUIDValue, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Store {
        var label = "(memory)"
        do {
            var settings = environmentOptions(options, mayCreate: true)
            settings.durability = .none
            settings.maxDatabases = try schema.databaseCapacity(label, orElse: .incompatibleModel)
            let environment = try Environment.openInMemory(options: settings)
            label = environment.path
            return try open(environment, label, schema, uuid, options)
        } catch {
            throw StoreError(wrapping: error, path: label)
        }
    }

    /// The model in a file; `nil` when it has none.
    ///
    /// Closes the file again.
    private static func storedSchema(
        at path: String, _ settings: EnvironmentOptions, _ verification: StoreOptions.Verification
    ) throws -> Schema? {
        var settings = settings
        settings.maxDatabases = 64
        let environment = try Environment.open(at: path, options: settings)
        try verify(environment, verification)
        guard
            let meta = try environment.databases([StoreDatabases.metaSpec], createMissing: false)[
                0],
            try !isUnfinished(environment, meta)
        else { return nil }
        return try StoredCatalog(environment, meta, path: path).catalog.schema
    }

    static func environmentOptions(
        _ options: StoreOptions, mayCreate: Bool
    ) -> EnvironmentOptions {
        var result = EnvironmentOptions()
        result.maxDatabases = 64
        result.isReadOnly = options.isReadOnly
        // The store itself refuses writes.
        result.acceptsWritable = options.isReadOnly
        result.createsIfMissing = options.createsIfMissing && mayCreate && !options.isReadOnly
        result.allowsNetworkFileSystem = options.allowsNetworkFileSystem
        result.initialMapSizeBytes = options.initialMapSizeBytes
        result.dataBudgetBytes = options.sizeLimitBytes
        switch options.durability {
        case .full: result.durability = .full
        case .relaxed: result.durability = .relaxed
        case .none: result.durability = .none
        }
        return result
    }

    private static func open(
        _ environment: Environment, _ path: String, _ schema: Schema?, _ uuid: UUIDValue,
        _ options: StoreOptions
    ) throws -> Store {
        while true {
            // Another program may change the catalog between what is read here and written.
            do {
                return try attempt(environment, path, schema, uuid, options)
            } catch is CatalogMoved {}
        }
    }

    private static func attempt(
        _ environment: Environment, _ path: String, _ schema: Schema?, _ uuid: UUIDValue,
        _ options: StoreOptions
    ) throws -> Store {
        // Before the look at the databases: another program may make the file a store in between.
        // Its commit is in the header, `lastTransactionID`, a moment before readers see it.
        let isUntouched = try environment.read { $0.transactionID } == 0
        let existing = try environment.databases([StoreDatabases.metaSpec], createMissing: false)[0]
        guard let meta = existing, try !isUnfinished(environment, meta) else {
            guard existing != nil || isUntouched else {
                throw StoreError(
                    .notAStore, path: path,
                    "this is an LMDB file, but no Lode store; choose another file")
            }
            guard let schema, !options.isReadOnly else {
                throw StoreError(
                    .notAStore, path: path,
                    "there is no store in the file yet: a program is making it, or ended before it "
                        + "was there; try again, or open the file for writing with a model")
            }
            return try create(environment, path, schema, uuid, options)
        }
        let stored = try StoredCatalog(environment, meta, path: path)
        var catalog = stored.catalog
        var options = options
        // Programs that follow the history would miss a commit without an entry in it.
        if stored.keepsHistory, options.history == nil { options.isReadOnly = true }
        var forgotten: [PropertyNumber]?
        if let schema = try schema.map({ try expressible($0, in: stored) }),
            schema != catalog.schema
        {
            let differing = differences(of: schema, from: catalog.schema)
            guard differing.isEmpty || options.migration == .off else {
                throw MigrationNeeded(stored: catalog.schema)
            }
            try checkCompatibility(differing, path)
            let wanted =
                options.dropsIndexes ? schema : try schema.keepingIndexes(of: catalog.schema)
            if !options.isReadOnly, wanted != catalog.schema { forgotten = catalog.adopt(wanted) }
        }
        var header = stored.header
        if !options.isReadOnly {
            header.raise(for: catalog.schema)
            if options.history != nil { header.raise(to: FormatVersion.history) }
        }
        let databases = try StoreDatabases.open(
            catalog, in: environment, path: path, creating: !options.isReadOnly,
            keepsOrder: header.keepsOrder)
        let store = try Store(
            path: path, environment: environment, header: header, stored: stored, catalog: catalog,
            databases: databases, isReadOnly: options.isReadOnly, options)
        try store.findColumns(header)
        try store.bringUpToDate(stored, header, catalog, forgotten)
        return store
    }

    /// Writes what a store that was just opened has and the file still lacks.
    ///
    /// - Parameter forgotten: The numbers of the indexes that the new model no longer has; `nil`
    ///   for the model of the file.
    private func bringUpToDate(
        _ stored: StoredCatalog, _ header: StoreHeader, _ catalog: Catalog,
        _ forgotten: [PropertyNumber]?
    ) throws {
        let isRanked = stored.header.keepsOrder || !header.keepsOrder
        let isRemembered = stored.keepsHistory || !tracksHistory
        guard !isRanked || !isRemembered || forgotten != nil else { return }
        let former =
            isRanked
            ? [:] : try StoreDatabases.unrankedLinks(of: stored.catalog, in: environment)
        let leftovers = try StoreDatabases.indexEntries(of: forgotten ?? [], in: environment)
        try changeCatalog(header) { save in
            if !isRanked { try save.rank(former) }
            if !isRemembered { try save.beginHistory() }
            if forgotten != nil { try save.replaceCatalog(catalog, emptying: leftovers) }
        }
    }

    /// The schema as a file can have it.
    ///
    /// A version with index forms would mean that values have seals, which files that began before
    /// version 5 never get.
    private static func expressible(
        _ schema: Schema, in stored: StoredCatalog
    ) throws(SchemaError) -> Schema {
        stored.header.seal.isOn ? schema : try schema.withoutIndexForms()
    }

    /// Whether a process died between creating the databases and writing the header.
    private static func isUnfinished(
        _ environment: Environment, _ meta: Database
    ) throws -> Bool {
        try environment.read { try $0.entryCount(meta) } == 0
    }

    private static func create(
        _ environment: Environment, _ path: String, _ schema: Schema, _ uuid: UUIDValue,
        _ options: StoreOptions
    ) throws -> Store {
        var header = StoreHeader(uuid: uuid, for: schema, version: options.newFileVersion)
        let catalog = Catalog(schema: schema, isNarrow: header.isNarrow)
        if options.history != nil { header.raise(to: FormatVersion.history) }
        let databases = try StoreDatabases.open(
            catalog, in: environment, path: path, creating: true, keepsOrder: header.keepsOrder)
        let store = try Store(
            path: path, environment: environment, header: header,
            stored: StoredCatalog(header: header, catalog: catalog), catalog: catalog,
            databases: databases, isReadOnly: false, options)
        _ = try store.writeOnce(false) { save in
            try save.writeHeader(header, catalog)
            if store.tracksHistory { try save.beginHistory() }
        }
        return store
    }

    /// The names of the entities that have other versions in two models, or are in one only.
    static func differences(of schema: Schema, from stored: Schema) -> [String] {
        Set(schema.entities.map(\.name)).union(stored.entities.map(\.name)).filter {
            schema.entity($0)?.versionHash != stored.entity($0)?.versionHash
        }
        .sorted()
    }

    private static func checkCompatibility(
        _ differing: [String], _ path: String
    ) throws(StoreError) {
        guard !differing.isEmpty else { return }
        throw StoreError(
            .incompatibleModel, path: path,
            "the model differs from the store's in \(differing.joined(separator: ", ")); open the "
                + "store with the model it was written with")
    }
}
