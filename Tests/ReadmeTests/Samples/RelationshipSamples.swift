// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about relationships, copies, resources and indexes.
enum RelationshipSamples {
    struct Position: ValueComponent { var x, y: Float }
    struct Place: ValueComponent { var x, y: Float }
    struct Velocity: ValueComponent, Codable { var x, y: Float }
    struct Health: ValueComponent { var points: Int }
    struct Gravity: ValueComponent { var y: Float }

    // SAMPLE: Relationships.md
    enum Likes: Relationship {}
    enum ChildOf: Relationship {
        static let isExclusive = true
        static let isAcyclic = true
        static let whenTargetDespawns = RelationshipDeleteRule.cascade
    }
    // SAMPLE: end

    static func relate(
        _ world: World, _ bob: GameObjectID, _ alice: GameObjectID, _ car: GameObjectID,
        _ wheel: GameObjectID
    ) {
        // SAMPLE: Relationships.md
        world.relate(wheel, ChildOf.self, to: car)
        world.relate(bob, Likes.self, to: alice)
        print(world.targets(of: bob, Likes.self))  // everything that bob likes
        print(world.sources(of: alice, Likes.self))  // everything that likes alice
        print(world.target(of: wheel, ChildOf.self) == car)
        print(world.links(from: bob))  // relationships of all kinds
        world.unrelate(bob, Likes.self, from: alice)
        // SAMPLE: end
    }

    static func kinds(
        _ world: World, _ bob: GameObjectID, _ alice: GameObjectID, _ car: GameObjectID,
        _ wheel: GameObjectID
    ) {
        // SAMPLE: Relationship.swift
        enum Likes: Relationship {}
        enum ChildOf: Relationship {
            static let isExclusive = true
            static let isAcyclic = true
            static let whenTargetDespawns = RelationshipDeleteRule.cascade
        }
        world.relate(bob, Likes.self, to: alice)
        world.relate(wheel, ChildOf.self, to: car)
        let admirers = world.sources(of: alice, Likes.self)
        // SAMPLE: end
        print(admirers)
    }

    static func links(_ world: World) {
        // SAMPLE: Relationship.swift
        world.query(Position.self, Link<ChildOf>.self).forEach { position, link in
            print(position, world[link.target, Position.self] as Any)
        }
        // SAMPLE: end

        // SAMPLE: Relationships.md
        world.query(Mut<Position>.self, Link<ChildOf>.self).forEach { position, link in
            guard let parent = world[link.target, Place.self] else { return }
            position.x = parent.x
        }
        // SAMPLE: end
    }

    static func filters(_ world: World, _ bob: GameObjectID, _ alice: GameObjectID) {
        // SAMPLE: FilteredQuery+Relationships.swift
        let admirers = world.query(Position.self).with(Likes.self, to: alice)
        let liked = world.query(Position.self).with(Likes.self, from: bob)
        let orphans = world.query(Position.self).without(ChildOf.self, to: .any)
        // SAMPLE: end
        print(admirers.count + liked.count + orphans.count)
    }

    static func ends(_ world: World, _ bob: GameObjectID, _ alice: GameObjectID) {
        // SAMPLE: Relationships.md
        let all = world.query(Position.self, GameObjectID.self)
        let admirers = all.with(Likes.self, to: alice)
        let liked = all.with(Likes.self, from: bob)
        let roots = all.with(ChildOf.self, from: .any).without(ChildOf.self, to: .any)
        // SAMPLE: end
        print(admirers.count + liked.count + roots.count)
    }

    static func system() -> System {
        // SAMPLE: SystemContext+Relationships.swift
        System("follow", reading: Link<ChildOf>.self, writing: Place.self) { context in
            for object in context.breadthFirst(ChildOf.self) {
                guard let parent = context.target(of: object, ChildOf.self) else { continue }
                context[object, Place.self] = context[parent, Place.self]
            }
        }
        // SAMPLE: end
    }

    static func hierarchy(_ world: World) {
        func place(_ object: GameObjectID, in parent: GameObjectID) -> Place? {
            world[parent, Place.self]
        }
        // SAMPLE: World+Hierarchy.swift
        for object in world.breadthFirst(ChildOf.self) {
            guard let parent = world.target(of: object, ChildOf.self) else { continue }
            world[object, Place.self] = place(object, in: parent)
        }
        // SAMPLE: end

        // SAMPLE: Relationships.md
        for object in world.breadthFirst(ChildOf.self) {
            guard let parent = world.target(of: object, ChildOf.self) else { continue }
            world[object, Place.self] = place(object, in: parent)
        }
        // SAMPLE: end
    }

    static func prefab(_ world: World, _ goblin: GameObjectID) {
        // SAMPLE: Prefab.swift
        let goblin = Prefab(of: goblin, with: ChildOf.self, in: world)  // with sword and purse
        for _ in 0..<100 { world.spawn(goblin) }
        // SAMPLE: end
    }

    static func copies(
        _ world: World, _ goblin: GameObjectID, _ bob: GameObjectID, _ other: World
    ) {
        // SAMPLE: Relationships.md
        let goblin = Prefab(of: goblin, with: ChildOf.self, in: world)  // with sword and purse
        for _ in 0..<100 { world.spawn(goblin) }
        let twin = world.clone(bob)
        let copies = world.merge(other)
        // SAMPLE: end
        print(twin, copies.count)
    }

    static func merge(
        _ world: World, _ moc: NSManagedObjectContext, _ other: NSManagedObjectContext
    ) throws {
        // SAMPLE: World+Copies.swift
        let copies = world.merge(try World(context: other))
        try moc.save()
        // SAMPLE: end
        print(copies.count)
    }

    static func resource(_ world: World) {
        // SAMPLE: Resource.swift
        world[resource: Gravity.self] = Gravity(y: -9.81)
        world[resource: Gravity.self]?.y /= 6
        // SAMPLE: end

        // SAMPLE: Relationships.md
        world[resource: Gravity.self] = Gravity(y: -9.81)
        world[resource: Gravity.self]?.y /= 6
        // SAMPLE: end
    }

    static func index(_ world: World) {
        // SAMPLE: ComponentIndex.swift
        let byPoints = world.index(Health.self, by: \.points)
        let dead = byPoints.objects(0)
        let weak = byPoints.objects(in: ..<10)  // in the order of their points
        let strong = world.query(Position.self).with(byPoints, in: 90...)
        // SAMPLE: end
        print(dead.count + weak.count + strong.count)
    }

    static func guideIndex(_ world: World) {
        // SAMPLE: Relationships.md
        let byPoints = world.index(Health.self, by: \.points)
        let dead = byPoints.objects(0)
        let weak = byPoints.objects(in: ..<10)  // in the order of their points
        let strong = world.query(Position.self).with(byPoints, in: 90...)
        // SAMPLE: end
        print(dead.count + weak.count + strong.count)
    }

    struct Spot: ValueComponent, Codable { var x, y: Float }

    static func json(_ world: World, _ other: World, _ url: URL) throws {
        // SAMPLE: WorldJSON.swift
        let json = WorldJSON(
            components: Spot.self, Velocity.self, relationships: ChildOf.self)
        try json.data(of: world).write(to: url)
        try json.load(try Data(contentsOf: url), into: other)
        // SAMPLE: end
    }

    static func guideJSON(_ world: World, _ other: World, _ url: URL) throws {
        // SAMPLE: ValueComponents.md
        let json = WorldJSON(
            components: Spot.self, Velocity.self, relationships: ChildOf.self)
        try json.data(of: world).write(to: url)
        try json.load(try Data(contentsOf: url), into: other)
        // SAMPLE: end
    }

    static func changes(
        _ world: World, _ simulate: (World) -> Void, _ send: ([UInt8]) -> Void
    ) throws {
        // SAMPLE: WorldChanges.swift
        let follower = world.copy()
        world.advance()
        simulate(world)
        let changes = world.diff(since: world.lastAdvance)
        try follower.apply(changes)
        send(changes.bytes)  // to be read by WorldChanges(bytes:), wherever that is
        // SAMPLE: end
    }

    static func guideChanges(
        _ world: World, _ simulate: (World) -> Void, _ send: ([UInt8]) -> Void
    ) throws {
        // SAMPLE: Relationships.md
        let follower = world.copy()
        world.advance()
        simulate(world)
        let changes = world.diff(since: world.lastAdvance)
        try follower.apply(changes)
        send(changes.bytes)  // to be read by WorldChanges(bytes:), wherever that is
        // SAMPLE: end
    }

    static func undo(_ world: World, _ ship: GameObjectID, _ moc: NSManagedObjectContext) {
        // SAMPLE: World+Undo.swift
        world.undoable("Move") { world[ship, Position.self]?.x += 1 }
        moc.undo()
        // SAMPLE: end
    }

    static func guideUndo(_ world: World, _ ship: GameObjectID, _ moc: NSManagedObjectContext) {
        // SAMPLE: ValueComponents.md
        world.undoable("Move") { world[ship, Position.self]?.x += 1 }
        moc.undo()
        // SAMPLE: end
    }

    static func autosave(_ world: World) {
        // SAMPLE: ValueComponents.md
        world.autosave(every: 100) { error in print(error.localizedDescription) }
        // SAMPLE: end
    }
}
