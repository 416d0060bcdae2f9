// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Traps

/// The handles of all named databases of one file.
struct StoreDatabases: Sendable {
    let meta: Database
    let blobs: Database
    let components: Database
    let owners: Database
    /// The records of entities, by their numbers.
    let objects: NumberedList<Database>
    /// The destinations of to-many relationships, by their numbers.
    let links: NumberedList<Database>
    private let entries: NumberedList<Database>

    static let metaSpec = DatabaseSpec(name: "meta", flags: [])

    private static let fixedSpecs = [
        metaSpec,
        DatabaseSpec(name: "blobs", flags: []),
        DatabaseSpec(name: "components", flags: [.dupSort, .dupFixed, .integerDup]),
        DatabaseSpec(name: "owners", flags: .integerKey),
    ]

    /// The databases of a file without a model.
    static var fixedCount: Int { fixedSpecs.count }

    /// Opens every database that a catalog names, creating the missing ones unless read-only.
    ///
    /// - Parameter keepsOrder: Whether the file has ordered relationships in databases of their
    ///   own; files of version 1 have them with the others.
    /// - Returns: The databases and the numbers of the indexes that had to be created.
    static func open(
        _ catalog: Catalog, in environment: Environment, path: String, creating: Bool,
        keepsOrder: Bool
    ) throws -> StoreDatabases {
        let entities = catalog.entityNumbers.values.map { UInt32($0.rawValue) }.sorted()
        let relationships = linkNumbers(of: catalog)
        let indexes = catalog.indexNumbers.values.map(\.rawValue).sorted()
        var specs = fixedSpecs
        specs += entities.map { DatabaseSpec(name: "o.\($0)", flags: .integerKey) }
        let ranked = keepsOrder ? rankedNumbers(of: catalog) : []
        specs += relationships.map { ranked.contains($0) ? rankedSpec($0) : linkSpec($0) }
        specs += indexes.map(indexSpec)
        let opened = try environment.databases(specs, createMissing: creating)
        var handles: [Database] = []
        for (spec, database) in zip(specs, opened) {
            guard let database else { throw missing(spec, path) }
            handles.append(database)
        }
        return StoreDatabases(
            handles: handles, entities: entities, relationships: relationships, indexes: indexes)
    }

    private static func linkSpec(_ number: UInt32) -> DatabaseSpec {
        DatabaseSpec(name: "r.\(number)", flags: [.integerKey, .dupSort, .dupFixed, .integerDup])
    }

    private static func rankedSpec(_ number: UInt32) -> DatabaseSpec {
        DatabaseSpec(name: "s.\(number)", flags: [.integerKey, .dupSort, .dupFixed])
    }

    /// The databases in which version 1 kept the ordered relationships, by property number.
    static func unrankedLinks(
        of catalog: Catalog, in environment: Environment
    ) throws(LMDBError) -> [UInt32: Database] {
        let numbers = rankedNumbers(of: catalog).sorted()
        let found = try environment.databases(numbers.map(linkSpec), createMissing: false)
        var result: [UInt32: Database] = [:]
        for (number, database) in zip(numbers, found) { result[number] = database }
        return result
    }

    static func indexSpec(_ number: UInt32) -> DatabaseSpec {
        DatabaseSpec(name: "x.\(number)", flags: [.dupSort, .dupFixed, .integerDup])
    }

    /// The databases of indexes that no catalog names any more.
    static func indexEntries(
        of numbers: [PropertyNumber], in environment: Environment
    ) throws(LMDBError) -> [Database] {
        try environment.databases(numbers.map { indexSpec($0.rawValue) }, createMissing: false)
            .compactMap { $0 }
    }

    private init(
        handles: [Database], entities: [UInt32], relationships: [UInt32], indexes: [UInt32]
    ) {
        meta = handles[0]
        blobs = handles[1]
        components = handles[2]
        owners = handles[3]
        var rest = handles.dropFirst(StoreDatabases.fixedSpecs.count)
        objects = NumberedList(entities, rest)
        rest = rest.dropFirst(entities.count)
        links = NumberedList(relationships, rest)
        entries = NumberedList(indexes, rest.dropFirst(relationships.count))
    }

    /// The relationships that have a database: the stored to-many ones.
    private static func linkNumbers(of catalog: Catalog) -> [UInt32] {
        numbers(of: catalog) { $0.isToMany && !$0.isTransient }
    }

    /// Those of them that are ordered.
    private static func rankedNumbers(of catalog: Catalog) -> [UInt32] {
        numbers(of: catalog, where: \.isRanked)
    }

    private static func numbers(
        of catalog: Catalog, where isWanted: (Relationship) -> Bool
    ) -> [UInt32] {
        var numbers: [UInt32] = []
        for entity in catalog.schema.entities {
            for relationship in entity.relationships where isWanted(relationship) {
                numbers.append(catalog.number(of: relationship.name, in: entity.name).rawValue)
            }
        }
        numbers.sort()
        // A relationship is inherited with its number.
        return numbers.enumerated().filter {
            $0.offset == 0 || numbers[$0.offset - 1] != $0.element
        }
        .map(\.element)
    }

    func tables(of catalog: Catalog) -> [EntityTable] {
        var heirs: [String: [String]] = [:]
        for entity in catalog.schema.entities {
            if let parent = entity.superentity { heirs[parent, default: []].append(entity.name) }
        }
        return catalog.schema.entities.enumerated().map { ordinal, entity in
            guard let number = catalog.entityNumbers[entity.name],
                let layoutNumber = catalog.currentLayouts[entity.name],
                let layout = catalog.layouts[UInt32(layoutNumber)],
                let database = objects[UInt32(number.rawValue)]
            else { trap("entity \(entity.name) has no database") }
            return EntityTable(
                ordinal: ordinal, entity: entity, number: number, layout: layout,
                relationships: relationshipTables(of: entity, heirs, catalog),
                indexes: indexTables(of: entity, layout, catalog), objects: database)
        }
    }

    private func relationshipTables(
        of entity: Entity, _ heirs: [String: [String]], _ catalog: Catalog
    ) -> [RelationshipTable] {
        entity.relationships.map { relationship in
            let number = catalog.number(of: relationship.name, in: entity.name)
            return RelationshipTable(
                relationship: relationship, number: number, links: links[number.rawValue],
                destinations: DestinationEntities(relationship.destination, heirs, catalog))
        }
    }

    private func indexTables(
        of entity: Entity, _ layout: RecordLayout, _ catalog: Catalog
    ) -> [IndexTable] {
        StoreDatabases.indexTables(of: entity, layout, catalog, entries)
    }

    /// The indexes that a catalog has for an entity.
    private static func indexTables(
        of entity: Entity, _ layout: RecordLayout, _ catalog: Catalog,
        _ entries: NumberedList<Database>
    ) -> [IndexTable] {
        let fields = entity.storedFields
        return (catalog.schema.entity(entity.name)?.indexes ?? []).map { index in
            let number = catalog.number(of: index, in: entity.name)
            guard let database = entries[number.rawValue] else {
                trap("index \(index.name) of \(entity.name) has no database")
            }
            func position(_ property: String) -> Int {
                guard let position = fields.firstIndex(where: { $0.name == property }) else {
                    trap("index \(index.name) of \(entity.name) lost \(property)")
                }
                return position
            }
            return IndexTable(
                index: index, number: number, fields: index.properties.map(position), of: layout,
                filter: index.condition.map { IndexFilter($0, position: position) },
                entries: database)
        }
    }

    /// The indexes that a catalog which another program wrote has for the entities of a store.
    ///
    /// - Parameter tables: The store's tables, whose layouts the catalog must have too.
    static func indexes(
        _ catalog: Catalog, in environment: Environment, path: String, _ tables: [EntityTable]
    ) throws -> [TableIndexes] {
        let numbers = catalog.indexNumbers.values.map(\.rawValue).sorted()
        let opened = try environment.databases(numbers.map(indexSpec), createMissing: false)
        var handles: [Database] = []
        for (number, database) in zip(numbers, opened) {
            guard let database else { throw missing(indexSpec(number), path) }
            handles.append(database)
        }
        let entries = NumberedList(numbers, handles[...])
        return tables.map { TableIndexes(indexTables(of: $0.entity, $0.layout, catalog, entries)) }
    }

    private static func missing(_ spec: DatabaseSpec, _ path: String) -> StoreError {
        StoreError(
            .damaged, path: path,
            "database \(spec.name) is missing; restore the file from a copy, or open it for "
                + "writing once to create what is new in the model")
    }
}
