// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The tutorial's game: a hero and a monster, each with stats as components.
struct Game {
    let container: NSPersistentContainer
    var moc: NSManagedObjectContext { container.viewContext }

    /// Opens the game's file, creating it if need be.
    init(url: URL) throws {
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities() + [Stat.makeEntity()]
        container = NSPersistentContainer(name: "Game", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Makes a hero and a monster with different stats and saves them.
    func populate() throws {
        let hero = GameObject.create(name: "Hero", moc: moc)
        for (kind, value) in [("strength", 12), ("agility", 7)] as [(String, Int32)] {
            try hero.addComponent(with: Stat.create(kind: kind, value: value, moc: moc), moc: moc)
        }
        let monster = GameObject.create(name: "Monster", moc: moc)
        try monster.addComponent(
            with: Stat.create(kind: "strength", value: 30, moc: moc), moc: moc)
        try moc.save()
    }

    /// The stats of a game object, one a line.
    func describe(_ name: String) throws -> String {
        guard let object = try GameObject.fetch(name: name, moc: moc) else {
            return "\(name): nobody has this name"
        }
        let stats = try object.getData(ofType: Stat.self).sorted { $0.kind < $1.kind }
        return "\(name): " + stats.map { "\($0.kind) \($0.value)" }.joined(separator: ", ")
    }

    /// Takes away from a game object all stats of a kind, with their data.
    func remove(_ kind: String, from name: String) throws {
        guard let object = try GameObject.fetch(name: name, moc: moc) else { return }
        for stat in try object.getData(ofType: Stat.self) where stat.kind == kind {
            try object.removeComponent(with: stat)
        }
        try moc.save()
    }
}
