// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Bodies around a sun, in a file.
///
/// All of the state is in the file, the time too. So a simulation that is opened again goes on as
/// if it had never ended.
struct Simulation {
    let container: NSPersistentContainer
    let world: World
    private let clock: GameObjectID
    private var moc: NSManagedObjectContext { container.viewContext }

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
            components: [Position.self, Velocity.self, Mass.self, Clock.self])
        if world.query(Clock.self).isEmpty {
            world.spawnBodies(bodies)
            try container.viewContext.save()
        }
        guard let clock = world.query(Clock.self).single else {
            throw CocoaError(.fileReadCorruptFile)
        }
        self.clock = clock
    }

    /// The number of ticks so far.
    var tick: Int { world[clock, Clock.self]?.tick ?? 0 }

    /// Lets time pass, and saves after a number of ticks and at the end.
    func run(ticks: Int, savingEvery interval: Int) throws {
        for _ in 0..<ticks {
            Systems.pull(world)
            Systems.move(world)
            Systems.evaporate(world)
            world[clock, Clock.self]?.tick += 1
            world.advance()
            if tick % interval == 0 { try moc.save() }
        }
        try moc.save()
    }
}
