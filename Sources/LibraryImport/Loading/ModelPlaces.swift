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
            model.entities.map { ModelPlaces.places(of: $0, in: context, entity) })
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
        of entity: InferredEntity, in context: NSManagedObjectContext,
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
            })
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
