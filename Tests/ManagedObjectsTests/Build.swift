// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Short forms to build models.
enum Build {
    static func attribute(
        _ name: String, _ type: NSAttributeType = .stringAttributeType, isOptional: Bool = true,
        default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.defaultValue = value
        return attribute
    }

    static func entity(
        _ name: String, _ properties: [NSPropertyDescription], class: AnyClass? = nil
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        if let named = `class` { entity.managedObjectClassName = NSStringFromClass(named) }
        return entity
    }

    /// Adds a relationship to an entity; `max` 1 for to-one.
    @discardableResult
    static func relationship(
        _ name: String, of owner: NSEntityDescription, to destination: NSEntityDescription,
        max: Int, rule: NSDeleteRule = .nullifyDeleteRule, isOptional: Bool = true, min: Int = 0
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = max
        relationship.minCount = min
        relationship.deleteRule = rule
        relationship.isOptional = isOptional
        owner.properties.append(relationship)
        return relationship
    }

    static func inverse(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
        one.inverseRelationship = other
        other.inverseRelationship = one
    }

    static func index(_ entity: NSEntityDescription, _ names: String...) {
        let elements = names.compactMap { entity.propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
        entity.indexes.append(
            NSFetchIndexDescription(name: names.joined(separator: "_"), elements: elements))
    }

    static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }
}
