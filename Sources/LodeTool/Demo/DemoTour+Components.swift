// SPDX-License-Identifier: Apache-2.0

import Lode

/// The part of the demo about game objects and components.
extension DemoTour {
    /// Makes game objects with components in a store of their own and moves them.
    func runComponents() throws {
        let container = try makeGame()
        let context = container.newBackgroundContext()
        let count = max(objectCount / 10, 1)
        try context.performAndWait {
            try populate(context, count)
            try move(context)
            try damage(context)
        }
    }

    private func makeGame() throws -> NSPersistentContainer {
        let model = NSManagedObjectModel()
        model.entities =
            GameObject.makeEntities() + [DemoMotion.makeEntity(), DemoHealth.makeEntity()]
        let container = NSPersistentContainer(name: "Game", managedObjectModel: model)
        let description = NSPersistentStoreDescription(
            url: folder.appendingPathComponent("game.lode"))
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private func populate(_ context: NSManagedObjectContext, _ count: Int) throws {
        output.line("\nMaking \(count.counted("game object")) with two components each")
        let seconds = try measure {
            var generator = DemoGenerator(seed: 11)
            for _ in 0..<count {
                let motion = DemoMotion(context: context)
                motion.speedX = Double.random(in: -1...1, using: &generator)
                motion.speedY = Double.random(in: -1...1, using: &generator)
                let health = DemoHealth(context: context)
                health.points = Int32.random(in: 1...100, using: &generator)
                let object = GameObject.create(name: generator.name(), moc: context)
                try object.addComponent(with: motion, moc: context)
                try object.addComponent(with: health, moc: context)
            }
            try context.save()
        }
        output.line("  \(milliseconds(seconds)), \(rate(count * 2, seconds)) components/s")
    }

    private func move(_ context: NSManagedObjectContext) throws {
        output.line("\nMoving everything that has a motion")
        var moved = 0
        var saving = 0.0
        let seconds = try measure {
            for motion in try context.fetch(NSFetchRequest<DemoMotion>(entityName: "DemoMotion")) {
                motion.x += motion.speedX
                motion.y += motion.speedY
                moved += 1
            }
            saving = try measure { try context.save() }
        }
        output.line(
            "  \(moved.counted("component")) in \(milliseconds(seconds)), of which the save took "
                + milliseconds(saving))
    }

    private func damage(_ context: NSManagedObjectContext) throws {
        output.line("\nAsking each game object with health for its components")
        var points = 0
        var objects = 0
        let seconds = try measure {
            for object in try GameObject.fetchAll(
                withComponentOfType: DemoHealth.self, moc: context)
            {
                for health in try object.getData(ofType: DemoHealth.self) {
                    points += Int(health.points)
                }
                objects += 1
            }
        }
        output.line(
            "  \(objects.counted("object")) with \(points.counted("point")) in "
                + "\(milliseconds(seconds)), \(rate(objects, seconds)) objects/s")
    }
}
