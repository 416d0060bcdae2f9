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
        NSEntityDescription(
            name: "Stat", managedObjectClass: Stat.self,
            properties: [
                NSAttributeDescription(name: "kind", type: .string, isOptional: false),
                NSAttributeDescription(name: "value", type: .integer32, defaultValue: 0),
            ])
    }
}
