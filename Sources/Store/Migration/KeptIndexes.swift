// SPDX-License-Identifier: Apache-2.0

import Schema

/// The indexes whose entries stay good when a file is migrated, with their numbers.
///
/// All others get new numbers and are filled. An index stays if it has the same name and form, if
/// its properties come from its former ones, and if no record that it has gets another value in
/// one of them or goes.
struct KeptIndexes {
    /// The numbers by the qualified names in the new model.
    private(set) var numbers: [String: PropertyNumber] = [:]

    private let former: Catalog
    private let schema: Schema
    private let mapping: SchemaMapping
    private let removed: [String]

    init(_ former: Catalog, _ schema: Schema, _ mapping: SchemaMapping) {
        self.former = former
        self.schema = schema
        self.mapping = mapping
        removed = mapping.entities.filter { $0.kind == .remove }.compactMap(\.source)
        for entity in schema.entities {
            guard let pair = mapping.entity(to: entity.name) else { continue }
            for index in entity.indexes
            where Catalog.declarer(of: index, in: entity.name, schema) == entity.name {
                guard let number = number(of: index, entity, pair) else { continue }
                numbers[Catalog.qualifiedName(index, in: entity.name, schema)] = number
            }
        }
    }

    /// The number that an index keeps; nil for one that is to be filled.
    private func number(
        of index: Index, _ entity: Entity, _ pair: SchemaMapping.EntityMapping
    ) -> PropertyNumber? {
        guard let source = pair.source,
            let old = former.schema.entity(source)?.indexes.first(where: {
                isSame($0, index, pair)
            }),
            Catalog.declarer(of: old, in: source, former.schema) == source,
            !removed.contains(where: { former.schema.entity($0, isKindOf: source) })
        else { return nil }
        let names = index.properties + (index.condition?.attributes.sorted() ?? [])
        for ordinal in schema.ordinals(kindOf: entity.name) {
            let heir = schema.entities[ordinal]
            guard let heirPair = mapping.entity(to: heir.name) else { return nil }
            // A new one has no records.
            guard let heirSource = heirPair.source.flatMap({ former.schema.entity($0) }) else {
                continue
            }
            guard heirSource.indexes.contains(old) == heir.indexes.contains(index),
                names.allSatisfy({ keepsValues(of: $0, heir, heirSource, heirPair) })
            else { return nil }
        }
        return former.number(of: old, in: source)
    }

    private func isSame(
        _ old: Index, _ index: Index, _ pair: SchemaMapping.EntityMapping
    ) -> Bool {
        let sources = index.properties.map { pair.source(of: $0) }
        guard old.name == index.name, sources == old.properties.map(Optional.some),
            old.isUnique == index.isUnique, old.descending == index.descending,
            old.condition == index.condition
        else { return false }
        // Conditions name attributes, which then must have their names still.
        return index.condition?.attributes.allSatisfy { pair.source(of: $0) == $0 } ?? true
    }

    /// Whether all records keep the values that they have of a property.
    private func keepsValues(
        of property: String, _ entity: Entity, _ former: Entity,
        _ pair: SchemaMapping.EntityMapping
    ) -> Bool {
        guard let source = pair.source(of: property) else { return false }
        if let attribute = entity.attribute(property), let old = former.attribute(source) {
            let isFilled =
                old.isOptional && !attribute.isOptional && !attribute.defaultValue.isNull
            return !attribute.isTransient && !old.isTransient && !isFilled
        }
        // A destination may go.
        return removed.isEmpty
    }
}

extension Catalog {
    /// The furthest ancestor that has an index.
    static func declarer(of index: Index, in entity: String, _ schema: Schema) -> String {
        var owner = entity
        while let parent = schema.entity(owner)?.superentity,
            schema.entity(parent)?.indexes.contains(index) == true
        {
            owner = parent
        }
        return owner
    }
}
