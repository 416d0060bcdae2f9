// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The systems: loops over all bodies that have what they need.
enum Systems {
    /// The time that passes in a tick.
    static let step: Float = 0.002

    /// All systems in their order; those of the first stage may run at the same time where they
    /// touch different components.
    static func schedule() -> Schedule {
        let schedule = Schedule(stages: "motion", "time")
        schedule.add("pull", Mut<Velocity>.self, Position.self) { velocity, position, _ in
            pull(&velocity.component, position)
        }
        schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, _ in
            position.x += velocity.x * step
            position.y += velocity.y * step
        }.after("pull")
        schedule.add("evaporate", Mut<Mass>.self, Position.self, GameObjectID.self) {
            mass, position, body, context in
            let square = position.x * position.x + position.y * position.y
            mass.amount -= step * 0.002 / max(square, 0.01)
            // Bodies near the sun lose mass, and those without mass are gone.
            if mass.amount <= 0 { context.commands.despawn(body) }
        }.after("move")
        schedule.add(
            System("clock", writing: Resource<Clock>.self) { $0[resource: Clock.self]?.tick += 1 }
        ).inStage("time")
        return schedule
    }

    /// The sun pulls a body, the more the nearer it is.
    private static func pull(_ velocity: inout Velocity, _ position: Position) {
        let square = position.x * position.x + position.y * position.y
        // Nothing falls into the sun: it has a soft edge.
        let distance = max(square, 0.01).squareRoot()
        let pull = step / (distance * distance * distance)
        velocity.x -= position.x * pull
        velocity.y -= position.y * pull
    }
}
