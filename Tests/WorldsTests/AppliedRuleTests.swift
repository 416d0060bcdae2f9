// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Changes that are applied keep to the rules of relationships.
@Suite struct AppliedRuleTests {
    let world = World()
    let ids: GameObjectIDs
    let follower: World

    init() {
        ids = world.spawnAll((0..<6).map { Health(points: $0) })
        world.register(Link<ChildOf>.self, Link<Needs>.self)
        follower = world.copy()
    }

    @Test func a_circle_is_refused_and_named() throws {
        follower.relate(ids[1], ChildOf.self, to: ids[0])
        follower.relate(ids[2], ChildOf.self, to: ids[1])
        world.relate(ids[0], ChildOf.self, to: ids[2])
        world[ids[5], Health.self]?.points = 50
        #expect {
            try follower.apply(world.diff(since: 0))
        } throws: { error in
            "\(error)" == "ChildOf is acyclic, and 1/p3 would lead to 1/p1, which the changes "
                + "relate to it"
        }
        #expect(follower[ids[5], Health.self] == Health(points: 5))
        #expect(follower.target(of: ids[0], ChildOf.self) == nil)
        follower.unrelate(ids[2], ChildOf.self)
        try follower.apply(world.diff(since: 0))
        #expect(follower.target(of: ids[0], ChildOf.self) == ids[2])
    }

    @Test func links_that_turn_round_are_no_circle() throws {
        world.relate(ids[1], ChildOf.self, to: ids[0])
        world.relate(ids[2], ChildOf.self, to: ids[1])
        world.relate(ids[3], Needs.self, to: ids[4])
        try follower.apply(world.diff(from: follower))
        world.unrelate(ids[1], ChildOf.self)
        world.relate(ids[0], ChildOf.self, to: ids[1])
        world.relate(ids[1], ChildOf.self, to: ids[3])
        world.unrelate(ids[3], Needs.self)
        world.relate(ids[4], Needs.self, to: ids[3])
        try follower.apply(world.diff(from: follower))
        #expect(follower.diff(from: world).isEmpty)
        #expect(follower.ancestors(of: ids[0], ChildOf.self) == [ids[1], ids[3]])
    }

    /// A copy counts links on from the row where the original does.
    @Test func links_that_a_follower_has_made_stay() throws {
        for index in 0..<3 { follower.relate(ids[index], Likes.self, to: ids[index + 1]) }
        for index in 0..<5 { world.relate(ids[index + 1], Likes.self, to: ids[0]) }
        let changes = world.diff(since: 0)
        for _ in 0..<2 {
            try follower.apply(changes)
            #expect(follower.query(Link<Likes>.self).count == 8)
            for index in 0..<3 {
                #expect(follower.targets(of: ids[index], Likes.self).contains(ids[index + 1]))
            }
            #expect(follower.sources(of: ids[0], Likes.self).count == 5)
        }
        world.advance()
        world.unrelate(ids[1], Likes.self, from: ids[0])
        world.relate(ids[5], Likes.self, to: ids[4])
        try follower.apply(world.diff(since: world.lastAdvance))
        #expect(follower.targets(of: ids[1], Likes.self) == [ids[2]])
        #expect(follower.targets(of: ids[5], Likes.self) == [ids[0], ids[4]])
        #expect(follower.query(Link<Likes>.self).count == 8)
    }

    @Test func what_a_follower_holds_stays_held_beside_new_links() throws {
        follower.relate(ids[1], Needs.self, to: ids[0])
        world.relate(ids[2], Needs.self, to: ids[3])
        world.despawn(ids[0])
        #expect(throws: WorldChangesError.self) { try follower.apply(world.diff(since: 0)) }
        #expect(follower.isRelated(ids[1], Needs.self, to: ids[0]))
        #expect(!follower.isRelated(ids[2], Needs.self, to: ids[3]))
    }

    @Test func what_is_held_here_is_not_despawned() throws {
        follower.relate(ids[1], Needs.self, to: ids[0])
        world.despawn(ids[0])
        #expect {
            try follower.apply(world.diff(since: 0))
        } throws: { error in
            "\(error)" == "1/p1 cannot be despawned: Needs of 1/p2 leads to it and denies that"
        }
        #expect(follower.count == 6)
        // Both go, so nothing is held.
        world.despawn(ids[1])
        try follower.apply(world.diff(since: 0))
        #expect(follower.count == 4)
        #expect(follower.diff(from: world).isEmpty)
    }

    @Test func a_cascade_takes_along_what_is_related_here_alone() throws {
        follower.relate(ids[1], ChildOf.self, to: ids[0])
        follower.relate(ids[2], ChildOf.self, to: ids[1])
        follower.relate(ids[3], ChildOf.self, to: ids[1])
        world.advance()
        // This one has another parent there.
        world.relate(ids[3], ChildOf.self, to: ids[4])
        world.despawn(ids[0])
        try follower.apply(world.diff(since: world.lastAdvance))
        #expect(follower.query(Health.self).objects == [ids[3], ids[4], ids[5]])
        #expect(follower.target(of: ids[3], ChildOf.self) == ids[4])
    }

    @Test func IDs_in_payloads_are_refused_where_they_would_be_others() throws {
        // In a world of a file, game objects have the number of another entity.
        world[ids[0], Plan.self] = Plan(goal: .follow(ids[1]))
        var bytes = world.diff(since: 0).bytes
        bytes[8] = 9
        #expect {
            try follower.apply(try WorldChanges(bytes: bytes))
        } throws: { error in
            "\(error)".contains("Plan of 1/p1 may have an ID in an enum, a tuple or the like")
        }
        follower.register(Plan.self)
        #expect {
            try follower.apply(try WorldChanges(bytes: bytes))
        } throws: { error in
            "\(error)".contains("Plan of 1/p1 has the ID [1/p2] in an enum, a tuple or the like")
        }
        world[ids[0], Plan.self] = Plan(goal: .wait(seconds: 3))
        bytes = world.diff(since: 0).bytes
        bytes[8] = 9
        try follower.apply(try WorldChanges(bytes: bytes))
        #expect(follower[ids[0], Plan.self] == Plan(goal: .wait(seconds: 3)))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func what_is_applied_closes_circles_exactly_where_relating_would(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // So that links of both have rows of their own.
        follower.spawnAll(count: 1_000)
        for world in [world, follower] {
            for _ in 0..<8 {
                let pair = (0..<2).map { _ in Int.random(in: 0..<6, using: &random) }
                let (source, target) = (ids[pair[0]], ids[pair[1]])
                if source == target { continue }
                if world.ancestors(of: target, Needs.self).contains(source) { continue }
                world.relate(source, Needs.self, to: target)
            }
        }
        let links = ids.flatMap { world.links(from: $0) }
        let isRefused = (try? follower.copy().apply(world.diff(since: 0))) == nil
        // Adding one after the other finds a circle if there is one.
        var hasCircle = false
        for link in links {
            let isCircle = follower.ancestors(of: link.target, Needs.self).contains(link.source)
            hasCircle = hasCircle || isCircle
            if !isCircle { follower.relate(link.source, Needs.self, to: link.target) }
        }
        #expect(isRefused == hasCircle)
    }
}
