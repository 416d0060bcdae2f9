// SPDX-License-Identifier: Apache-2.0

import CoreData

/// What happens in a turn.
extension Dungeon {
    /// The step that a key stands for; nil for another key.
    static func step(for key: Character) -> (x: Int32, y: Int32)? {
        switch key {
        case "w": (0, -1)
        case "a": (-1, 0)
        case "s": (0, 1)
        case "d": (1, 0)
        case " ": (0, 0)
        default: nil
        }
    }

    /// Lets the hero and then the monsters act, and saves.
    func play(_ key: Character) throws {
        guard let step = Dungeon.step(for: key), !isOver else { return }
        moveHero(step)
        pickUp()
        moveMonsters()
        world[resource: Turn.self]?.number += 1
        world.advance()
        try moc.save()
    }

    private func moveHero(_ step: (x: Int32, y: Int32)) {
        guard let place = world[hero, Place.self]?.moved(step), !Level.isWall(place) else { return }
        if let monster = world.sources(of: hero, Hunts.self).first(where: {
            world[$0, Place.self] == place
        }) {
            strike(monster, from: hero)
        } else {
            world[hero, Place.self] = place
        }
    }

    /// What lies where the hero stands is carried from now on.
    private func pickUp() {
        let place = world[hero, Place.self]
        for item in world.query(Place.self).with(Item.self).objects
        where world[item, Place.self] == place {
            world.remove(Place.self, from: item)
            world.relate(item, CarriedBy.self, to: hero)
        }
    }

    private func moveMonsters() {
        guard let goal = world[hero, Place.self] else { return }
        for monster in world.sources(of: hero, Hunts.self) {
            guard let place = world[monster, Place.self] else { continue }
            let (x, y) = (goal.x - place.x, goal.y - place.y)
            // They do not see far.
            guard abs(x) + abs(y) <= 6 else { continue }
            if abs(x) + abs(y) == 1 {
                strike(hero, from: monster)
                continue
            }
            let ways: [(x: Int32, y: Int32)] = [(x.signum(), 0), (0, y.signum())]
            for way in abs(x) >= abs(y) ? ways : ways.reversed() {
                let next = place.moved(way)
                guard next != place, !Level.isWall(next), !isTaken(next) else { continue }
                world[monster, Place.self] = next
                break
            }
        }
    }

    private func isTaken(_ place: Place) -> Bool {
        world.query(Place.self).without(Item.self).objects.contains {
            world[$0, Place.self] == place
        }
    }

    /// A creature hits another one, which may die of it.
    private func strike(_ object: GameObjectID, from other: GameObjectID) {
        guard let victim = stats(of: object), let attacker = stats(of: other) else { return }
        let bonus = items(of: other).reduce(0) { $0 + (world[$1, Item.self]?.bonus ?? 0) }
        victim.health -= attacker.strength + bonus
        guard victim.health <= 0, object != hero else { return }
        for item in items(of: object) { world[item, Place.self] = world[object, Place.self] }
        moc.delete(victim)
        world.despawn(object)
    }
}
