// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Bodies as game objects with value components, in the world of a context.
public final class LodeBodies: BodyEngine {
    /// The name.
    public static let name = "Lode"

    private let path: String
    private let input: BodyInput
    private let count: Int
    private var container: NSPersistentContainer
    private var context: NSManagedObjectContext
    private var world: World
    /// The IDs of the bodies, in their order and in the one at random.
    private var objects: [GameObjectID] = []
    private var shuffled: [GameObjectID] = []
    private var sum: Float = 0

    /// Opens a file, which is made.
    public init(path: String, input: BodyInput) throws {
        self.path = path
        self.input = input
        count = input.positions.count
        (container, context, world) = try LodeBodies.open(path)
    }

    static func open(
        _ path: String
    ) throws -> (NSPersistentContainer, NSManagedObjectContext, World) {
        let container = try NSPersistentContainer(
            NSManagedObjectModel(entities: GameObject.makeEntities()), at: path)
        let context = container.newBackgroundContext()
        let world = try context.performAndWait { try World(context: context) }
        return (container, context, world)
    }

    /// Takes a step.
    public func run(_ step: BodyStep) throws -> Double {
        if step == .open { return try reopen() }
        return try context.performAndWait { try take(step) }
    }

    private func take(_ step: BodyStep) throws -> Double {
        switch step {
        case .spawnAll: try spawnAll() / Double(count)
        case .spawn: Stopwatch.time { spawnOneByOne() }.seconds / Double(count)
        case .move, .moveOpened: moveOften() / Double(BodyStep.ticks * count)
        case .steer: Stopwatch.time { steer() }.seconds / Double(input.driven.count)
        case .add: Stopwatch.time { add() }.seconds / Double(count)
        case .get: Stopwatch.time { get() }.seconds / Double(count)
        case .setLarge: try setLarge()
        case .remove: Stopwatch.time { remove() }.seconds / Double((count + 1) / 2)
        case .saveAll: try saveAll()
        case .moveSaved: Stopwatch.time { move() }.seconds / Double(count)
        case .saveFew: try saveFew()
        case .open: 0
        }
    }

    private func spawnAll() throws -> Double {
        let (ids, seconds) = Stopwatch.time { world.spawnAll(input.positions, input.velocities) }
        objects = Array(ids)
        shuffled = input.order.map { ids[$0] }
        for (place, body) in input.driven.enumerated() {
            world[objects[body], Thrust.self] = input.thrusts[place]
        }
        try context.save()
        return seconds
    }

    private func spawnOneByOne() {
        let world = World()
        for body in 0..<count { world.spawn(input.positions[body], input.velocities[body]) }
        var last: Float = 0
        let object = world.query(Position.self).objects.last
        if let object, let position = world[object, Position.self] { last += position.x }
        if let object, let velocity = world[object, Velocity.self] { last += velocity.x }
        sum += last
    }

    private func moveOften() -> Double {
        move()
        return Stopwatch.time { for _ in 0..<BodyStep.ticks { move() } }.seconds
    }

    @inline(never)
    private func move() {
        world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
            position.x += velocity.x * BodyInput.tick
            position.y += velocity.y * BodyInput.tick
            position.z += velocity.z * BodyInput.tick
        }
    }

    @inline(never)
    private func steer() {
        world.query(Mut<Position>.self, Velocity.self, Thrust.self)
            .forEach { position, velocity, thrust in
                position.x += (velocity.x + thrust.x) * BodyInput.tick
                position.y += (velocity.y + thrust.y) * BodyInput.tick
                position.z += (velocity.z + thrust.z) * BodyInput.tick
            }
    }

    private func add() {
        let (world, shuffled) = (world, shuffled)
        for (number, object) in shuffled.enumerated() {
            world.set(Charge(value: Int64(number)), of: object)
        }
    }

    private func get() {
        let (world, shuffled) = (world, shuffled)
        var sum: Float = 0
        for object in shuffled {
            if let position = world[object, Position.self] { sum += position.x }
        }
        self.sum += sum
    }

    private func setLarge() throws -> Double {
        let world = World()
        let count = max(1, count / BodyStep.jointedShare)
        let ids = Array(world.spawnAll((0..<count).map { Joints(count: Int64($0)) }))
        let order = input.order.filter { $0 < count }.map { ids[$0] }
        let seconds = try Stopwatch.time { try setJoints(of: order, in: world) }.seconds
        sum += Float(world[ids[count - 1], Joints.self]?.count ?? 0)
        return seconds / Double(count)
    }

    /// Sets large values in a function that may throw, as optimised calls of that once changed the
    /// register that errors are thrown in.
    @inline(never)
    private func setJoints(of objects: [GameObjectID], in world: World) throws {
        for (number, object) in objects.enumerated() {
            world[object, Joints.self] = Joints(count: Int64(number))
        }
        try requireCount(of: objects, in: world)
    }

    @inline(never)
    private func requireCount(of objects: [GameObjectID], in world: World) throws {
        guard world.count == objects.count else {
            throw BenchmarkError("\(world.count) game objects, and not \(objects.count)")
        }
    }

    private func remove() {
        let (world, shuffled) = (world, shuffled)
        for place in stride(from: 0, to: count, by: 2) {
            world.remove(Charge.self, from: shuffled[place])
        }
    }

    // MARK: The file

    private func saveAll() throws -> Double {
        // What was added and removed before is not of this save.
        try context.save()
        move()
        return try Stopwatch.time { try context.save() }.seconds
    }

    private func saveFew() throws -> Double {
        try context.save()
        for chunk in BodyChunks.few(count) {
            // Rows of a file begin anywhere; the chunks are as many.
            world[objects[chunk * BodyChunks.rows], Position.self]?.x += 1
        }
        return try Stopwatch.time { try context.save() }.seconds
    }

    private func reopen() throws -> Double {
        try context.performAndWait { try context.save() }
        try close()
        return try Stopwatch.time {
            (container, context, world) = try LodeBodies.open(path)
            context.performAndWait { move() }
        }.seconds
    }

    /// A sum over all values.
    public func checksum() throws -> Checksum {
        context.performAndWait {
            var result = Checksum()
            world.query(Position.self, Charge?.self).forEach { position, charge in
                result.add(position.x, position.y, position.z)
                result.add(charge?.value ?? -1)
            }
            result.add(Int64(sum.bitPattern))
            return result
        }
    }

    /// Closes the file.
    public func close() throws {
        try container.close()
    }
}
