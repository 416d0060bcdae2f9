// SPDX-License-Identifier: Apache-2.0

import CoreData

/// How strong a creature is: a managed object, and so the data of a component.
final class Stats: NSManagedObject {
    @Managed var health: Int32
    @Managed var strength: Int32

    static func make(health: Int32, strength: Int32, moc: NSManagedObjectContext) -> Stats {
        let stats = Stats(context: moc)
        stats.health = health
        stats.strength = strength
        return stats
    }

    static func makeEntity() -> NSEntityDescription {
        NSEntityDescription(
            name: "Stats", managedObjectClass: Stats.self,
            properties: [
                NSAttributeDescription(name: "health", type: .integer32, defaultValue: 0),
                NSAttributeDescription(name: "strength", type: .integer32, defaultValue: 0),
            ])
    }
}
