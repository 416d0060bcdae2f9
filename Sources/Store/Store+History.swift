// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The transactions that a store remembers.
public struct HistoryRange: Sendable, Equatable {
    /// The first that was not purged, or the next one when all were.
    public var first: UInt64
    /// The newest that there was, purged or not; 0 for none.
    public var last: UInt64
}

extension Store {
    /// The history, if the file has one.
    var history: StoreHistory? { catalog.history }

    /// Whether the file has a history, which this store can read or continue.
    public var hasHistory: Bool { history != nil }

    /// Whether transactions are remembered.
    public var tracksHistory: Bool { history?.writer != nil }

    /// Which transactions are remembered; `nil` for a file without history.
    public func historyRange() throws -> HistoryRange? {
        try wrapping { () throws in
            try followCatalogIfOutdated()
            guard let history else { return nil }
            return try environment.read { try range(history, $0) }
        }
    }

    /// Reads the transactions after one, in their order.
    ///
    /// A change set that names a row which was never taken is an error: a few damaged bytes could
    /// stand for more changes than fit into memory.
    ///
    /// - Parameters:
    ///   - number: The transaction behind which to begin; purged ones are left out.
    ///   - check: Looks at what there is before anything is read; may throw.
    ///   - body: Takes a transaction's number and its change set; returns whether to go on.
    public func forEachHistoryEntry(
        after number: UInt64, check: (HistoryRange) throws -> Void = { _ in },
        _ body: (UInt64, HistoryChangeSet) throws -> Bool
    ) throws {
        try wrapping { () throws in
            try followCatalogIfOutdated()
            guard let history else { return }
            try environment.read { transaction in
                let range = try range(history, transaction)
                try check(range)
                guard number < .max else { return }
                let cursor = try transaction.makeCursor(history.entries)
                var counters = RowCounters()
                var entry = try cursor.seek(atLeast: max(range.first, number + 1))
                while let found = entry {
                    let set = try changeSet(found)
                    try checkHistory(set, &counters, transaction)
                    guard try body(found.integerKey, set) else { return }
                    entry = try cursor.next()
                }
            }
        }
    }

    /// The newest transaction that was committed at a time or before it; 0 for none.
    ///
    /// - Complexity: O(log n) entries: times ascend with the numbers.
    public func historyNumber(at timestamp: Double) throws -> UInt64 {
        try wrapping {
            try followCatalogIfOutdated()
            guard let history else { return 0 }
            return try environment.read { transaction in
                let range = try range(history, transaction)
                var low = range.first
                var high = range.last + 1
                while low < high {
                    let middle = low + (high - low) / 2
                    guard let bytes = try transaction.get(middle, in: history.entries) else {
                        throw StoreError(
                            .damaged, path: path,
                            "transaction \(middle) of the history is missing\(Store.damage)")
                    }
                    if try HistoryHead(bytes).timestamp <= timestamp {
                        low = middle + 1
                    } else {
                        high = middle
                    }
                }
                return low - 1
            }
        }
    }

    /// Forgets the transactions before one: at once for readers, gradually in the file.
    ///
    /// Their entries go a bounded number at a time: with this call, with further calls, and with
    /// each commit.
    ///
    /// - Returns: How many transactions were forgotten, and how many entries were removed.
    /// - Complexity: O(1)
    @discardableResult
    public func purgeHistory(before number: UInt64) throws -> (forgotten: Int, removed: Int) {
        guard let history else { return (0, 0) }
        return try write(mayUseReserve: true) { try $0.purgeHistory(before: number, history) }
    }

    /// Reads an entry of the history, which has to match its checksum.
    func changeSet(_ entry: Entry) throws -> HistoryChangeSet {
        let number = entry.integerKey
        return try HistoryChangeSet(
            Array(try seal.open(entry.value, for: number, "transaction \(number) of the history")))
    }

    /// Throws for a change set that names rows which were never taken, or components of objects
    /// that are no game objects.
    func checkHistory(
        _ set: HistoryChangeSet, _ counters: inout RowCounters,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws {
        try set.check { entity, isOfComponents in
            let game = gameObjectOrdinal.map { tables[$0].number }
            guard !isOfComponents || entity == game else {
                throw RecordFormatError(
                    .unknownNumber,
                    "a change set names components of the entity \(entity.rawValue), which has no "
                        + "game objects")
            }
            return try counters.next(of: entity, meta, transaction)
        }
    }

    private static let damage = "; restore the file from a copy"

    private func range(
        _ history: StoreHistory, _ transaction: borrowing ReadTransaction
    ) throws -> HistoryRange {
        let cursor = try transaction.makeCursor(history.entries)
        let first = try MetaNumber.historyStart.read(transaction, meta)
        let last = try cursor.last()?.integerKey ?? 0
        // The newest entry stays when it is purged.
        guard last < .max, first <= last + 1 else {
            throw RecordFormatError(
                .unknownNumber,
                "the history begins with transaction \(first) and ends with \(last)")
        }
        return HistoryRange(first: first, last: last)
    }

    /// Gives errors of the layers below the form of this one, and passes others on.
    private func wrapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: path)
        } catch let error as RecordFormatError {
            throw StoreError(wrapping: error, path: path)
        }
    }
}
