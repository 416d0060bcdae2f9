// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

/// One write transaction on a store: either all of its changes happen or none.
///
/// ```swift
/// let key = try store.write { save in
///     let key = ObjectKey(entity: table.number, row: try save.allocateRows(1, in: table))
///     let values = RecordDraft.make(values: [.string("Blues")])
///     var encoder = RecordEncoder()
///     let record = encoder.encode(
///         layout: table.layout, version: 1, base: nil, draft: values, resolve: { $0 })
///     try save.insert(record, for: key, in: table)
///     return key
/// }
/// ```
///
/// Records are written as they come, so callers hand them over in key order; inverses, index
/// entries and those of components of new data are collected and written sorted at the end, all
/// removals before all additions. So each object, and each pair of a relationship, may be handed
/// over once in a transaction: as inserted, updated or deleted. It is valid inside the body of
/// ``Store/write(_:)`` only and belongs to that body's thread.
public final class SaveTransaction {
    /// The store.
    public let store: Store
    /// The indexes and the history as the transaction finds them.
    let catalog: CatalogState
    private let access: WriteTransaction
    /// Whether nothing has been written in the transaction before.
    ///
    /// If another write has shared it, the records may differ from those of the last commit.
    public let isFirst: Bool
    private var isActive = true
    // SAFETY: a store runs each body on one thread, and this object stays there, as its class is
    // not Sendable; threads that share LMDB's transaction have objects of their own. Changing and
    // writing links calls nothing but LMDB.
    @exclusivity(unchecked) var linkBatches = LinkBatches()
    var sequenceBatches: [UInt32: SequenceBatch] = [:]
    let indexBatches: IndexBatches
    /// By the number of the data's entity; numbers are small, as a file counts its entities.
    // SAFETY: one thread, as above. Writing a batch calls nothing but LMDB.
    @exclusivity(unchecked) var componentBatches: ContiguousArray<ComponentBatch> = []
    /// The rows that are reserved beside those that were asked for, by the ordinals of the entities
    /// that rows were reserved of.
    var rowsAhead: [Int: Range<UInt64>] = [:]
    /// For each entity number the row after the last one in the table, to append where possible.
    var ends: [UInt16: UInt64] = [:]
    /// The entity inserted into last and its end: insertions come entity by entity.
    // SAFETY: one thread, as above. No other code runs while this property is written.
    @exclusivity(unchecked) var lastEnd: (number: UInt16, row: UInt64) = (0, 0)
    /// A cursor in the table that was written last, at its end or where it was updated; other
    /// writes to tables close it.
    // SAFETY: one thread, as above. Setting it may end the old cursor, which only closes LMDB's,
    // and runs the observer, which only sets another property.
    @exclusivity(unchecked) var tableCursor: TableCursor? {
        didSet { appendCursor = nil }
    }
    /// The cursor above while it appends.
    // SAFETY: one thread, as above, and no other code runs while it is written. `tableCursor` keeps
    // the object, and its observer clears this reference when `tableCursor` is set.
    @exclusivity(unchecked) var appendCursor: Unmanaged<TableCursor>?
    /// The rows of the game objects that were deleted, whose value components are to go.
    var goneRows: [UInt64] = []
    /// Where the transaction notes that it has itself taken components of deleted game objects
    /// away, for one who wants to know after its commit.
    public var erasureNote: ErasureNote?
    /// Whether links to these rows end, too; a world ends them itself.
    var endsLinks = false
    /// What was noted of components for the history.
    var componentNotes = ComponentNotes()
    /// The contents of codable components that came and went.
    var contentCounts = ContentCounts()
    /// Whether any object is a component's data; asked once, when the first object is deleted.
    var hasOwners: Bool?
    /// Who made the transaction, for the history.
    public var origin = HistoryOrigin()
    /// What is noted for the history; `nil` where none is kept.
    let recorder: HistoryRecorder?
    /// Whether anything was written that is sure to make a commit.
    // SAFETY: one thread, as for `lastEnd`, and no other code runs while it is written.
    @exclusivity(unchecked) var isTouched = false
    /// Whether the catalog is another one afterwards.
    private(set) var changesCatalog = false

    // SAFETY: one thread, as for `lastEnd`. Asking calls nothing.
    /// The keys of all objects that the save inserts, whether they are written already or not.
    @exclusivity(unchecked) public var insertedKeys = InsertedKeys()

    /// Something that a layer above keeps for as long as the transaction.
    package var attachment: AnyObject?

    init(
        store: Store, catalog: CatalogState, transaction: borrowing WriteTransaction, isFirst: Bool
    ) {
        self.store = store
        self.isFirst = isFirst
        self.catalog = catalog
        indexBatches = IndexBatches(catalog)
        access = transaction.alias()
        recorder = catalog.history?.writer?.begin()
    }

    func end() {
        tableCursor = nil
        isActive = false
    }

    /// The transaction, for this target only; a use after the end would reach freed memory.
    var transaction: WriteTransaction {
        _read {
            require(isActive, "a write transaction of \(store.path) was used after its end")
            yield access
        }
    }

    /// Makes other programs, and other stores of this one, read the catalog again.
    func raiseEpoch(to epoch: UInt64, _ header: StoreHeader) throws {
        changesCatalog = true
        isTouched = true
        var header = header
        header.raise(to: FormatVersion.epoch)
        try write { transaction, _ in
            try store.meta.put(header.encoded(), for: StoreHeader.name, in: transaction)
            try MetaNumber.epoch.write(epoch, transaction, store.meta)
        }
    }

    /// The number that the transaction will have once committed.
    public var transactionID: UInt64 { transaction.transactionID }
}

extension SaveTransaction {
    /// Gives the other files of this target the transaction and the databases.
    func write<Result>(
        _ body: (borrowing WriteTransaction, StoreDatabases) throws -> Result
    ) rethrows -> Result {
        try body(transaction, store.databases)
    }

    /// Writes what was collected: inverses, then index entries, each sorted.
    func flush() throws {
        tableCursor = nil
        try flushComponents()
        try flushLinks()
        var collisions: [UniquenessCollision] = []
        try indexBatches.takeEach { batch in
            collisions += try batch.write(to: transaction, store: store, catalog)
        }
        if !collisions.isEmpty { throw StoreError(collisions, in: store) }
        try flushColumns()
        try flushContents()
        try flushHistory()
    }
}
