// SPDX-License-Identifier: Apache-2.0

import CoreData

/// What a game object can do: the data of a component.
final class Stat: NSManagedObject {
    @Managed var kind: String
    @Managed var value: Int32

    @discardableResult
    static func create(kind: String, value: Int32, moc: NSManagedObjectContext) -> Stat {
        let stat = Stat(context: moc)
        stat.kind = kind
        stat.value = value
        return stat
    }

    static func makeEntity() -> NSEntityDescription {
        let kind = NSAttributeDescription()
        kind.name = "kind"
        kind.attributeType = .stringAttributeType
        kind.isOptional = false
        let value = NSAttributeDescription()
        value.name = "value"
        value.attributeType = .integer32AttributeType
        value.defaultValue = 0
        let entity = NSEntityDescription()
        entity.name = "Stat"
        entity.managedObjectClassName = NSStringFromClass(Stat.self)
        entity.properties = [kind, value]
        return entity
    }
}
