// SPDX-License-Identifier: Apache-2.0

import Lode

/// Where a game object is and how it moves: the data of a component.
final class DemoMotion: NSManagedObject {
    @Managed var x: Double
    @Managed var y: Double
    @Managed var speedX: Double
    @Managed var speedY: Double

    static func makeEntity() -> NSEntityDescription {
        makeDemoEntity("DemoMotion", DemoMotion.self, ["x", "y", "speedX", "speedY"], .double)
    }
}

/// How much a game object can bear: the data of a component.
final class DemoHealth: NSManagedObject {
    @Managed var points: Int32

    static func makeEntity() -> NSEntityDescription {
        makeDemoEntity("DemoHealth", DemoHealth.self, ["points"], .integer32)
    }
}

private func makeDemoEntity(
    _ name: String, _ type: NSManagedObject.Type, _ attributes: [String],
    _ attributeType: NSAttributeDescription.AttributeType
) -> NSEntityDescription {
    NSEntityDescription(
        name: name, managedObjectClass: type,
        properties: attributes.map {
            NSAttributeDescription(name: $0, type: attributeType, defaultValue: 0)
        })
}
