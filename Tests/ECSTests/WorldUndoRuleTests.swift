// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

private enum BelongsTo: Worlds.Relationship {
    static let isExclusive = true
    static let isAcyclic = true
}
private enum Above: Worlds.Relationship {
    static let isAcyclic = true
}
private enum Holds: Worlds.Relationship {
    static let whenTargetDespawns = RelationshipDeleteRule.deny
}

/// Undoing leaves out what the rules of a relationship forbid by now.
@MainActor
@Suite struct WorldUndoRuleTests {
    let fixture: WorldFixture
    let world: Worlds.World
    let manager = UndoManager()
    let ids: GameObjectIDs

    init() throws {
        fixture = try WorldFixture()
        world = try Worlds.World(context: fixture.moc)
        manager.groupsByEvent = false
        ids = world.spawnAll((0..<4).map { Place(x: $0, y: 0) })
    }

    private func act(_ body: () -> Void) {
        manager.beginUndoGrouping()
        world.undoable(with: manager) { body() }
        manager.endUndoGrouping()
    }

    @Test func no_circle_is_closed() throws {
        world.relate(ids[0], BelongsTo.self, to: ids[1])
        world.relate(ids[0], Above.self, to: ids[1])
        act {
            world.unrelate(ids[0], BelongsTo.self)
            world.unrelate(ids[0], Above.self)
            world[ids[3], Place.self]?.y = 7
        }
        world.relate(ids[1], BelongsTo.self, to: ids[0])
        world.relate(ids[1], Above.self, to: ids[2])
        world.relate(ids[2], Above.self, to: ids[0])
        manager.undo()
        #expect(world.target(of: ids[0], BelongsTo.self) == nil)
        #expect(world.target(of: ids[1], BelongsTo.self) == ids[0])
        #expect(world.targets(of: ids[0], Above.self) == [])
        // Everything else is taken back.
        #expect(world[ids[3], Place.self]?.y == 0)
        try fixture.moc.save()
        manager.redo()
        #expect(world[ids[3], Place.self]?.y == 7)
        #expect(world.target(of: ids[1], BelongsTo.self) == ids[0])
    }

    @Test func only_the_link_that_closes_a_circle_is_left_out() {
        world.relate(ids[0], BelongsTo.self, to: ids[1])
        world.relate(ids[1], BelongsTo.self, to: ids[2])
        act {
            world.unrelate(ids[0], BelongsTo.self)
            world.unrelate(ids[1], BelongsTo.self)
        }
        world.relate(ids[2], BelongsTo.self, to: ids[0])
        manager.undo()
        let links = ids.compactMap { world.target(of: $0, BelongsTo.self) }
        #expect(links.count == 2)
        #expect(world.target(of: ids[2], BelongsTo.self) == ids[0])
        for id in ids { #expect(!world.ancestors(of: id, BelongsTo.self).contains(id)) }
    }

    @Test func what_is_held_stays_with_all_that_it_has() throws {
        var new: GameObjectID?
        act {
            let made = world.spawn(Place(x: 9, y: 9))
            world.relate(made, Likes.self, to: ids[1])
            world.relate(ids[1], BelongsTo.self, to: made)
            world[ids[3], Place.self]?.y = 7
            new = made
        }
        let object = try #require(new)
        world.relate(ids[2], Holds.self, to: object)
        manager.undo()
        #expect(world.isAlive(object))
        #expect(world[object, Place.self] == Place(x: 9, y: 9))
        #expect(world.targets(of: object, Likes.self) == [ids[1]])
        #expect(world.target(of: ids[1], BelongsTo.self) == object)
        #expect(world.targets(of: ids[2], Holds.self) == [object])
        #expect(world[ids[3], Place.self]?.y == 0)
        try fixture.moc.save()
        try WorldPages(fixture.url).verify()
        manager.redo()
        world.unrelate(ids[2], Holds.self)
        manager.undo()
        #expect(!world.isAlive(object))
    }

    @Test func what_a_cascade_takes_along_may_be_held() throws {
        var new: GameObjectID?
        act { new = world.spawn(Place(x: 9, y: 9)) }
        let object = try #require(new)
        world.relate(ids[0], ChildOf.self, to: object)
        world.relate(ids[2], Holds.self, to: ids[0])
        manager.undo()
        #expect(world.isAlive(object))
        #expect(world.target(of: ids[0], ChildOf.self) == object)
        manager.redo()
        world.unrelate(ids[2], Holds.self)
        manager.undo()
        #expect(!world.isAlive(object))
        #expect(!world.isAlive(ids[0]))
        #expect(world.count == 3)
    }

    @Test func redoing_gives_back_what_undoing_took_by_a_cascade() throws {
        var new: GameObjectID?
        act { new = world.spawn(Place(x: 9, y: 9)) }
        let object = try #require(new)
        world.relate(ids[0], ChildOf.self, to: object)
        world.relate(ids[1], Likes.self, to: ids[0])
        world[object, Place.self]?.y = 5
        manager.undo()
        #expect(!world.isAlive(ids[0]))
        try fixture.moc.save()
        manager.redo()
        #expect(world[object, Place.self] == Place(x: 9, y: 5))
        #expect(world[ids[0], Place.self] == Place(x: 0, y: 0))
        #expect(world.target(of: ids[0], ChildOf.self) == object)
        #expect(world.targets(of: ids[1], Likes.self) == [ids[0]])
        manager.undo()
        #expect(world.query(Place.self).objects == [ids[1], ids[2], ids[3]])
        try fixture.moc.save()
        try WorldPages(fixture.url).verify()
    }

    @Test func undoing_gives_back_what_redoing_took_by_a_cascade() throws {
        act { world.despawn(ids[1]) }
        manager.undo()
        world.relate(ids[0], ChildOf.self, to: ids[1])
        manager.redo()
        #expect(world.query(Place.self).objects == [ids[2], ids[3]])
        manager.undo()
        #expect(world.target(of: ids[0], ChildOf.self) == ids[1])
        #expect(world[ids[0], Place.self] == Place(x: 0, y: 0))
        #expect(world.query(Place.self).count == 4)
    }
}
