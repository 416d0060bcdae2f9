// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// All that a migration does to a file, known before anything is written.
struct MigrationPlan {
    /// What the file has.
    let former: Catalog
    /// What it gets.
    let catalog: Catalog
    /// The entities that stay.
    let entities: [EntityMigration]
    /// The entities that go.
    let removed: [String]

    init(
        _ former: Catalog, to schema: Schema, by mapping: SchemaMapping, path: String
    ) throws(StoreError) {
        let catalog = try former.migrated(to: schema, by: mapping, path: path)
        self.former = former
        self.catalog = catalog
        let removed = mapping.entities.filter { $0.kind == .remove }.compactMap(\.source)
        self.removed = removed
        entities = mapping.entities.compactMap {
            EntityMigration($0, from: former, to: catalog, removed: removed)
        }
    }

    /// The numbers of the entities that go.
    var removedNumbers: Set<UInt16> {
        Set(removed.compactMap { former.entityNumbers[$0]?.rawValue })
    }

    /// The numbers of the entities that are new.
    var addedNumbers: [EntityNumber] {
        let known = Set(former.entityNumbers.values)
        return catalog.entityNumbers.values.filter { !known.contains($0) }
    }

    /// The indexes that have no entries yet.
    var newIndexes: Set<UInt32> {
        Set(catalog.indexNumbers.values.map(\.rawValue))
            .subtracting(former.indexNumbers.values.map(\.rawValue))
    }

    /// The indexes that the file has no more, or whose entries are made anew under other numbers.
    var forgottenIndexes: [PropertyNumber] {
        let kept = Set(catalog.indexNumbers.values.map(\.rawValue))
        return former.indexNumbers.values.filter { !kept.contains($0.rawValue) }
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The to-many relationships whose databases may have links from or to objects that go.
    var relationshipsWithLosses: Set<UInt32> {
        var numbers: Set<UInt32> = []
        for entity in former.schema.entities {
            for relationship in entity.relationships
            where relationship.isToMany && !relationship.isTransient {
                guard removed.contains(entity.name) || former.mayLead(relationship, toAny: removed)
                else { continue }
                numbers.insert(former.number(of: relationship.name, in: entity.name).rawValue)
            }
        }
        return numbers
    }
}
