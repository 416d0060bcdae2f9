// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Indexes of worlds that are kept in a file follow whatever changes it.
@MainActor
@Suite struct WorldIndexTests {
    let fixture: WorldFixture
    let world: Worlds.World
    let index: ComponentIndex<Place, Int32>
    let ids: GameObjectIDs

    init() throws {
        fixture = try WorldFixture()
        world = try Worlds.World(context: fixture.moc)
        ids = world.spawnAll((0..<5_000).map { Place(x: $0, y: 0) })
        try fixture.moc.save()
        index = world.index(Place.self, by: \.x)
        #expect(index.objects(4_999) == [ids[4_999]])
    }

    @Test func a_parallel_loop() throws {
        world.query(Mut<Place>.self).parallelForEach { $0.x += 10_000 }
        #expect(index.objects(4_999) == [])
        #expect(index.objects(14_999) == [ids[4_999]])
        #expect(index.count(in: 10_000...) == 5_000)
        #expect(index.count(in: ..<10_000) == 0)
        try fixture.moc.save()
        #expect(index.objects(in: 10_000..<10_003) == Array(ids.prefix(3)))
    }

    @Test func a_rollback() throws {
        world[ids[7], Place.self]?.x = -1
        world.despawn(ids[8])
        let new = world.spawn(Place(x: -2, y: 0))
        #expect(index.objects(in: ..<0) == [new, ids[7]])
        fixture.moc.rollback()
        #expect(index.objects(in: ..<0) == [])
        #expect(index.objects(in: 7...8) == [ids[7], ids[8]])
    }

    @Test func an_undo() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        manager.beginUndoGrouping()
        world.undoable(with: manager) {
            world[ids[7], Place.self]?.x = -1
            world.despawn(ids[8])
        }
        manager.endUndoGrouping()
        #expect(index.objects(in: ..<0) == [ids[7]])
        #expect(index.objects(8) == [])
        manager.undo()
        #expect(index.objects(in: ..<0) == [])
        #expect(index.objects(in: 7...8) == [ids[7], ids[8]])
        manager.redo()
        #expect(index.objects(in: ..<0) == [ids[7]])
        #expect(index.objects(8) == [])
    }

    @Test func a_commit_of_another_context() throws {
        let context = fixture.context()
        let other = try Worlds.World(context: context)
        other[ids[7], Place.self]?.x = -1
        other.despawn(ids[8])
        let new = other.spawn(Place(x: -2, y: 0))
        try context.save()
        #expect(index.objects(in: ..<0) == [])
        world.advance()
        #expect(index.objects(in: ..<0) == [new, ids[7]])
        #expect(index.objects(8) == [])
        #expect(index.count(in: 0...) == 4_998)
    }
}
