// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Queries that have found nothing in most of a world, behind what changes it from outside.
@MainActor
@Suite struct KeptMatchTests: OnTwoWorlds {
    let worlds: TwoWorlds
    let ids: [GameObjectID]

    init() throws {
        worlds = try TwoWorlds()
        let first = worlds.first
        ids = Array(first.spawnAll(count: 1_500))
        for (place, id) in ids.enumerated() {
            if place % 2 == 0 {
                first[id, Wide.self] = Wide(number: place)
            } else {
                first[id, Place.self] = Place(x: 1, y: 1)
            }
        }
        try worlds.one.save()
        worlds.second.advance()
        for world in [first, worlds.second] { #expect(KeptMatchTests.both(world) == []) }
    }

    private static func both(_ world: Worlds.World) -> [GameObjectID] {
        // The second run knows what the first one has found.
        let objects = world.query(Wide.self, Place.self).objects
        #expect(world.query(Wide.self, Place.self).objects == objects)
        return objects
    }

    @Test func a_rollback_is_seen() {
        first[ids[700], Place.self] = Place(x: 2, y: 2)
        #expect(KeptMatchTests.both(first) == [ids[700]])
        one.rollback()
        #expect(KeptMatchTests.both(first) == [])
    }

    @Test func what_a_rollback_brings_back_is_seen() throws {
        first[ids[700], Place.self] = Place(x: 2, y: 2)
        try one.save()
        #expect(KeptMatchTests.both(first) == [ids[700]])
        first[ids[700], Wide.self] = nil
        #expect(KeptMatchTests.both(first) == [])
        one.rollback()
        #expect(KeptMatchTests.both(first) == [ids[700]])
    }

    @Test func saves_of_others_are_seen() throws {
        first[ids[700], Place.self] = Place(x: 2, y: 2)
        first[ids[101], Wide.self] = Wide(number: 3)
        try one.save()
        #expect(KeptMatchTests.both(second) == [])
        second.advance()
        #expect(KeptMatchTests.both(second) == [ids[101], ids[700]])
        first.despawn(ids[101])
        try one.save()
        second[ids[0], Place.self] = Place(x: 0, y: 0)
        try two.save()
        #expect(KeptMatchTests.both(second) == [ids[0], ids[700]])
    }

    @Test func undoing_is_seen() throws {
        let manager = UndoManager()
        first.undoable(with: manager) { first[ids[700], Place.self] = Place(x: 2, y: 2) }
        #expect(KeptMatchTests.both(first) == [ids[700]])
        manager.undo()
        #expect(KeptMatchTests.both(first) == [])
        manager.redo()
        #expect(KeptMatchTests.both(first) == [ids[700]])
    }
}
