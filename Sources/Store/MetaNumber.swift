// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// A number that `meta` keeps.
struct MetaNumber: Sendable {
    /// The name of the entry.
    let name: String
    /// The number where there is no entry.
    let initial: UInt64
    /// The numbers that can be.
    let possible: Range<UInt64>
    /// What a file says with any other.
    let claim: String

    /// The number of a transaction.
    func read(
        _ transaction: borrowing some Transaction & ~Copyable, _ meta: MetaTable
    ) throws -> UInt64 {
        let number = try meta.number(name, in: transaction) ?? initial
        guard possible.contains(number) else {
            throw RecordFormatError(.unknownNumber, "\(claim) \(number)")
        }
        return number
    }

    func write(
        _ number: UInt64, _ transaction: borrowing WriteTransaction, _ meta: MetaTable
    ) throws {
        try meta.put(number, for: name, in: transaction)
    }
}

extension MetaNumber {
    /// The counter that each change of the catalog raises; 0 while the catalog is the first one.
    ///
    /// No file was changed 2^62 times: a counter that large could not be counted on for long.
    static let epoch = MetaNumber(
        name: "epoch", initial: 0, possible: 0..<1 << 62, claim: "the epoch of the catalog is")

    /// The greatest row of a game object that a writer has used though another one had reserved it.
    ///
    /// No game object has a row of 2^47.
    static let takenRow = MetaNumber(
        name: "taken", initial: 0, possible: 0..<1 << 47, claim: "no writer can have taken row")

    /// The first transaction of the history that was not purged; a file without a history has no
    /// entry.
    static let historyStart = MetaNumber(
        name: "history", initial: 1, possible: 1..<UInt64.max,
        claim: "the history cannot begin with transaction")
}
