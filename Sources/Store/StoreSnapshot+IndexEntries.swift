// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema

/// The ways of walking through the entries of an index.
extension StoreSnapshot {
    /// Calls a body with the entries of ranges, as they lie in the file.
    func scan(
        _ cursor: borrowing Cursor, _ ranges: [IndexRange], _ body: (Entry) throws -> Bool
    ) throws {
        // The first entry behind the last range, on which the cursor stands, and the range's end.
        var behind: (entry: Entry, upper: [UInt8])?
        for range in ranges {
            var entry: Entry?
            if let behind, !range.lower.lexicographicallyPrecedes(behind.upper),
                !behind.entry.key.precedes(range.lower)
            {
                entry = behind.entry
            } else {
                entry = try firstEntry(cursor, range)
            }
            behind = nil
            while let current = entry {
                if let upper = range.upper, !current.key.precedes(upper) {
                    behind = (current, upper)
                    break
                }
                guard try body(current) else { return }
                entry = try cursor.next()
            }
        }
    }

    /// Calls a body with the entries of a range, the last one first.
    ///
    /// - Returns: Whether the body wants more.
    func scanBackwards(
        _ cursor: borrowing Cursor, _ range: IndexRange, _ body: (Entry) throws -> Bool
    ) throws -> Bool {
        var entry = try lastEntry(cursor, range)
        while let current = entry, !current.key.precedes(range.lower) {
            guard try body(current) else { return false }
            entry = try cursor.previous()
        }
        return true
    }

    /// Calls a body with the entries of ranges, those of one key against the order of the keys.
    func scanAcross(
        _ cursor: borrowing Cursor, _ ranges: [IndexRange], isReversed: Bool,
        _ body: (Entry) throws -> Bool
    ) throws {
        for range in isReversed ? ranges.reversed() : ranges {
            var key = isReversed ? try lastEntry(cursor, range) : try firstEntry(cursor, range)
            while let current = key, range.contains(current.key) {
                // At the last key of all LMDB finds no duplicate behind the first one, unless the
                // key was looked for.
                var entry =
                    isReversed
                    ? try cursor.seek(exactly: current.key) : try cursor.lastDuplicate()
                while let next = entry {
                    guard try body(next) else { return }
                    entry =
                        isReversed ? try cursor.nextDuplicate() : try cursor.previousDuplicate()
                }
                key = isReversed ? try cursor.previousKey() : try cursor.nextKey()
            }
        }
    }

    /// Calls a body with the first entry of each key of ranges, on which the cursor stands.
    ///
    /// - Parameter body: May move the cursor to other entries of the key.
    func forEachKey(
        _ cursor: borrowing Cursor, _ ranges: [IndexRange], _ body: (Entry) throws -> Bool
    ) throws {
        for range in ranges {
            var key = try firstEntry(cursor, range)
            while let current = key, range.contains(current.key) {
                guard try body(current) else { return }
                key = try cursor.nextKey()
            }
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
}

extension IndexRange {
    /// Whether a key lies in the range.
    fileprivate func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        if key.precedes(lower) { return false }
        return upper.map { key.precedes($0) } ?? true
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes come before others.
    @inline(__always)
    fileprivate func precedes(_ other: [UInt8]) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index]
        }
        return count < other.count
    }
}
