// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A game in a file: a hero, monsters and things that lie about.
///
/// Creatures are game objects of the model with stats as managed objects; where they stand is a
/// value component, and who carries what a relationship. A turn is one save of all of that.
struct Dungeon {
    let container: NSPersistentContainer
    let world: World
    let hero: GameObjectID
    var moc: NSManagedObjectContext { container.viewContext }

    /// Opens the file of a game, or begins a new one.
    init(url: URL) throws {
        let model = NSManagedObjectModel(
            entities: GameObject.makeEntities() + [Stats.makeEntity()])
        container = NSPersistentContainer(name: "Dungeon", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }

        world = try World(context: container.viewContext)
        if world[resource: Turn.self] == nil {
            try Dungeon.begin(world, container.viewContext)
            try container.viewContext.save()
        }
        guard let hero = world.query(Hero.self).single else {
            throw CocoaError(.fileReadCorruptFile)
        }
        self.hero = hero
    }

    private static func begin(_ world: World, _ moc: NSManagedObjectContext) throws {
        world[resource: Turn.self] = Turn(number: 0)
        try Level.forEachThing { letter, place in
            switch letter {
            case UInt8(ascii: "@"):
                let hero = try creature("Hero", health: 30, strength: 4, world, moc)
                world.add(place, Glyph(letter: letter), Hero(), to: hero)
            case UInt8(ascii: "g"):
                let goblin = try creature("Goblin", health: 9, strength: 2, world, moc)
                world.add(place, Glyph(letter: letter), to: goblin)
            case UInt8(ascii: "k"):
                let kobold = try creature("Kobold", health: 14, strength: 5, world, moc)
                world.add(place, Glyph(letter: letter), to: kobold)
                let club = world.spawn(Glyph(letter: UInt8(ascii: "/")), Item(bonus: 2))
                world.relate(club, CarriedBy.self, to: kobold)
            case UInt8(ascii: "!"):
                world.spawn(place, Glyph(letter: letter), Item(bonus: 3))
            default:
                world.spawn(place, Glyph(letter: letter), Item(bonus: 0))
            }
        }
        guard let hero = world.query(Hero.self).single else { return }
        for monster in world.query(Glyph.self).without(Item.self).without(Hero.self).objects {
            world.relate(monster, Hunts.self, to: hero)
        }
    }

    private static func creature(
        _ name: String, health: Int32, strength: Int32, _ world: World,
        _ moc: NSManagedObjectContext
    ) throws -> GameObjectID {
        let creature = GameObject.create(name: name, moc: moc)
        let stats = Stats.make(health: health, strength: strength, moc: moc)
        try creature.addComponent(with: stats, moc: moc)
        return try creature.id(in: world)
    }

    // MARK: What there is

    /// The number of turns so far.
    var turn: Int32 { world[resource: Turn.self]?.number ?? 0 }

    /// Whether the hero lives.
    var isOver: Bool { stats(of: hero).map { $0.health <= 0 } ?? true }

    /// The stats of a creature; nil for anything else.
    func stats(of object: GameObjectID) -> Stats? {
        try? world.gameObject(object)?.getData(ofType: Stats.self).first
    }

    /// The items that a game object carries.
    func items(of carrier: GameObjectID) -> [GameObjectID] {
        world.sources(of: carrier, CarriedBy.self)
    }

    /// The map with everything that has a place; creatures hide what they stand on.
    func drawing() -> String {
        var rows = Level.rows.map { row in
            row.map { $0 == UInt8(ascii: "#") ? $0 : UInt8(ascii: ".") }
        }
        func draw(_ place: Place, _ glyph: Glyph) {
            rows[Int(place.y)][Int(place.x)] = glyph.letter
        }
        let things = world.query(Place.self, Glyph.self)
        things.with(Item.self).forEach(draw)
        things.without(Item.self).forEach(draw)
        let health = stats(of: hero)?.health ?? 0
        return rows.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
            + "turn \(turn), health \(health), \(items(of: hero).count) items\n"
    }
}
