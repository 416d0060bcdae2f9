// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension Store {
    /// Of so many ranges at most the entries are counted; others are taken to be like them.
    private static var mostProbes: Int { 32 }

    /// About how many entries of an index lie in ranges, in the newest state.
    ///
    /// - Returns: nil where that cannot be told from a few pages.
    /// - Complexity: O(log n) pages for each of up to 32 ranges.
    package func estimatedCount(of table: IndexTable, in ranges: [IndexRange]) -> Int? {
        let name = StoreDatabases.indexSpec(table.number.rawValue).name
        let step = max(1, ranges.count / Store.mostProbes)
        return try? environment.read { transaction -> Int? in
            var (total, probes) = (0, 0)
            for index in stride(from: 0, to: ranges.count, by: step) {
                let range = ranges[index]
                guard
                    let count = transaction.estimatedCount(
                        inDatabaseNamed: name, from: range.lower, to: range.upper)
                else { return nil }
                total += count
                probes += 1
            }
            return probes == ranges.count ? total : total * ranges.count / max(1, probes)
        }
    }

    /// The number of entries of an index in the newest state: the objects of all its entities.
    package func entryCount(of table: IndexTable) -> Int? {
        try? environment.read { try $0.entryCount(table.entries) }
    }

    /// The number of destinations that all owners of a relationship have, in the newest state; nil
    /// for one that is a field of its owner.
    package func linkCount(of table: RelationshipTable) -> Int? {
        guard let links = table.links else { return nil }
        return try? environment.read { try $0.entryCount(links) }
    }
}
