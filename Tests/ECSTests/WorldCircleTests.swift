// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

enum Leads: Worlds.Relationship {
    static let isAcyclic = true
}

/// Circles that two programs close together in an acyclic relationship of one file.
@MainActor
@Suite struct WorldCircleTests: OnTwoWorlds {
    let worlds: TwoWorlds
    let third: GameObjectID

    init() throws {
        worlds = try TwoWorlds()
        third = try worlds.spawnThird()
    }

    private func relate<Kind: Worlds.Relationship>(_ kind: Kind.Type, looks: Bool) throws {
        second.relate(object, kind, to: other)
        first.relate(other, kind, to: object)
        try one.save()
        if looks { second.advance() }
    }

    @Test(arguments: [false, true], [false, true])
    func the_second_save_throws(_ isExclusive: Bool, _ looks: Bool) throws {
        if isExclusive {
            try relate(PartOf.self, looks: looks)
        } else {
            try relate(Leads.self, looks: looks)
        }
        second[third, Place.self]?.x = 8
        for _ in 0..<2 {
            let error = #expect(throws: CocoaError.self) { try two.save() }
            #expect(error?.code == .managedObjectMerge)
            #expect("\(error as Any)".contains("is acyclic"))
        }
        // Nothing was taken over that was not shown before.
        #expect(second.isRelated(object, PartOf.self, to: other) == isExclusive)
        #expect(second.isRelated(object, Leads.self, to: other) != isExclusive)
        #expect(second.isRelated(other, PartOf.self, to: object) == (isExclusive && looks))
        // As the message says.
        second.unrelate(object, PartOf.self)
        second.unrelate(object, Leads.self)
        try two.save()
        let file = try reopened()
        #expect(file[third, Place.self]?.x == 8)
        #expect(file.isRelated(other, PartOf.self, to: object) == isExclusive)
        #expect(file.isRelated(other, Leads.self, to: object) != isExclusive)
        #expect(file.links(from: object) == [])
    }

    @Test func ending_the_link_of_the_other_one_helps_as_well() throws {
        try relate(PartOf.self, looks: true)
        second.unrelate(other, PartOf.self)
        try two.save()
        #expect(try reopened().target(of: object, PartOf.self) == other)
        #expect(try reopened().target(of: other, PartOf.self) == nil)
    }

    @Test func a_rollback_takes_the_own_link_back() throws {
        try relate(PartOf.self, looks: true)
        two.rollback()
        #expect(second.target(of: object, PartOf.self) == nil)
        #expect(second.target(of: other, PartOf.self) == object)
        second[third, Place.self]?.x = 8
        try two.save()
        #expect(try reopened().links(from: object) == [])
    }

    @Test(arguments: [false, true], 0..<4)
    func a_policy_keeps_what_is_saved(_ looks: Bool, _ policy: Int) throws {
        two.mergePolicy =
            [
                NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
                .rollback,
            ][policy]
        // What the link took the place of comes back.
        first.relate(object, PartOf.self, to: third)
        try one.save()
        second.advance()
        try relate(PartOf.self, looks: looks)
        second.relate(third, Likes.self, to: object)
        second.relate(object, Leads.self, to: third)
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.target(of: object, PartOf.self) == third)
            #expect(world.target(of: other, PartOf.self) == object)
            #expect(world.isRelated(third, Likes.self, to: object))
            #expect(world.isRelated(object, Leads.self, to: third))
        }
        #expect(!two.hasChanges)
    }

    @Test func what_comes_back_closes_no_other_circle() throws {
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        first.relate(object, PartOf.self, to: third)
        try one.save()
        second.advance()
        // The link to the third one was in the way of this one.
        second.relate(object, PartOf.self, to: other)
        second.relate(third, PartOf.self, to: object)
        first.relate(other, PartOf.self, to: object)
        try one.save()
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.target(of: object, PartOf.self) == third)
            #expect(world.target(of: other, PartOf.self) == object)
            #expect(world.target(of: third, PartOf.self) == nil)
        }
    }

    @Test func links_that_others_have_ended_close_none() throws {
        first.relate(object, PartOf.self, to: other)
        first.relate(object, Leads.self, to: other)
        try one.save()
        second.advance()
        first.unrelate(object, PartOf.self)
        first.unrelate(object, Leads.self)
        try one.save()
        second.unrelate(object, PartOf.self)
        second.unrelate(object, Leads.self)
        second.relate(other, PartOf.self, to: object)
        second.relate(other, Leads.self, to: object)
        try two.save()
        #expect(try reopened().target(of: other, PartOf.self) == object)
        #expect(try reopened().targets(of: other, Leads.self) == [object])
    }

    @Test func a_long_way_round_is_found() throws {
        let more = first.spawnAll((0..<10).map { Place(x: $0, y: 0) })
        for (one, next) in zip(more, more.dropFirst()) { first.relate(one, Leads.self, to: next) }
        try one.save()
        second.advance()
        first.relate(more[9], Leads.self, to: object)
        first.relate(more[3], Leads.self, to: other)
        try one.save()
        second.relate(object, Leads.self, to: more[0])
        second.relate(other, Leads.self, to: third)
        #expect(code { try two.save() } == .managedObjectMerge)
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        #expect(try reopened().targets(of: object, Leads.self) == [])
        #expect(try reopened().targets(of: other, Leads.self) == [third])
    }

    @Test func a_world_with_a_circle_loads_its_own_document() throws {
        try relate(PartOf.self, looks: true)
        let json = WorldJSON(components: Place.self, relationships: PartOf.self)
        let document = try json.data(of: second)
        try json.load(document, into: second)
        #expect(try json.data(of: second) == document)
        #expect(throws: CocoaError.self) { try json.load(document, into: Worlds.World()) }
    }

    @Test func a_follower_gets_what_was_reopened() throws {
        let follower = second.copy()
        try relate(PartOf.self, looks: true)
        #expect(throws: WorldChangesError.self) { try follower.apply(second.diff(from: follower)) }
        two.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try two.save()
        try follower.apply(second.diff(from: follower))
        #expect(follower.target(of: other, PartOf.self) == object)
        #expect(follower.target(of: object, PartOf.self) == nil)
    }
}

/// Circles that are decided in a save that game objects leave as well.
enum Under: Worlds.Relationship {
    static let isExclusive = true
    static let isAcyclic = true
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}

@MainActor
@Suite struct DepartingCircleTests: OnTwoWorlds {
    let worlds: TwoWorlds
    let third: GameObjectID

    init() throws {
        worlds = try TwoWorlds()
        third = try worlds.spawnThird()
    }

    @Test(arguments: [false, true])
    func no_link_to_a_despawned_object_comes_back(_ looks: Bool) throws {
        first.relate(object, Under.self, to: third)
        try one.save()
        second.advance()
        second.relate(object, Under.self, to: other)
        second.despawn(third)
        first.relate(other, Under.self, to: object)
        try one.save()
        if looks { second.advance() }
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.isAlive(object) && world.isAlive(other) && !world.isAlive(third))
            #expect(world.target(of: object, Under.self) == nil)
            #expect(world.target(of: other, Under.self) == object)
        }
    }

    @Test func no_link_to_a_deleted_object_comes_back() throws {
        let managed = GameObject.create(name: "managed", moc: one)
        try one.save()
        let parent = try managed.id(in: first)
        first.relate(object, Under.self, to: parent)
        try one.save()
        second.advance()
        second.relate(object, Under.self, to: other)
        first.relate(other, Under.self, to: object)
        try one.save()
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        two.delete(try #require(try second.gameObject(parent)))
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.isAlive(object) && world.isAlive(other) && !world.isAlive(parent))
            #expect(world.target(of: object, Under.self) == nil)
            #expect(world.target(of: other, Under.self) == object)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func a_circle_through_a_despawned_object_is_none(_ looks: Bool, _ throwsConflicts: Bool) throws
    {
        second.despawn(third)
        second.relate(object, Leads.self, to: other)
        first.relate(other, Leads.self, to: third)
        first.relate(third, Leads.self, to: object)
        try one.save()
        if looks { second.advance() }
        if !throwsConflicts { two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.targets(of: object, Leads.self) == [other])
            #expect(world.links(from: other) == [])
        }
    }

    @Test(arguments: [false, true])
    func a_circle_through_what_others_have_despawned_is_none(_ throwsConflicts: Bool) throws {
        let fourth = first.spawn(Place(x: 8, y: 8))
        first.relate(object, Leads.self, to: third)
        first.relate(third, Leads.self, to: other)
        try one.save()
        second.advance()
        second.relate(other, Leads.self, to: fourth)
        first.despawn(third)
        first.relate(fourth, Leads.self, to: object)
        try one.save()
        if !throwsConflicts { two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        try two.save()
        for world in [second, try reopened()] {
            #expect(world.targets(of: other, Leads.self) == [fourth])
            #expect(world.targets(of: fourth, Leads.self) == [object])
            #expect(world.targets(of: object, Leads.self) == [])
        }
    }
}
