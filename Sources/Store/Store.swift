// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Synchronization

/// One open data file: the databases of a model's entities, relationships and indexes.
///
/// ```swift
/// let store = try Store.open(at: path, schema: schema, uuid: .random())
/// let snapshot = try store.makeSnapshot()
/// for table in store.tables { print(table.entity.name, try snapshot.count(of: table)) }
/// ```
///
/// *Life cycle.* A store is opened with a model, or with none when the file brings its own. It
/// reads through ``StoreSnapshot``s, each of which sees one committed state, and changes through
/// ``write(_:)``, which is one LMDB write transaction: all of it or none of it. The file closes
/// when the last reference to the store, a snapshot or a cursor goes.
///
/// *Threads.* A store may be used from any thread; a snapshot from one at a time.
public final class Store: Sendable {
    /// The path of the file.
    public let path: String
    /// The identity that the file got when it was created; copies share it.
    public let uuid: UUIDValue
    /// The compiled model.
    public let schema: Schema
    /// The tables of the entities, by ordinal.
    public let tables: [EntityTable]
    /// Whether writes are refused.
    public let isReadOnly: Bool

    @usableFromInline let environment: Environment
    /// For each entity number the ordinal, or -1: keys in a file name entities by number.
    @usableFromInline let ordinalsByNumber: [Int32]
    let databases: StoreDatabases
    /// The ordinal of the entity whose objects may have value components.
    let gameObjectOrdinal: Int?
    /// The checksums of the file's values.
    package let seal: EntrySeal
    let spares = SpareSnapshots()
    let tracker = CommitTracker()
    /// Whether large values are compared with their checksums each time that they are read.
    let comparesChecksums: Bool
    /// Rows that are reserved in the file and not used yet.
    let rowBlocks: RowBlocks
    // Any thread may be the first to find the database, or make it.
    /// The chunks of value components, once looked for and found.
    let columnsDatabase = Mutex<Database?>(nil)
    /// The database of contents, once it was found.
    let contentsDatabase = Mutex<Database?>(nil)
    // Any thread may be the first to make the file one with value components.
    /// The format version that the file is known to have for its columns; 0 before it is known.
    let columnsVersion = Mutex<UInt16>(0)
    // Any thread may find that another program has changed the catalog.
    private let newestCatalog: Mutex<CatalogState>

    init(
        path: String, environment: Environment, header: StoreHeader, stored: StoredCatalog,
        catalog: Catalog, databases: StoreDatabases, isReadOnly: Bool, _ options: StoreOptions
    ) throws {
        self.path = path
        self.environment = environment
        self.databases = databases
        self.isReadOnly = isReadOnly
        uuid = header.uuid
        seal = header.seal
        comparesChecksums = options.verification == .records
        schema = catalog.schema
        tables = databases.tables(of: catalog)
        gameObjectOrdinal = schema.ordinal(of: ChunkFormat.aliveName)
        rowBlocks = RowBlocks(entityCount: tables.count)
        newestCatalog = Mutex(
            CatalogState(
                epoch: stored.epoch, asOf: stored.transactionID,
                indexes: tables.map { TableIndexes($0.indexes) },
                history: try StoreHistory.open(
                    in: environment, tables, isReadOnly ? nil : options.history),
                refusesWrites: isReadOnly))
        var ordinals: [Int32] = []
        for table in tables {
            let number = Int(table.number.rawValue)
            if ordinals.count <= number {
                ordinals += Array(repeating: -1, count: number + 1 - ordinals.count)
            }
            ordinals[number] = Int32(table.ordinal)
        }
        ordinalsByNumber = ordinals
    }

    /// The number of the transaction committed last, by any process.
    ///
    /// - Complexity: A few loads; cheap enough to ask before each fetch.
    public var lastTransactionID: UInt64 { environment.lastTransactionID }

    // Inlined everywhere: left to itself, the compiler called it for each key.
    /// The ordinal of the entity of a key; `nil` for a number that the store never gave.
    @inlinable @inline(__always)
    public func ordinal(of number: EntityNumber) -> Int? {
        let index = Int(number.rawValue)
        guard index < ordinalsByNumber.count, ordinalsByNumber[index] >= 0 else { return nil }
        return Int(ordinalsByNumber[index])
    }

    /// The table of the entity of a name.
    public func table(named name: String) -> EntityTable? {
        schema.ordinal(of: name).map { tables[$0] }
    }

    /// Begins a read transaction that sees the newest committed state.
    ///
    /// - Throws: ``StoreError``; with `incompatibleModel` where another program has changed the
    ///   model so that the store must be opened again.
    public func makeSnapshot() throws(StoreError) -> StoreSnapshot {
        do {
            let snapshot = try environment.makeSnapshot()
            return StoreSnapshot(
                store: self, snapshot: snapshot, catalog: try catalog(of: snapshot))
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// The newest state of the catalog that was looked at.
    package var catalog: CatalogState { newestCatalog.withLock { $0 } }

    /// Makes a newer state of the catalog the one that writes and plans begin with.
    func install(_ state: CatalogState) {
        newestCatalog.withLock { newest in
            guard state.epoch > newest.epoch else { return }
            newest = state
            for table in tables { table.indexes = state.indexes(of: table) }
        }
    }

    /// Writes everything to the disk, whatever the durability of the commits was.
    public func sync() throws(StoreError) {
        do { try environment.sync() } catch { throw StoreError(wrapping: error, path: path) }
    }
}
