// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about worlds and value components.
enum WorldSamples {
    // SAMPLE: ValueComponents.md
    struct Position: ValueComponent { var x, y: Float }
    struct Velocity: ValueComponent { var x, y: Float }
    struct Frozen: ValueComponent {}
    struct Target: ValueComponent { var object: GameObjectID }
    // SAMPLE: end

    // SAMPLE: ValueComponents.md
    struct Name: CodableComponent {
        var text: String
        var tags: [String]
    }
    // SAMPLE: end

    static func codable(_ world: World, _ ship: GameObjectID) {
        // SAMPLE: CodableComponent.swift
        struct Name: CodableComponent {
            var text: String
            var tags: [String]
        }

        world[ship, Name.self] = Name(text: "Argo", tags: ["old"])
        world[ship, Name.self]?.tags.append("fast")
        world.query(Position.self, Name.self).forEach { position, name in
            print(name.text, position)
        }
        // SAMPLE: end
    }

    static func component() -> Float? {
        // SAMPLE: ValueComponent.swift
        struct Position: ValueComponent {
            var x, y, z: Float
        }

        let world = World()
        let ship = world.spawn(Position(x: 0, y: 0, z: 0))
        world[ship, Position.self]?.x += 1
        // SAMPLE: end
        return world[ship, Position.self]?.x
    }

    static func world() -> World {
        // SAMPLE: World.swift
        let world = World()
        let ship = world.spawn(Position(x: 0, y: 0), Velocity(x: 1, y: 0))
        world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
            position.x += velocity.x
        }
        print(world[ship, Position.self]!)
        // SAMPLE: end
        return world
    }

    static func spawnAll(
        _ world: World, _ positions: [Position], _ velocities: [Velocity]
    ) -> GameObjectIDs {
        // SAMPLE: World+Spawning.swift
        let bodies = world.spawnAll(positions, velocities)
        // SAMPLE: end
        return bodies
    }

    static func query(_ world: World) {
        // SAMPLE: QueryTerm.swift
        world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
            position.x += velocity.x
        }
        // SAMPLE: end

        // SAMPLE: World+Querying.swift
        let moving = world.query(Mut<Position>.self, Velocity.self).without(Frozen.self)
        moving.forEach { position, velocity in position.x += velocity.x }
        // SAMPLE: end
    }

    static func file(_ moc: NSManagedObjectContext) throws -> GameObjectID {
        // SAMPLE: World+Context.swift
        let world = try World(context: moc)
        let ship = world.spawn(Position(x: 0, y: 0), Velocity(x: 1, y: 0))
        try moc.save()
        // SAMPLE: end
        return ship
    }

    static func migration(_ moc: NSManagedObjectContext) throws -> World {
        struct Position: ValueComponent {
            var x, y, z: Float
        }
        // SAMPLE: ColumnMigration.swift
        struct OldPosition: ValueComponent {
            static let componentName = "Position"
            var x, y: Float
        }
        let migration = ColumnMigration(from: OldPosition.self, to: Position.self) { old in
            Position(x: old.x, y: old.y, z: 0)
        }
        let world = try World(context: moc, migrations: [migration])
        // SAMPLE: end
        return world
    }
}

// The guide's samples.
extension WorldSamples {
    static func spawn() -> World {
        // SAMPLE: ValueComponents.md
        let world = World()
        let ship = world.spawn(Position(x: 0, y: 0), Velocity(x: 1, y: 2))
        let rocks = world.spawnAll([Position(x: 5, y: 5), Position(x: 6, y: 6)])
        world[ship, Velocity.self]?.x = 3  // change it
        world[ship, Target.self] = Target(object: rocks[0])  // add it
        world[ship, Target.self] = nil  // remove it
        world.add(Velocity(x: 0, y: 1), Frozen(), to: rocks[1])
        world.despawn(rocks[0])
        world[ship, Name.self] = Name(text: "Argo", tags: ["fast"])
        world[ship, Name.self]?.tags.append("old")
        print(world.count, world.isAlive(rocks[0]), world.has(Frozen.self, rocks[1]))
        // SAMPLE: end
        return world
    }

    static func tick(_ world: World, _ dt: Float) {
        // SAMPLE: ValueComponents.md
        world.query(Mut<Position>.self, Velocity.self).without(Frozen.self)
            .forEach { position, velocity in
                position.x += velocity.x * dt
                position.y += velocity.y * dt
            }
        // SAMPLE: end
        // SAMPLE: ValueComponents.md
        world.query(Mut<Position>.self, Velocity.self).forEachChunk { positions, velocities in
            for row in positions.indices { positions[row].x += velocities[row].x * dt }
        }
        // SAMPLE: end
    }

    struct Wind: ValueComponent { var x: Float }
    struct Mass: ValueComponent { var value: Float }

    static func blow(_ world: World) {
        // SAMPLE: QueryChunk.swift
        world.query(Mut<Position>.self, Velocity.self, Wind.self, Mass.self).forEachChunk { chunk in
            chunk.change(Position.self) { positions in
                chunk.read(Wind.self) { winds in
                    for row in positions.indices { positions[row].x += winds[row].x }
                }
            }
        }
        // SAMPLE: end
    }

    static func despawnAfterwards(_ world: World) {
        // SAMPLE: ValueComponents.md
        var gone: [GameObjectID] = []
        world.query(GameObjectID.self, Position.self).forEach { object, position in
            if position.x > 100 { gone.append(object) }
        }
        world.despawn(gone)
        // SAMPLE: end
    }

    static func observe(_ world: World) {
        // SAMPLE: ValueComponents.md
        world.observe(Frozen.self) { world, event in
            if case .added(let object, _) = event { world.remove(Velocity.self, from: object) }
        }
        world.advance()
        // SAMPLE: end
    }

    static func keep(
        _ moc: NSManagedObjectContext, _ positions: [Position], _ velocities: [Velocity]
    ) throws -> World {
        // SAMPLE: ValueComponents.md
        let world = try World(context: moc)
        world.spawnAll(positions, velocities)
        try moc.save()
        // SAMPLE: end
        return world
    }

    static func migrate(_ moc: NSManagedObjectContext) throws -> World {
        // SAMPLE: ValueComponents.md
        enum Former {
            struct Position: ValueComponent { var x: Float }
        }
        let world = try World(
            context: moc, components: [Position.self],
            migrations: [
                ColumnMigration(from: Former.Position.self, to: Position.self) {
                    Position(x: $0.x, y: 0)
                }
            ])
        // SAMPLE: end
        return world
    }

    static func name(_ world: World, _ moc: NSManagedObjectContext) throws -> GameObject? {
        // SAMPLE: ValueComponents.md
        let hero = GameObject.create(name: "Hero", moc: moc)
        let id = try hero.id(in: world)
        world.add(Position(x: 0, y: 0), Velocity(x: 1, y: 0), to: id)
        let same = try world.gameObject(id)
        // SAMPLE: end
        return same === hero ? same : nil
    }
}
