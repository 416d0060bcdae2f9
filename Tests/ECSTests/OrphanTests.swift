// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Game objects that one side despawns while the other one changes them: no look shows a component
/// without its game object.
@MainActor
@Suite struct OrphanTests: OnTwoWorlds {
    let worlds: TwoWorlds

    init() throws { worlds = try TwoWorlds() }

    /// The game objects with a place or a speed, of a world that has only the other one.
    private func expectOtherAlone(_ world: Worlds.World) {
        #expect(world.query(GameObjectID.self).objects == [other])
        #expect(world.query(Place.self).objects == [other])
        #expect(world.query(Speed.self).objects == [])
        #expect(world[object, Place.self] == nil)
        #expect(world[object, Speed.self] == nil)
    }

    @Test func a_tick_shows_no_component_of_what_others_despawned() throws {
        let index = second.index(Place.self, by: \.x)
        first.despawn(object)
        try one.save()
        second[object, Place.self]?.x = 7
        second[object, Speed.self] = Speed(x: 1, y: 1)
        #expect(index.objects(7) == [object])
        second.advance()
        expectOtherAlone(second)
        #expect(index.objects(7) == [])
        for object in second.query(Place.self).objects {
            second[object, Speed.self] = Speed(x: 5, y: 5)
        }
        #expect(second[other, Speed.self] == Speed(x: 5, y: 5))
    }

    @Test func the_error_policy_still_refuses_the_save_until_it_is_decided() throws {
        first.despawn(object)
        try one.save()
        second[object, Place.self]?.x = 7
        second.advance()
        // Another commit of the same chunk does not settle it.
        first[other, Place.self]?.y = 6
        try one.save()
        second.advance()
        for _ in 0..<2 {
            #expect(code { try two.save() } == .managedObjectMerge)
            expectOtherAlone(second)
        }
        two.rollback()
        expectOtherAlone(second)
        try two.save()
        #expect(second[other, Place.self] == Place(x: 5, y: 6))
    }

    @Test func an_added_component_is_a_conflict_as_well_until_a_policy_decides() throws {
        first.despawn(object)
        try one.save()
        second[object, Speed.self] = Speed(x: 1, y: 1)
        second.advance()
        expectOtherAlone(second)
        #expect(code { try two.save() } == .managedObjectMerge)
        two.mergePolicy = NSMergePolicy.overwrite
        try two.save()
        two.mergePolicy = NSMergePolicy.error
        second[other, Place.self]?.x = 8
        try two.save()
        first.advance()
        expectOtherAlone(first)
        #expect(first[other, Place.self] == Place(x: 8, y: 5))
    }

    @Test func what_others_gave_to_what_is_despawned_here_comes_with_a_rollback() throws {
        first[object, Speed.self] = Speed(x: 2, y: 2)
        try one.save()
        second.despawn(object)
        second.advance()
        expectOtherAlone(second)
        #expect(code { try two.save() } == .managedObjectMerge)
        two.rollback()
        #expect(second[object, Speed.self] == Speed(x: 2, y: 2))
        #expect(second[object, Place.self] == Place(x: 0, y: 0))
        second.despawn(object)
        try two.save()
        first.advance()
        expectOtherAlone(first)
    }

    @Test func observers_hear_that_the_component_went() throws {
        var events: [String] = []
        second.observe(Place.self) { _, event in
            switch event {
            case .added(let object, _): events.append("added \(object)")
            case .changed(let object, _): events.append("changed \(object)")
            case .removed(let object, _): events.append("removed \(object)")
            }
        }
        first.despawn(object)
        try one.save()
        second[object, Place.self]?.x = 7
        second.advance()
        second.advance()
        #expect(events == ["changed \(object)", "removed \(object)"])
    }
}
