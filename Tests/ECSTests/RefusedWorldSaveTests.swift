// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Saves that the error policy refuses, as one side has despawned what the other one has changed:
/// they leave the world as it was, and are refused again until the program decides.
@MainActor
@Suite struct RefusedWorldSaveTests: OnTwoWorlds {
    let worlds: TwoWorlds

    init() throws { worlds = try TwoWorlds() }

    /// Saves in vain, twice, with what the world shows behind it.
    private func refuse(_ count: Int) {
        for _ in 0..<2 {
            #expect(code { try two.save() } == .managedObjectMerge)
            #expect(second.count == count)
            #expect(second[other, Place.self] == Place(x: 6, y: 5))
            #expect(second[other, Speed.self] == nil)
        }
    }

    @Test func a_component_that_came_elsewhere_to_what_is_despawned_here() throws {
        first[object, Speed.self] = Speed(x: 1, y: 1)
        first[other, Speed.self] = Speed(x: 2, y: 2)
        try one.save()
        second.despawn(object)
        second[other, Place.self]?.x = 6
        refuse(1)
        two.rollback()
        #expect(second[object, Speed.self] == Speed(x: 1, y: 1))
        #expect(second[other, Place.self] == Place(x: 5, y: 5))
        #expect(second[other, Speed.self] == Speed(x: 2, y: 2))
        second.despawn(object)
        try two.save()
        first.advance()
        #expect(!first.isAlive(object))
    }

    @Test func a_component_that_came_here_to_what_is_despawned_elsewhere() throws {
        first.despawn(object)
        first[other, Speed.self] = Speed(x: 2, y: 2)
        try one.save()
        second[object, Speed.self] = Speed(x: 1, y: 1)
        second[other, Place.self]?.x = 6
        refuse(2)
        two.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try two.save()
        #expect(second.count == 1)
        #expect(second[other, Place.self] == Place(x: 6, y: 5))
        #expect(second[other, Speed.self] == Speed(x: 2, y: 2))
    }

    @Test func what_others_took_back_is_no_conflict_any_more() throws {
        second.despawn(object)
        second[other, Place.self]?.x = 6
        first[object, Speed.self] = Speed(x: 1, y: 1)
        try one.save()
        // The tick leaves the conflict for the save.
        second.advance()
        #expect(code { try two.save() } == .managedObjectMerge)
        first.remove(Speed.self, from: object)
        try one.save()
        try two.save()
        first.advance()
        #expect(first.count == 1)
        #expect(first[other, Place.self] == Place(x: 6, y: 5))
    }

    @Test func what_both_despawn_is_no_conflict() throws {
        first.despawn(object)
        try one.save()
        second.despawn(object)
        second[other, Place.self]?.x = 6
        try two.save()
        first.advance()
        #expect(first.count == 1)
        #expect(first[other, Place.self] == Place(x: 6, y: 5))
    }
}
