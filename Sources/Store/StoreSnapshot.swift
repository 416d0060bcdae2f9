// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// One committed state of a store; a snapshot shows it until it moves.
///
/// ```swift
/// let snapshot = try store.makeSnapshot()
/// if let record = try snapshot.record(for: key) {
///     print(record.version, record.value(0, in: table.layout) ?? .null)
/// }
/// snapshot.park()  // until the next move() its records are not valid
/// ```
///
/// Records and other bytes read through a snapshot are valid until it moves or is parked. A
/// snapshot keeps old pages from being reused: hold one no longer than needed, and move it forward.
public final class StoreSnapshot {
    /// The store.
    public let store: Store
    // SAFETY: one thread at a time uses a snapshot, and each access to the property is over before
    // code of others can run. Every look-up reads it.
    @exclusivity(unchecked) @usableFromInline private(set) var snapshot: Snapshot
    /// The indexes that the state has, and its history.
    // SAFETY: as for `snapshot`. Each fetch compares it with that of its plan.
    @exclusivity(unchecked) package private(set) var catalog: CatalogState

    /// Whether the state has the indexes of a state of the catalog.
    ///
    /// Here, as other modules do not know that the access needs no check.
    package func has(_ other: CatalogState?) -> Bool { catalog === other }

    init(store: Store, snapshot: Snapshot, catalog: CatalogState) {
        self.store = store
        self.snapshot = snapshot
        self.catalog = catalog
    }

    /// The transaction whose state is seen.
    public var transactionID: UInt64 { snapshot.transactionID }

    /// Whether there was a commit since.
    public var isOutdated: Bool { store.lastTransactionID != snapshot.transactionID }

    /// Moves to the newest state; everything read before becomes invalid.
    ///
    /// For a snapshot that was parked; an active one moves with ``move(keeping:)``.
    public func move() throws(StoreError) {
        do {
            try snapshot.renew()
            catalog = try store.catalog(of: snapshot, like: catalog)
        } catch {
            snapshot.reset()
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// Moves to the newest state, after what is still needed of the present one was copied.
    ///
    /// The new state is fixed first, so that no commit can slip in between the copying and the
    /// move. Everything read before becomes invalid.
    ///
    /// - Parameter keep: Copies what has to outlive the present state. It gets the number of the
    ///   transaction that the snapshot is about to see, and reads the present state meanwhile.
    /// - Throws: ``StoreError``, or what `keep` throws; the snapshot has not moved then.
    public func move(keeping keep: (_ newest: UInt64) throws -> Void) throws {
        let next: Snapshot
        let nextCatalog: CatalogState
        do {
            next = try store.takeSnapshot()
            nextCatalog = try store.catalog(of: next, like: catalog)
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        do { try keep(next.transactionID) } catch {
            store.recycle(next)
            throw error
        }
        next.inheritParkHandler(of: snapshot)
        let old = snapshot
        snapshot = next
        catalog = nextCatalog
        store.recycle(old)
    }

    /// Whether a cursor is walking through it: it can neither move nor be parked then.
    public var isBeingRead: Bool { snapshot.openCursors.pointee > 0 }

    /// Lets the pages go until the next ``move()``; everything read before becomes invalid.
    public func park() {
        snapshot.reset()
    }

    /// Whether a state is seen at all: false once parked.
    public var isActive: Bool { snapshot.isActive }

    /// Sets a handler for when the map must move; it returns true once this snapshot is parked.
    public func onRemap(_ handler: (@Sendable () -> Bool)?) { snapshot.parkHandler = handler }

    /// The record of an object; `nil` when there is none.
    ///
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout.
    /// - Complexity: O(log n) pages.
    public func record(for key: ObjectKey) throws(StoreError) -> RecordView? {
        guard let ordinal = store.ordinal(of: key.entity) else { return nil }
        return try record(row: key.row, in: store.tables[ordinal])
    }

    /// The record of a row of an entity; `nil` when there is none.
    public func record(row: UInt64, in table: EntityTable) throws(StoreError) -> RecordView? {
        let bytes: UnsafeRawBufferPointer?
        do {
            bytes = try snapshot.get(row, in: table.objects)
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        guard let bytes else { return nil }
        return try store.view(bytes, row: row, table: table)
    }

    /// The number of objects of exactly one entity to make room for: what the file says, but no
    /// more than the pages of the table hold.
    ///
    /// A damaged file may say anything, and memory for as many objects as it has bytes may be more
    /// than there is.
    package func roomNeeded(for table: EntityTable) throws(StoreError) -> Int {
        do {
            let found = try snapshot.statistics(table.objects)
            let most = found.leafPages * (found.pageSizeBytes / StoreSnapshot.leastEntryBytes)
            return min(found.entries, most)
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// An entry's place in its page, its head, its key, and the page number of a long record.
    private static let leastEntryBytes = 2 + 8 + 8 + 8

    /// The number of objects of exactly one entity.
    public func count(of table: EntityTable) throws(StoreError) -> Int {
        do { return try snapshot.entryCount(table.objects) } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}

extension Store {
    /// Checks that a record is long enough for its layout.
    @inlinable @inline(__always)
    func view(
        _ bytes: UnsafeRawBufferPointer, row: UInt64, table: EntityTable
    ) throws(StoreError) -> RecordView {
        if let view = RecordView(bytes), view.fits(table.layout) { return view }
        throw misfit(bytes.count, row, table)
    }

    /// The row of an entry of an entity's objects; throws for one that cannot be.
    @inlinable
    @inline(__always)
    func row(of entry: Entry, _ table: EntityTable) throws(StoreError) -> UInt64 {
        let row = entry.integerKey
        guard row &- 1 < ObjectKey.temporaryBit - 1 else { throw impossible(row, table) }
        return row
    }

    /// The error for a record under a row that no writer gives: it would be that of another key.
    @usableFromInline @inline(never)
    func impossible(_ row: UInt64, _ table: EntityTable) -> StoreError {
        StoreError(
            .damaged, path: path,
            "\(table.entity.name) has a row \(row), which cannot be; restore the file from a copy")
    }

    @usableFromInline @inline(never)
    func misfit(_ byteCount: Int, _ row: UInt64, _ table: EntityTable) -> StoreError {
        StoreError(
            .damaged, path: path,
            "row \(row) of \(table.entity.name) has \(byteCount) bytes that do not fit layout "
                + "\(table.layout.number); restore the file from a copy")
    }
}

extension Store {
    /// The number of objects of some entities, each without its subentities, in the newest state.
    package func count(of tables: [EntityTable]) throws(StoreError) -> Int {
        do {
            return try environment.read { transaction in
                try tables.reduce(0) { try $0 + transaction.entryCount($1.objects) }
            }
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }
}
