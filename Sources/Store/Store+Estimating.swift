// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension Store {
    /// Of so many ranges at most the entries are counted; others are taken to be like them.
    private static var mostProbes: Int { 32 }

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

    /// The number of destinations that all owners of a relationship have, in the newest state; nil
    /// for one that is a field of its owner.
    package func linkCount(of table: RelationshipTable) -> Int? {
        guard let links = table.links else { return nil }
        return try? environment.read { try $0.entryCount(links) }
    }
}
