// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Traps

/// Where the objects of the store have what the inferred model names.
struct ModelPlaces {
    /// The places of an entity's properties.
    struct EntityPlaces {
        let description: NSEntityDescription
        /// By index of the attribute in the inferred entity.
        let attributes: [AttributePlace]
        /// By index of the to-one relationship in the inferred entity.
        let toOne: [(place: ToOnePlace, destination: EntityIndex)]
        /// A property that a new object needs and the data does not have.
        let lacking: String?
    }

    /// The two ends of a many-to-many relationship.
    struct LinkPlaces {
        let first: (entity: EntityIndex, place: ToManyPlace)
        let second: (entity: EntityIndex, place: ToManyPlace)
    }

    private let entities: IndexedList<EntityIndex, EntityPlaces>
    private let links: IndexedList<LinkIndex, LinkPlaces>

    init(_ model: InferredModel, in context: NSManagedObjectContext) {
        var indexes: [String: EntityIndex] = [:]
        for index in model.entityIndexes { indexes[model[index].name] = index }
        func entity(_ name: String) -> EntityIndex {
            guard let index = indexes[name] else { trap("the inferred model lacks \(name)") }
            return index
        }
        let found = IndexedList<EntityIndex, EntityPlaces>(
            model.entities.map { ModelPlaces.places(of: $0, in: context, model, entity) })
        entities = found
        func end(_ end: InferredLinkEnd) -> (entity: EntityIndex, place: ToManyPlace) {
            let index = entity(end.entity)
            let place = found[index].description.place(ofToMany: end.property)
            return (index, ModelPlaces.known(place, end.entity, end.property))
        }
        links = IndexedList(
            model.manyToMany.map { LinkPlaces(first: end($0.first), second: end($0.second)) })
    }

    private static func places(
        of entity: InferredEntity, in context: NSManagedObjectContext, _ model: InferredModel,
        _ index: (String) -> EntityIndex
    ) -> EntityPlaces {
        guard
            let description = NSEntityDescription.entity(forEntityName: entity.name, in: context)
        else { trap("the store's model lacks \(entity.name)") }
        return EntityPlaces(
            description: description,
            attributes: entity.attributes.map { attribute in
                known(description.place(ofAttribute: attribute.name), entity.name, attribute.name)
            },
            toOne: entity.toOne.map { relationship in
                let place = description.place(ofToOne: relationship.name)
                return (
                    known(place, entity.name, relationship.name), index(relationship.destination)
                )
            },
            lacking: lacking(description, entity, model))
    }

    /// The first property that objects must have a value of and that nothing in the data sets.
    private static func lacking(
        _ description: NSEntityDescription, _ entity: InferredEntity, _ model: InferredModel
    ) -> String? {
        var given = Set(entity.attributes.map(\.name) + entity.toOne.map(\.name))
        for relationship in description.relationshipsByName.values {
            guard let inverse = relationship.inverseRelationship else { continue }
            let others = model.entities.filter { $0.name == relationship.destinationEntity?.name }
            let isSet = others.contains { other in
                other.toOne.contains { $0.name == inverse.name && $0.destination == entity.name }
            }
            if isSet { given.insert(relationship.name) }
        }
        for link in model.manyToMany {
            for end in [link.first, link.second] where end.entity == entity.name {
                given.insert(end.property)
            }
        }
        return description.properties.first { property in
            let hasDefault = (property as? NSAttributeDescription)?.defaultValue != nil
            return !property.isOptional && !property.isTransient && !hasDefault
                && !(property is NSFetchedPropertyDescription) && !given.contains(property.name)
        }?.name
    }

    private static func known<Place>(
        _ place: Place?, _ entity: String, _ property: String
    ) -> Place {
        guard let place else { trap("the store's model lacks \(entity).\(property)") }
        return place
    }

    subscript(index: EntityIndex) -> EntityPlaces { entities[index] }

    subscript(index: LinkIndex) -> LinkPlaces { links[index] }
}
