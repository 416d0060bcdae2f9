// SPDX-License-Identifier: Apache-2.0

/// A write transaction as those see it who watch for the commits of others.
struct WriteAttempt {
    private let store: Store
    private var number: UInt64?
    /// Whether the transaction certainly wrote something.
    var isTouched = false

    init(_ store: Store) { self.store = store }

    /// The transaction has its number; it may begin anew with another one.
    mutating func begin(_ number: UInt64) {
        if let old = self.number { finish(old, isCommitted: false) }
        self.number = number
        store.tracker.begin(number)
    }

    mutating func end(isCommitted: Bool) {
        guard let number else { return }
        self.number = nil
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
