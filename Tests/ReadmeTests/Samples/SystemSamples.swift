// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about systems, schedules and further loops.
enum SystemSamples {
    struct Position: ValueComponent { var x, y, z: Float }
    struct Velocity: ValueComponent { var x, y: Float }
    struct Target: ValueComponent { var x: Float }
    struct Health: ValueComponent { var points: Int }
    struct Frozen: ValueComponent {}
    struct Sprite: ValueComponent { var number: Int }
    struct Mood: ValueComponent { var joy: Int }
    struct Likes: Relationship {}
    struct ChildOf: Relationship { static let isExclusive = true }
    struct Path: ValueComponent { var value: Float }
    static func show(_ sprite: Sprite, at position: Position) {}

    final class Stat: NSManagedObject {
        @Managed var value: Int32
    }

    static func chunks(_ world: World) {
        // SAMPLE: Query+Chunks.swift
        world.query(Mut<Position>.self, Velocity.self).forEachChunk { positions, velocities in
            for row in positions.indices { positions[row].x += velocities[row].x }
        }
        // SAMPLE: end
    }

    static func parallel(_ world: World) {
        @Sendable func shortestPath(from position: Position) -> Float { position.x }
        // SAMPLE: Query+Parallel.swift
        world.query(Mut<Path>.self, Position.self).parallelForEach { path, position in
            path.value = shortestPath(from: position)
        }
        // SAMPLE: end
    }

    static func sorted(_ world: World) {
        func draw(_ sprite: Sprite, at position: Position) { show(sprite, at: position) }
        // SAMPLE: Query+Sorted.swift
        world.query(Sprite.self, Position.self).forEach(sortedBy: { _, position in position.z }) {
            sprite, position in draw(sprite, at: position)
        }
        // SAMPLE: end
    }

    static func data(_ world: World) throws {
        // SAMPLE: DataQuery.swift
        let slow = world.query(Mut<Position>.self, Stat.self).without(Frozen.self)
        try slow.forEach { position, stat in position.x += Float(stat.value) }
        // SAMPLE: end
    }

    static func dataOfGuide(_ world: World) throws {
        // SAMPLE: ValueComponents.md
        try world.query(Mut<Position>.self, Stat.self).forEach { position, stat in
            position.x += Float(stat.value)
        }
        // SAMPLE: end
    }

    static func rows(_ schedule: Schedule) {
        // SAMPLE: QuerySystem+Rows.swift
        schedule.add("mourn", Mut<Mood>.self) { mood, _ in mood.joy = 0 }
            .with(Likes.self, to: .any).without(ChildOf.self, to: .any)
        // SAMPLE: end
    }

    static func commands(_ world: World) {
        // SAMPLE: Commands.swift
        let commands = Commands(world)
        world.query(Health.self, GameObjectID.self).forEach { health, object in
            if health.points <= 0 { commands.despawn(object) }
        }
        commands.apply()
        // SAMPLE: end
    }

    static func system(_ schedule: Schedule) {
        // SAMPLE: System.swift
        let steer = System("steer", reading: Target.self, writing: Velocity.self) { context in
            context.query(Mut<Velocity>.self, Target.self).forEach { velocity, target in
                velocity.x = target.x
            }
        }
        schedule.add(steer).after("input").before("move")
        // SAMPLE: end
    }

    static func loop(_ schedule: Schedule) {
        // SAMPLE: QuerySystem.swift
        schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, context in
            position.x += velocity.x * Float(context.delta)
        }.without(Frozen.self)
        // SAMPLE: end
    }

    static func schedule(_ world: World, while isRunning: Bool) throws {
        // SAMPLE: Schedule.swift
        let schedule = Schedule(stages: "input", "update")
        schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, context in
            position.x += velocity.x * Float(context.delta)
        }.inStage("update")
        while isRunning { try schedule.run(world, delta: 1.0 / 60) }
        // SAMPLE: end
    }
}

/// The guide to systems.
enum SystemGuideSamples {
    struct Place: ValueComponent { var x, y: Float }
    struct Speed: ValueComponent { var x, y: Float }
    struct Mass: ValueComponent { var kilograms: Float }
    struct Resting: ValueComponent {}
    struct Launcher: ValueComponent { var x: Float }

    static func run(_ world: World, while running: Bool) throws {
        // SAMPLE: Systems.md
        let schedule = Schedule(stages: "simulation", "cleaning")

        schedule.add("fall", Mut<Speed>.self, Mass.self) { speed, mass, context in
            speed.y -= 9.81 * Float(context.delta)
        }.without(Resting.self)

        schedule.add("move", Mut<Place>.self, Speed.self) { place, speed, context in
            place.x += speed.x * Float(context.delta)
            place.y += speed.y * Float(context.delta)
        }.after("fall")
        // SAMPLE: end

        // SAMPLE: Systems.md
        schedule.add(
            System("land", reading: Place.self, writing: Speed.self) { context in
                context.query(Mut<Speed>.self, Place.self, GameObjectID.self).forEach {
                    speed, place, object in
                    guard place.y <= 0 else { return }
                    speed.y = 0
                    context.commands.set(Resting(), of: object)
                }
            }
        ).after("move")
        // SAMPLE: end

        // SAMPLE: Systems.md
        schedule.add(
            System("launch", reading: Launcher.self) { context in
                context.query(Launcher.self).forEach { launcher in
                    let rocket = context.commands.spawn(
                        Place(x: launcher.x, y: 0), Mass(kilograms: 5))
                    context.commands.set(Speed(x: 1, y: 20), of: rocket)
                }
            }
        ).every(0.5).when { world in world.query(Mass.self).count < 3 }
        // SAMPLE: end

        // SAMPLE: Systems.md
        schedule.addExclusive("clean") { world, context in
            world.despawn(world.query(Place.self).with(Resting.self).objects)
        }.inStage("cleaning")

        while running {
            try schedule.run(world, delta: 0.25)
        }
        // SAMPLE: end
    }
}
