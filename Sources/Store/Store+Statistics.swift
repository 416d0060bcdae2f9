// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema

extension Store {
    /// The sizes of all tables, as of the newest commit.
    ///
    /// - Complexity: O(tables); no table is read through.
    public func statistics() throws(StoreError) -> StoreStatistics {
        // Before the snapshot, which would not show it otherwise.
        try findColumns()
        let snapshot = try makeSnapshot()
        do {
            var measured: [TableStatistics] = []
            for table in tables { measured += try measure(table, in: snapshot) }
            for (kind, name, database) in [
                (TableStatistics.Kind.largeValues, "blobs", databases.blobs),
                (.components, "components", databases.components),
                (.components, "owners", databases.owners),
                (.catalog, "meta", databases.meta),
            ] {
                measured.append(
                    TableStatistics(
                        kind, nil, name, try snapshot.snapshot.statistics(database)))
            }
            if let history = snapshot.catalog.history {
                measured.append(
                    TableStatistics(
                        .history, nil, "history",
                        try snapshot.snapshot.statistics(history.entries)))
            }
            if let columns = columnsDatabase.withLock({ $0 }) {
                measured.append(
                    TableStatistics(
                        .columns, nil, "columns", try snapshot.snapshot.statistics(columns)))
            }
            if let contents = contentsDatabase.withLock({ $0 }) {
                measured.append(
                    TableStatistics(
                        .columns, nil, "contents", try snapshot.snapshot.statistics(contents)))
            }
            return StoreStatistics(
                pageSizeBytes: environment.pageSizeBytes,
                fileSizeBytes: environment.info.fileSizeBytes, tables: measured)
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    /// An entity's objects, and the relationships and indexes that it does not inherit.
    private func measure(
        _ table: EntityTable, in state: StoreSnapshot
    ) throws(LMDBError) -> [TableStatistics] {
        let entity = table.entity
        let snapshot = state.snapshot
        let parent = entity.superentity.flatMap { self.table(named: $0) }
        var result = [
            TableStatistics(.objects, entity.name, nil, try snapshot.statistics(table.objects))
        ]
        for relationship in table.relationships {
            let isInherited =
                parent?.relationships.contains { $0.number == relationship.number } == true
            guard let links = relationship.links, !isInherited else { continue }
            result.append(
                TableStatistics(
                    .links, entity.name, relationship.relationship.name,
                    try snapshot.statistics(links)))
        }
        let inherited = parent.map(state.catalog.indexes(of:)) ?? []
        for index in state.catalog.indexes(of: table)
        where !inherited.contains(where: { $0.number == index.number }) {
            result.append(
                TableStatistics(
                    .index, entity.name, index.index.name,
                    try snapshot.statistics(index.entries)))
        }
        return result
    }
}

extension TableStatistics {
    fileprivate init(
        _ kind: Kind, _ entity: String?, _ name: String?, _ statistics: DatabaseStatistics
    ) {
        self.init(
            kind: kind, entity: entity, name: name, entries: statistics.entries,
            pages: statistics.branchPages + statistics.leafPages + statistics.overflowPages,
            depth: statistics.depth, bytes: statistics.bytes)
    }
}
