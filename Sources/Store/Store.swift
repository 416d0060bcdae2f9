// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// One open data file: the databases of a model's entities, relationships and indexes.
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
    let spares = SpareSnapshots()
    let tracker = CommitTracker()
    /// Rows that are reserved in the file and not used yet.
    let rowBlocks: RowBlocks
    /// The history, if the file has one.
    let history: StoreHistory?

    init(
        path: String, environment: Environment, header: StoreHeader, catalog: Catalog,
        databases: StoreDatabases, isReadOnly: Bool, history: HistoryOptions?
    ) throws {
        self.path = path
        self.environment = environment
        self.databases = databases
        self.isReadOnly = isReadOnly
        uuid = header.uuid
        schema = catalog.schema
        tables = databases.tables(of: catalog)
        rowBlocks = RowBlocks(entityCount: tables.count)
        self.history = try StoreHistory.open(in: environment, tables, isReadOnly ? nil : history)
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

    /// The number of the transaction committed last, by whatever process.
    ///
    /// - Complexity: A few loads; cheap enough to ask before each fetch.
    public var lastTransactionID: UInt64 { environment.lastTransactionID }

    /// The ordinal of the entity of a key; `nil` for a number that the store never gave.
    @inlinable
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
    public func makeSnapshot() throws(StoreError) -> StoreSnapshot {
        do {
            return StoreSnapshot(store: self, snapshot: try environment.makeSnapshot())
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// Runs a write transaction and commits it.
    ///
    /// The body runs on the calling thread, and once more from the start when the map had to grow,
    /// so it must not leave traces outside the transaction before it returns.
    ///
    /// - Parameters:
    ///   - mayUseReserve: Whether the room above the size limit may be used, as for deletions.
    ///   - body: Makes the changes.
    /// - Throws: What the body throws, after undoing all it wrote, or ``StoreError``.
    public func write<Result>(
        mayUseReserve: Bool = false, _ body: (SaveTransaction) throws -> Result
    ) throws -> Result {
        guard !isReadOnly else {
            throw StoreError(
                .readOnly, path: path,
                hasHistory
                    ? "the store keeps a history and was opened read-only or without one; open it "
                        + "for writing and with its history to save"
                    : "the store was opened read-only; open it for writing to save")
        }
        var attempt = WriteAttempt(self)
        do {
            let result = try environment.write(usesReserve: mayUseReserve) { transaction in
                let save = SaveTransaction(store: self, transaction: transaction)
                attempt.begin(save.transactionID)
                defer { save.end() }
                let result = try body(save)
                try save.flush()
                attempt.isTouched = save.isTouched
                return result
            }
            attempt.end(isCommitted: true)
            return result
        } catch {
            attempt.end(isCommitted: false)
            switch error {
            case is LMDBError, is RecordFormatError: throw StoreError(wrapping: error, path: path)
            default: throw error
            }
        }
    }

    /// Writes everything to the disk, whatever the durability of the commits was.
    public func sync() throws(StoreError) {
        do { try environment.sync() } catch { throw StoreError(wrapping: error, path: path) }
    }
}
