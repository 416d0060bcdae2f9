// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema
import Traps

/// Makes the descriptions of an inferred model.
///
/// A uniqueness constraint is an index that queries use, so a key needs no other one.
struct ModelBuilder {
    private let plan: ImportPlan
    private var model: InferredModel { plan.model }

    init(_ plan: ImportPlan) { self.plan = plan }

    func build() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        for entity in model.entities { entities[entity.name] = makeEntity(entity) }
        for table in plan.tables {
            guard case .entity(let index) = table.target else { continue }
            for (number, relationship) in model[index].toOne.enumerated() {
                // A reference that is set later is missing when its object is first saved.
                let isOptional = relationship.isOptional || table.deferredToOne.contains(number)
                connect(model[index], relationship, isOptional, entities)
            }
        }
        for link in model.manyToMany { connect(link, entities) }
        let toMany = model.toManyByEntity
        for entity in model.entities {
            order(entities[entity.name], entity, toMany[entity.name] ?? [])
        }
        let result = NSManagedObjectModel()
        result.entities = model.entities.compactMap { entities[$0.name] }
        return result
    }

    /// Puts relationships in the order of the inferred model, its own before the inverses.
    private func order(
        _ description: NSEntityDescription?, _ entity: InferredEntity, _ toMany: [InferredToMany]
    ) {
        let names =
            entity.attributes.map(\.name) + entity.toOne.map(\.name)
            + toMany.map(\.name)
        let properties = description?.propertiesByName ?? [:]
        description?.properties = names.compactMap { properties[$0] }
    }

    private func makeEntity(_ inferred: InferredEntity) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = inferred.name
        var attributes: [NSAttributeDescription] = []
        for inferred in inferred.attributes {
            let attribute = NSAttributeDescription()
            attribute.name = inferred.name
            attribute.attributeType =
                NSAttributeType(rawValue: UInt(inferred.type.rawValue)) ?? .stringAttributeType
            attribute.isOptional = inferred.isOptional
            attributes.append(attribute)
        }
        entity.properties = attributes
        entity.uniquenessConstraints = inferred.attributes.filter(\.isUnique).map { [$0.name] }
        entity.indexes = zip(inferred.attributes, attributes)
            .filter { $0.0.isIndexed && !$0.0.isUnique }
            .map { inferred, attribute in
                let element = NSFetchIndexElementDescription(
                    property: attribute, collationType: .binary)
                return NSFetchIndexDescription(name: "by_\(inferred.name)", elements: [element])
            }
        return entity
    }

    private func connect(
        _ source: InferredEntity, _ relationship: InferredToOne, _ isOptional: Bool,
        _ entities: [String: NSEntityDescription]
    ) {
        let there = NSRelationshipDescription()
        there.name = relationship.name
        there.maxCount = 1
        there.isOptional = isOptional
        let back = NSRelationshipDescription()
        back.name = relationship.inverseName
        join(there, source.name, back, relationship.destination, entities)
    }

    private func connect(_ link: InferredManyToMany, _ entities: [String: NSEntityDescription]) {
        let there = NSRelationshipDescription()
        there.name = link.first.property
        let back = NSRelationshipDescription()
        back.name = link.second.property
        join(there, link.first.entity, back, link.second.entity, entities)
    }

    private func join(
        _ there: NSRelationshipDescription, _ source: String, _ back: NSRelationshipDescription,
        _ destination: String, _ entities: [String: NSEntityDescription]
    ) {
        guard let from = entities[source], let to = entities[destination] else {
            trap("the inferred model lacks \(source) or \(destination)")
        }
        there.destinationEntity = to
        back.destinationEntity = from
        there.inverseRelationship = back
        back.inverseRelationship = there
        from.properties.append(there)
        to.properties.append(back)
    }
}
