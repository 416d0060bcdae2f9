// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

extension GameObject {
    /// Makes the descriptions of `GameObject` and `Component`, to add to a model's entities.
    ///
    /// ```swift
    /// let model = NSManagedObjectModel(entities: [stat] + GameObject.makeEntities())
    /// ```
    ///
    /// Game objects are indexed by name. Deleting one deletes its components, but not their data.
    public static func makeEntities() -> [NSEntityDescription] {
        let gameObject = NSEntityDescription(
            name: "GameObject", managedObjectClass: GameObject.self)
        let component = NSEntityDescription(name: "Component", managedObjectClass: Component.self)
        let name = NSAttributeDescription(name: "name", type: .string)
        let representation = NSAttributeDescription(name: "representation", type: .uri)
        let components = NSRelationshipDescription(
            name: "components", destination: component, deleteRule: .cascadeDeleteRule)
        let owner = NSRelationshipDescription(
            name: "gameObject", destination: gameObject, maxCount: 1, inverse: components)
        gameObject.properties = [name, components]
        component.properties = [representation, owner]
        gameObject.indexes = [NSFetchIndexDescription(name: "byName", properties: [name])]
        return [gameObject, component]
    }
}
