// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The systems: functions over all bodies that have what they need.
enum Systems {
    /// The time that passes in a tick.
    static let step: Float = 0.002

    /// The sun pulls each body, the more the nearer it is.
    static func pull(_ world: World) {
        world.query(Mut<Velocity>.self, Position.self).forEach { velocity, position in
            let square = position.x * position.x + position.y * position.y
            // Nothing falls into the sun: it has a soft edge.
            let distance = max(square, 0.01).squareRoot()
            let pull = step / (distance * distance * distance)
            velocity.x -= position.x * pull
            velocity.y -= position.y * pull
        }
    }

    /// Each body moves.
    static func move(_ world: World) {
        world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
            position.x += velocity.x * step
            position.y += velocity.y * step
        }
    }

    /// Bodies near the sun lose mass, and those without mass are gone.
    static func evaporate(_ world: World) {
        var gone: [GameObjectID] = []
        world.query(Mut<Mass>.self, Position.self, GameObjectID.self).forEach {
            mass, position, object in
            let square = position.x * position.x + position.y * position.y
            mass.amount -= step * 0.002 / max(square, 0.01)
            if mass.amount <= 0 { gone.append(object) }
        }
        world.despawn(gone)
    }
}
