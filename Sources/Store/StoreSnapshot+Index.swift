// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

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
    /// - Parameters:
    ///   - objectsDescend: Whether the objects of one key come backwards; as keys do by default,
    ///     which is fastest.
    ///   - body: Returns false to stop.
    /// - Throws: What the body throws, or ``StoreError``.
    /// - Complexity: O(log n + entries visited).
    public func scan(
        _ table: IndexTable, _ range: IndexRange, isReversed: Bool = false,
        objectsDescend: Bool? = nil, _ body: (ObjectKey) throws -> Bool
    ) throws {
        try scan(
            table, [range], isReversed: isReversed, objectsDescend: objectsDescend, body)
    }

    /// Calls a body with the objects of several index ranges, one after the other; backwards the
    /// last one comes first.
    ///
    /// Ascending ranges are fastest: one that begins in a page where the last one ended needs no
    /// search from the root.
    /// - Parameter body: Returns false to stop.
    /// - Throws: What the body throws, or ``StoreError``.
    /// - Complexity: O(ranges × log n + entries visited).
    public func scan(
        _ table: IndexTable, _ ranges: [IndexRange], isReversed: Bool = false,
        objectsDescend: Bool? = nil, _ body: (ObjectKey) throws -> Bool
    ) throws {
        try forEachEntry(table, ranges, isReversed, objectsDescend ?? isReversed) {
            try body(try object(of: $0, table))
        }
    }

    /// Calls a body with the objects of index ranges and records of the index's values, or their
    /// stored ones where keys do not have the values whole.
    ///
    /// - Parameters:
    ///   - owner: The table whose layout the records have.
    ///   - keys: The keys that are wanted.
    ///   - body: Returns false to stop. A record is valid until it returns, at most.
    package func forEachKeyRecord(
        _ table: IndexTable, _ ranges: [IndexRange], of owner: EntityTable, isReversed: Bool,
        objectsDescend: Bool, where isWanted: (ObjectKey) -> Bool,
        _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        let maker = keyRecord(table, owner, takesAnyZero: false)
        try forEachEntry(table, ranges, isReversed, objectsDescend) { entry in
            let key = try object(of: entry, table)
            guard isWanted(key) else { return true }
            if let made = maker.record(of: entry.key) { return try body(key, made) }
            guard let stored = try record(for: key) else { return true }
            return try body(key, stored)
        }
    }

    /// Calls a body with each key of index ranges once: a record of the key's values, and how many
    /// objects have them.
    ///
    /// Where a key does not have the values whole, each of its objects comes by itself with its
    /// stored record; but any zero stands for both, and any NaN for all.
    ///
    /// - Parameters:
    ///   - owner: The table of all objects of the index.
    ///   - objectsDescend: Whether the first object of a key is the one with the greatest number.
    ///   - body: Takes the first object of the key, a record, which is valid until it returns, and
    ///     the number of objects. Returns false to stop.
    /// - Throws: What the body throws, or ``StoreError``.
    /// - Complexity: O(ranges × log n + keys), whatever the number of objects under a key.
    package func forEachKeyRun(
        _ table: IndexTable, _ ranges: [IndexRange], of owner: EntityTable, objectsDescend: Bool,
        _ body: (ObjectKey, RecordView, Int) throws -> Bool
    ) throws {
        let maker = keyRecord(table, owner, takesAnyZero: true)
        do {
            let cursor = try snapshot.makeCursor(table.entries)
            let most = try snapshot.entryCount(table.entries)
            try forEachKey(cursor, ranges) { entry in
                if let made = maker.record(of: entry.key) {
                    let count = try count(table, under: cursor, of: most)
                    let last = objectsDescend && count > 1 ? try cursor.lastDuplicate() : nil
                    return try body(try object(of: last ?? entry, table), made, count)
                }
                var next = try cursor.seek(exactly: entry.key)
                while let current = next {
                    let object = try object(of: current, table)
                    if let stored = try record(for: object), try !body(object, stored, 1) {
                        return false
                    }
                    next = try cursor.nextDuplicate()
                }
                return true
            }
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    private func keyRecord(
        _ table: IndexTable, _ owner: EntityTable, takesAnyZero: Bool
    ) -> KeyRecord {
        let maker = KeyRecord(
            owner.layout, positions: table.fields, descending: table.index.descending,
            takesAnyZero: takesAnyZero)
        guard let maker else {
            trap("the keys of \(table.index.name) do not have its values")
        }
        return maker
    }

    /// The number of objects of the key that a cursor stands on.
    ///
    /// - Parameter most: The number of all entries of the index.
    private func count(
        _ table: IndexTable, under cursor: borrowing Cursor, of most: Int
    ) throws -> Int {
        let count = try cursor.duplicateCount()
        guard count > 0, count <= most else {
            throw damaged(
                "a key of the index \(table.index.name), which has \(most) entries, has \(count) "
                    + "of them")
        }
        return count
    }

    /// The object of an index entry.
    @inline(__always)
    private func object(of entry: Entry, _ table: IndexTable) throws(StoreError) -> ObjectKey {
        try object(entry.value, table)
    }

    @inline(__always)
    private func object(
        _ value: UnsafeRawBufferPointer, _ table: IndexTable
    ) throws(StoreError) -> ObjectKey {
        try table.object(value, store)
    }

    private func damaged(_ what: String) -> StoreError {
        StoreError(
            .damaged, path: store.path,
            what + "; the file is damaged: restore it from a copy or rebuild it from an export")
    }

    private func forEachEntry(
        _ table: IndexTable, _ ranges: [IndexRange], _ isReversed: Bool, _ objectsDescend: Bool,
        _ body: (Entry) throws -> Bool
    ) throws {
        do {
            let cursor = try snapshot.makeCursor(table.entries)
            if isReversed != objectsDescend {
                try scanAcross(cursor, ranges, isReversed: isReversed, body)
            } else if isReversed {
                for range in ranges.reversed() {
                    guard try scanBackwards(cursor, range, body) else { return }
                }
            } else {
                try scan(cursor, ranges, body)
            }
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The first object under a key of an index, which was not cut.
    ///
    /// - Complexity: O(log n) pages.
    package func firstObject(
        of table: IndexTable, under key: IndexKey
    ) throws(StoreError) -> ObjectKey? {
        let value: UnsafeRawBufferPointer?
        do {
            value = try key.bytes.withUnsafeBytes { bytes throws(LMDBError) in
                try snapshot.get(bytes, in: table.entries)
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        return try value.map { bytes throws(StoreError) in try object(bytes, table) }
    }

    /// The number of objects under keys of an index.
    ///
    /// - Parameter ranges: Each of one key, which was not cut.
    /// - Complexity: O(keys × log n), whatever the number of objects.
    package func count(_ table: IndexTable, keys ranges: [IndexRange]) throws -> Int {
        do {
            let cursor = try snapshot.makeCursor(table.entries)
            let most = try snapshot.entryCount(table.entries)
            var total = 0
            for range in ranges where try cursor.seek(exactly: range.lower) != nil {
                total += try count(table, under: cursor, of: most)
            }
            return total
        } catch let error as LMDBError {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
