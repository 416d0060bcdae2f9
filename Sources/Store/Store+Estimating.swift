// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension Store {
    /// Of so many ranges at most the entries are counted; others are taken to be like them.
    private static var mostProbes: Int { 32 }
    /// So many ranges are looked at for one that has an entry.
    private static var mostEmptyRanges: Int { 8 }

    /// About how many entries of an index lie in ranges, and how many it has, in the newest state.
    ///
    /// - Returns: nil where that cannot be told from a few pages.
    /// - Complexity: O(log n) pages for each of up to 32 ranges.
    package func estimatedCount(
        of table: IndexTable, in ranges: [IndexRange]
    ) -> (count: Int, total: Int)? {
        let step = max(1, ranges.count / Store.mostProbes)
        let probes = stride(from: 0, to: ranges.count, by: step).map { ranges[$0] }
        let found = try? environment.read { transaction in
            transaction.estimatedCount(
                inDatabaseNamed: table.databaseName,
                of: probes.lazy.map { (lower: $0.lower, upper: $0.upper) })
        }
        guard let found, probes.count < ranges.count else { return found }
        let whole = Double(found.count) * Double(ranges.count) / Double(probes.count)
        return (Int(min(Double(found.total), whole)), found.total)
    }

    /// About how many entries of an index have the same leading values as the one that comes first
    /// in some ranges, in the newest state.
    ///
    /// - Parameters:
    ///   - leading: The type of each leading value, and whether its element descends.
    ///   - isReversed: Whether the ranges are read from their end.
    /// - Returns: nil where there is no entry, and where that cannot be told from a few pages.
    /// - Complexity: O(log n) pages for each of the first few ranges, until one has an entry.
    package func estimatedCount(
        of table: IndexTable, alikeIn leading: [(type: AttributeType, isDescending: Bool)],
        in ranges: [IndexRange], isReversed: Bool
    ) -> Int? {
        let first =
            isReversed
            ? ranges.suffix(Store.mostEmptyRanges).reversed()
            : Array(ranges.prefix(Store.mostEmptyRanges))
        let found = try? environment.read { transaction -> [UInt8]? in
            let cursor = try transaction.makeCursor(table.entries)
            for range in first {
                guard let key = try cursor.edge(of: range, isReversed: isReversed) else { continue }
                return IndexKey.byteCount(ofLeading: leading, in: key).map { Array(key.prefix($0)) }
            }
            return nil
        }
        guard let bytes = found ?? nil else { return nil }
        let range = IndexRange(lower: bytes, upper: IndexKey.successor(of: bytes[...]))
        return estimatedCount(of: table, in: [range])?.count
    }

    /// About how many different keys an index has for each of its entries, at most 1, in the newest
    /// state.
    ///
    /// A page is filled by the objects' keys, of eight bytes, and by what each index key takes
    /// itself: the more objects, the fewer keys. Where there are more objects than a page holds
    /// they lie elsewhere, and the page has some forty keys.
    /// - Returns: nil where there is no entry.
    package func keyShare(of table: IndexTable) -> Double? {
        let found = try? environment.read { try $0.statistics(table.entries) }
        guard let found, found.entries > 0, found.leafPages > 0 else { return nil }
        let entries = Double(found.entries) / Double(found.leafPages)
        let room = 0.7 * Double(found.pageSizeBytes) - 8 * entries
        let keys = room > 0 ? max(1, room / Store.bytesOfKey) : Store.mostKeys
        return min(1, keys / entries)
    }

    /// What a key of an index takes in a page, with the entry's and the list's heads.
    private static var bytesOfKey: Double { 40 }
    /// So many keys are in a page if their objects lie elsewhere.
    private static var mostKeys: Double { 40 }

    /// The number of destinations that all owners of a relationship have, in the newest state; nil
    /// for one that is a field of its owner.
    package func linkCount(of table: RelationshipTable) -> Int? {
        guard let links = table.links else { return nil }
        return try? environment.read { try $0.entryCount(links) }
    }
}

extension Cursor {
    /// The first key of a range, or the last one; nil where it has none.
    fileprivate borrowing func edge(
        of range: IndexRange, isReversed: Bool
    ) throws -> UnsafeRawBufferPointer? {
        guard isReversed else {
            let first = try range.lower.isEmpty ? first() : seek(range.lower)
            return first.flatMap { range.contains($0.key) ? $0.key : nil }
        }
        let beyond = try range.upper.map { try seek($0) } ?? nil
        let last = try beyond == nil ? last() : previousKey()
        return last.flatMap { range.contains($0.key) ? $0.key : nil }
    }

    private borrowing func seek(_ key: [UInt8]) throws -> Entry? {
        try key.withUnsafeBytes { try seek(atLeast: $0) }
    }
}

extension IndexRange {
    fileprivate func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        guard !key.lexicographicallyPrecedes(lower) else { return false }
        return upper.map { key.lexicographicallyPrecedes($0) } ?? true
    }
}
