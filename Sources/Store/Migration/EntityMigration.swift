// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// What a migration does with the records of one entity that stays.
struct EntityMigration {
    /// A to-one relationship that becomes to-many.
    struct Opened {
        /// The position of the former slot.
        let position: Int
        /// The relationship's number.
        let number: PropertyNumber
    }

    /// The entity in the stored model.
    let former: Entity
    /// The entity in the new one.
    let entity: Entity
    /// The entity's number, which it keeps.
    let number: EntityNumber
    /// How the records are encoded anew.
    let conversion: RecordConversion
    /// Whether any record may change at all.
    let changesRecords: Bool
    /// The relationships whose slots become entries of their database.
    let opened: [Opened]
    /// New attributes that have to have a value and no default: no record may be there.
    let missing: [String]
    /// Attributes that have to have a value from now on and no default, with the positions of their
    /// former slots: none may be null.
    let required: [(name: String, position: Int)]
    /// The relationships whose destinations have to be counted.
    let demands: [LinkDemand]

    init?(
        _ pair: SchemaMapping.EntityMapping, from old: Catalog, to new: Catalog,
        removed: [String]
    ) {
        guard let source = pair.source, let destination = pair.destination,
            let former = old.schema.entity(source), let entity = new.schema.entity(destination),
            let number = old.entityNumbers[source],
            let formerLayout = old.layout(of: source), let layout = new.layout(of: destination)
        else { return nil }
        self.former = former
        self.entity = entity
        self.number = number
        let slots = former.storedFields
        func position(_ property: String) -> Int? {
            pair.source(of: property).flatMap { name in slots.firstIndex { $0.name == name } }
        }
        var origins: [RecordConversion.Origin] = []
        var missing: [String] = []
        var required: [(name: String, position: Int)] = []
        for field in entity.storedFields {
            let source = position(field.name)
            guard let attribute = entity.attribute(field.name) else {
                let isLost = source.map { position in
                    old.mayLead(former.relationship(slots[position].name), toAny: removed)
                }
                origins.append(.init(source: source, isLink: isLost ?? false))
                continue
            }
            let needsValue = !attribute.isOptional && attribute.defaultValue.isNull
            guard let source, let before = former.attribute(slots[source].name) else {
                if needsValue { missing.append(field.name) }
                origins.append(.init(source: nil, fallback: attribute.defaultValue))
                continue
            }
            let isTightened = before.isOptional && !attribute.isOptional
            if isTightened, needsValue { required.append((field.name, source)) }
            origins.append(
                .init(source: source, fallback: isTightened ? attribute.defaultValue : .null))
        }
        self.missing = missing
        self.required = required
        demands = entity.relationships.compactMap { relationship in
            LinkDemand(
                relationship, from: pair.source(of: relationship.name), of: former, old,
                removed: removed)
        }
        opened = entity.relationships.compactMap { relationship in
            guard relationship.isToMany, let position = position(relationship.name) else {
                return nil
            }
            return Opened(
                position: position, number: new.number(of: relationship.name, in: destination))
        }
        conversion = RecordConversion(from: formerLayout, to: layout, fields: origins)
        changesRecords =
            formerLayout.number != layout.number
            || origins.contains { $0.isLink || $0.source != nil && !$0.fallback.isNull }
    }
}

extension Catalog {
    /// The layout of an entity's records.
    func layout(of entity: String) -> RecordLayout? {
        currentLayouts[entity].flatMap { layouts[UInt32($0)] }
    }

    /// Whether a relationship may have destinations of some entities.
    func mayLead(_ relationship: Relationship?, toAny entities: [String]) -> Bool {
        guard let relationship else { return false }
        return entities.contains { schema.entity($0, isKindOf: relationship.destination) }
    }
}
