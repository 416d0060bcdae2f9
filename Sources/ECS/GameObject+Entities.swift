// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

extension GameObject {
    /// Makes the descriptions of `GameObject` and `Component`, to add to a model's entities.
    ///
    /// Game objects are indexed by name. Deleting one deletes its components, but not their data.
    public static func makeEntities() -> [NSEntityDescription] {
        let gameObject = NSEntityDescription()
        gameObject.name = "GameObject"
        gameObject.managedObjectClassName = NSStringFromClass(GameObject.self)
        let component = NSEntityDescription()
        component.name = "Component"
        component.managedObjectClassName = NSStringFromClass(Component.self)
        let name = attribute("name", .stringAttributeType)
        let representation = attribute("representation", .URIAttributeType)
        let (components, owner) = relationships(gameObject, component)
        gameObject.properties = [name, components]
        component.properties = [representation, owner]
        gameObject.indexes = [
            NSFetchIndexDescription(
                name: "byName",
                elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
        ]
        return [gameObject, component]
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private static func relationships(
        _ gameObject: NSEntityDescription, _ component: NSEntityDescription
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let components = NSRelationshipDescription()
        components.name = "components"
        components.destinationEntity = component
        components.maxCount = 0
        components.deleteRule = .cascadeDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "gameObject"
        owner.destinationEntity = gameObject
        owner.maxCount = 1
        owner.deleteRule = .nullifyDeleteRule
        components.inverseRelationship = owner
        owner.inverseRelationship = components
        return (components, owner)
    }
}
