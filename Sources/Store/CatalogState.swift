// SPDX-License-Identifier: Apache-2.0

import LMDB
import Synchronization

/// The part of a file's catalog that may change while a store is open: indexes and the history.
///
/// Other programs change it when they open the file with a model that has other indexes, or with a
/// history. Each state is good for the transactions that have its epoch, so a snapshot keeps the
/// state of its own transaction for as long as it does not move.
package final class CatalogState: Sendable {
    /// How often the catalog was changed since the file was created.
    let epoch: UInt64
    /// The indexes of the entities, by ordinal.
    let indexes: [TableIndexes]
    /// The history, if the file has one.
    let history: StoreHistory?
    /// Whether a commit would leave a gap in a history that this store does not go on with.
    let refusesWrites: Bool
    /// The first transaction that is known to have this state.
    private let first: UInt64
    /// The last one: epochs never fall, so all between have it too.
    private let last: Atomic<UInt64>

    init(
        epoch: UInt64, asOf transaction: UInt64, indexes: [TableIndexes], history: StoreHistory?,
        refusesWrites: Bool
    ) {
        self.epoch = epoch
        self.indexes = indexes
        self.history = history
        self.refusesWrites = refusesWrites
        first = transaction
        last = Atomic(transaction)
    }

    /// The same under the epoch of a transaction that has just been committed.
    func renumbered(_ epoch: UInt64, asOf transaction: UInt64) -> CatalogState {
        CatalogState(
            epoch: epoch, asOf: transaction, indexes: indexes, history: history,
            refusesWrites: refusesWrites)
    }

    /// Whether a transaction is known to have this state.
    func covers(_ transaction: UInt64) -> Bool {
        transaction >= first && transaction <= last.load(ordering: .relaxed)
    }

    /// Remembers that a transaction has this state.
    func note(_ transaction: UInt64) { last.max(transaction, ordering: .relaxed) }

    /// The indexes of an entity.
    package func indexes(of table: EntityTable) -> [IndexTable] { indexes[table.ordinal].tables }
}

/// The indexes of one entity.
struct TableIndexes: Sendable {
    /// In the order of the stored model.
    let tables: [IndexTable]
    /// A bit for each position of the layout that an index covers or has a condition on; 63 stands
    /// for all beyond, too.
    let fields: UInt64

    init(_ tables: [IndexTable]) {
        self.tables = tables
        let positions = tables.flatMap { $0.fields + ($0.filter?.fields ?? []) }
        fields = positions.reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
    }
}

/// Another program has changed the catalog since it was read.
struct CatalogMoved: Error {}
