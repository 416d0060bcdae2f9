// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// A range of index keys: from a lower bound to an upper bound.
public struct IndexRange: Sendable, Hashable {
    /// The least key of the range; empty for the first of all.
    public var lower: [UInt8]
    /// The first key beyond the range; `nil` for none.
    public var upper: [UInt8]?

    /// Makes a range.
    public init(lower: [UInt8], upper: [UInt8]?) {
        self.lower = Array(lower.prefix(IndexKey.maximumByteCount))
        self.upper = upper
    }

    /// All entries that begin with a key.
    public init(prefix: IndexKey) {
        self.init(lower: Array(prefix.storedBytes), upper: prefix.upperBound)
    }
}

extension StoreSnapshot {
    /// Calls a body with the objects of an index range, in key order or backwards.
    ///
    /// Entries of long values share cut keys: the caller checks the record.
    /// - Parameter body: Returns false to stop.
    /// - Throws: What the body throws, or ``StoreError``.
    /// - Complexity: O(log n + entries visited).
    public func scan(
        _ table: IndexTable, _ range: IndexRange, isReversed: Bool = false,
        _ body: (ObjectKey) throws -> Bool
    ) throws {
        do {
            let cursor = try snapshot.makeCursor(table.entries)
            var entry = try isReversed ? lastEntry(cursor, range) : firstEntry(cursor, range)
            while let current = entry {
                guard contains(current.key, range) else { return }
                let key = ObjectKey(rawValue: current.value.loadUnaligned(as: UInt64.self))
                guard try body(key) else { return }
                entry = try isReversed ? cursor.previous() : cursor.next()
            }
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    private func firstEntry(
        _ cursor: borrowing Cursor, _ range: IndexRange
    ) throws(LMDBError) -> Entry? {
        range.lower.isEmpty ? try cursor.first() : try cursor.seek(atLeast: range.lower)
    }

    private func lastEntry(
        _ cursor: borrowing Cursor, _ range: IndexRange
    ) throws(LMDBError) -> Entry? {
        guard let upper = range.upper else { return try cursor.last() }
        guard try cursor.seek(atLeast: upper) != nil else { return try cursor.last() }
        return try cursor.previous()
    }

    private func contains(_ key: some Sequence<UInt8>, _ range: IndexRange) -> Bool {
        if key.lexicographicallyPrecedes(range.lower) { return false }
        guard let upper = range.upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }
}
