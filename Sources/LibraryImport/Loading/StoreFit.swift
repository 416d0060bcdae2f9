// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// Makes an inferred model fit a store that exists: the store's types count, not those of the data.
struct StoreFit {
    let model: NSManagedObjectModel
    let file: String

    /// What the inference has to know of the entities, by their names.
    var entities: [String: StoredEntity] {
        model.entitiesByName.mapValues { entity in
            var stored = StoredEntity(unique: Self.keys(of: entity))
            for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                stored.attributes[name] = Self.type(of: attribute)
            }
            for (name, relationship) in entity.relationshipsByName {
                guard let destination = relationship.destinationEntity?.name else { continue }
                stored.relationships[name] = StoredEntity.Relationship(
                    destination: destination, inverse: relationship.inverseRelationship?.name)
            }
            return stored
        }
    }

    /// The type of an attribute that rows can have values of.
    private static func type(of attribute: NSAttributeDescription) -> AttributeType? {
        AttributeType(rawValue: UInt16(attribute.attributeType.rawValue)).flatMap {
            ImportedType.all.contains($0) ? $0 : nil
        }
    }

    private static func keys(of entity: NSEntityDescription) -> Set<String> {
        // The entity answers with names, whatever its constraints were set to.
        let own = entity.uniquenessConstraints.filter { $0.count == 1 }.joined()
            .compactMap { $0 as? String }
        return (entity.superentity.map(keys) ?? []).union(own)
            .filter { entity.attributesByName[$0] != nil }
    }

    /// The model with the store's types, optionality and unique attributes.
    /// - Throws: ``ImportError/Code/incompatibleStore`` for what the store does not have.
    func adapt(_ inferred: InferredModel) throws(ImportError) -> InferredModel {
        var result = inferred
        let entities = model.entitiesByName
        for index in result.entities.indices {
            guard let entity = entities[result.entities[index].name] else {
                throw lacking("entity \(result.entities[index].name)")
            }
            try adapt(&result.entities[index], to: entity)
        }
        for link in result.manyToMany {
            for (end, other) in [(link.first, link.second), (link.second, link.first)] {
                let found = entities[end.entity]?.relationshipsByName[end.property]
                guard found?.isToMany == true, found?.destinationEntity?.name == other.entity
                else {
                    throw lacking("to-many \(end.entity).\(end.property) to \(other.entity)")
                }
            }
        }
        return result
    }

    private func adapt(
        _ inferred: inout InferredEntity, to entity: NSEntityDescription
    ) throws(ImportError) {
        let attributes = entity.attributesByName
        let keys = Self.keys(of: entity)
        for index in inferred.attributes.indices {
            let name = inferred.attributes[index].name
            guard let attribute = attributes[name], !attribute.isTransient,
                let type = Self.type(of: attribute)
            else { throw lacking("attribute \(inferred.name).\(name)") }
            inferred.attributes[index].type = type
            if keys.contains(name) { inferred.attributes[index].isUnique = true }
            // An object without its key could not be found again.
            if index != inferred.keyIndex {
                inferred.attributes[index].isOptional = attribute.isOptional
            }
        }
        for index in inferred.toOne.indices {
            let relationship = inferred.toOne[index]
            guard let found = entity.relationshipsByName[relationship.name], !found.isToMany,
                found.destinationEntity?.name == relationship.destination
            else {
                throw lacking(
                    "to-one \(inferred.name).\(relationship.name) to \(relationship.destination)")
            }
            inferred.toOne[index].isOptional = found.isOptional
        }
    }

    private func lacking(_ what: String) -> ImportError {
        ImportError(
            .incompatibleStore, file: file,
            message: "the data needs \(what), which the store does not have; name and ignore "
                + "columns in a mapping file, or import into a new store")
    }
}
