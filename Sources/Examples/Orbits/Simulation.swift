// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Bodies around a sun, in a file.
///
/// All of the state is in the file, the time too. So a simulation that is opened again goes on as
/// if it had never ended.
final class Simulation {
    let container: NSPersistentContainer
    let world: World
    private let schedule = Systems.schedule()

    /// Opens the file of a simulation, or makes it with a number of bodies.
    init(url: URL, bodies: Int) throws {
        let model = NSManagedObjectModel(entities: GameObject.makeEntities())
        container = NSPersistentContainer(name: "Orbits", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }

        world = try World(
            context: container.viewContext,
            components: [Position.self, Velocity.self, Mass.self, Resource<Clock>.self])
        if world[resource: Clock.self] == nil {
            world[resource: Clock.self] = Clock(tick: 0)
            world.spawnBodies(bodies)
            try container.viewContext.save()
        }
    }

    /// The number of ticks so far.
    var tick: Int { world[resource: Clock.self]?.tick ?? 0 }

    /// Lets time pass, and saves after a number of ticks and at the end.
    ///
    /// - Throws: What running the systems or saving throws.
    func run(ticks: Int, savingEvery interval: Int) throws {
        var failure: (any Error)?
        world.autosave(every: interval) { failure = $0 }
        for _ in 0..<ticks {
            // Begins with `advance()`, which saves when it is time.
            try schedule.run(world)
            if let failure { throw failure }
        }
        try container.viewContext.save()
    }
}
