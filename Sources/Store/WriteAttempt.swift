// SPDX-License-Identifier: Apache-2.0

/// A write transaction as seen by watches for the commits of others.
struct WriteAttempt {
    private let store: Store
    private var number: UInt64?
    /// Whether the transaction is sure to have written something.
    private var isTouched = false
    /// The state of the catalog that the transaction leaves behind.
    private var catalog: CatalogState?
    private var rowsAhead: [Int: Range<UInt64>] = [:]

    init(_ store: Store) { self.store = store }

    /// The transaction has its number; it may begin anew with another one.
    mutating func begin(_ number: UInt64) {
        if let old = self.number { finish(old, isCommitted: false) }
        self.number = number
        store.tracker.begin(number)
    }

    /// The transaction has written all and is about to be committed.
    mutating func note(_ save: SaveTransaction) {
        isTouched = save.isTouched
        catalog = save.changesCatalog ? nil : save.catalog
        rowsAhead = save.rowsAhead
    }

    mutating func end(isCommitted: Bool) {
        guard let number else { return }
        self.number = nil
        if isCommitted, isTouched {
            catalog?.note(number)
            for (ordinal, rows) in rowsAhead where !rows.isEmpty {
                store.rowBlocks.add(rows, ordinal: ordinal, grows: false)
            }
        }
        // One that wrote nothing gives its number to the next.
        finish(
            number,
            isCommitted: isCommitted && (isTouched || store.lastTransactionID >= number))
    }

    private func finish(_ number: UInt64, isCommitted: Bool) {
        if store.tracker.end(number, isCommitted: isCommitted) {
            CommitWatcher.shared?.lookAgain()
        }
    }
}
