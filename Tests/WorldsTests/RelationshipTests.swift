// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

enum Likes: Relationship {}
enum ChildOf: Relationship {
    static let isExclusive = true
    static let isAcyclic = true
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}
enum Needs: Relationship {
    static let isAcyclic = true
    static let whenTargetDespawns = RelationshipDeleteRule.deny
}

@Suite struct RelationshipTests {
    let world = World()
    let alice: GameObjectID
    let bob: GameObjectID
    let carol: GameObjectID

    init() {
        alice = world.spawn(Health(points: 1))
        bob = world.spawn(Health(points: 2))
        carol = world.spawn()
    }

    @Test func both_directions_can_be_asked_for() {
        #expect(world.relate(bob, Likes.self, to: alice))
        #expect(world.relate(carol, Likes.self, to: alice))
        #expect(world.relate(bob, Likes.self, to: carol))
        #expect(world.targets(of: bob, Likes.self) == [alice, carol])
        #expect(world.sources(of: alice, Likes.self) == [bob, carol])
        #expect(world.targets(of: alice, Likes.self) == [])
        #expect(world.target(of: bob, Likes.self) == alice)
        #expect(world.target(of: alice, Likes.self) == nil)
        #expect(world.isRelated(carol, Likes.self, to: alice))
        #expect(!world.isRelated(alice, Likes.self, to: carol))
        #expect(world.count == 3)
    }

    @Test func relating_twice_is_relating_once() {
        #expect(world.relate(bob, Likes.self, to: alice))
        #expect(!world.relate(bob, Likes.self, to: alice))
        #expect(world.relate(bob, Likes.self, to: bob))
        #expect(world.targets(of: bob, Likes.self) == [alice, bob])
        #expect(world.unrelate(bob, Likes.self, from: alice))
        #expect(!world.unrelate(bob, Likes.self, from: alice))
        #expect(world.targets(of: bob, Likes.self) == [bob])
        world.unrelate(bob, Likes.self)
        #expect(world.sources(of: bob, Likes.self) == [])
    }

    @Test func an_exclusive_relationship_has_one_target() {
        #expect(world.relate(carol, ChildOf.self, to: alice))
        #expect(world.relate(carol, ChildOf.self, to: bob))
        #expect(!world.relate(carol, ChildOf.self, to: bob))
        #expect(world.target(of: carol, ChildOf.self) == bob)
        #expect(world.targets(of: carol, ChildOf.self) == [bob])
        #expect(world.sources(of: alice, ChildOf.self) == [])
        #expect(!world.isRelated(carol, ChildOf.self, to: alice))
        #expect(world.remove(Link<ChildOf>.self, from: carol))
        #expect(world.sources(of: bob, ChildOf.self) == [])
    }

    @Test func all_kinds_can_be_asked_for_at_once() {
        world.relate(bob, Likes.self, to: alice)
        world.relate(bob, ChildOf.self, to: alice)
        world.relate(carol, Likes.self, to: bob)
        #expect(world.links(from: bob).map(\.kind) == ["ChildOf", "Likes"])
        #expect(world.links(from: bob).map(\.target) == [alice, alice])
        #expect(world.links(to: bob).map(\.source) == [carol])
        #expect(world.links(to: carol).isEmpty)
        #expect(world.componentNames(of: bob) == ["Health"])
        #expect(world.componentTypes.map(\.name) == ["Health"])
    }

    @Test func ids_of_other_worlds_are_related_to_nothing() {
        world.relate(bob, Likes.self, to: alice)
        let foreign = GameObjectID(rawValue: 77 << 48 | alice.rawValue & (1 << 48 - 1))
        #expect(world.sources(of: foreign, Likes.self) == [])
        #expect(world.targets(of: foreign, Likes.self) == [])
        #expect(!world.isRelated(bob, Likes.self, to: foreign))
        #expect(!world.unrelate(bob, Likes.self, from: foreign))
        #expect(world.links(to: foreign).isEmpty)
        #expect(world.query(GameObjectID.self).with(Likes.self, to: foreign).isEmpty)
    }

    // MARK: Despawning

    @Test func despawning_ends_relationships_of_both_ends() {
        world.relate(bob, Likes.self, to: alice)
        world.relate(alice, Likes.self, to: carol)
        #expect(world.despawn(alice))
        #expect(world.targets(of: bob, Likes.self) == [])
        #expect(world.sources(of: carol, Likes.self) == [])
        #expect(world.query(Link<Likes>.self).isEmpty)
        #expect(world.count == 2)
    }

    @Test func a_cascade_takes_everything_below_along() {
        world.relate(bob, ChildOf.self, to: alice)
        world.relate(carol, ChildOf.self, to: bob)
        let dave = world.spawn()
        world.relate(dave, Likes.self, to: carol)
        #expect(world.despawn(alice))
        #expect(world.query(GameObjectID.self).objects == [dave])
        #expect(world.targets(of: dave, Likes.self) == [])
    }

    @Test func a_denied_despawn_changes_nothing() {
        world.relate(bob, ChildOf.self, to: alice)
        world.relate(carol, Needs.self, to: bob)
        #expect(!world.despawn(alice))
        #expect(world.count == 3)
        #expect(world.target(of: bob, ChildOf.self) == alice)
        let denials = world.denials(ofDespawning: alice)
        #expect(denials.map(\.kind) == ["Needs"])
        #expect(denials.map(\.source) == [carol])
        #expect(denials.map(\.target) == [bob])
        #expect(world.despawn(carol))
        #expect(world.despawn(alice))
        #expect(world.count == 0)
    }

    @Test func what_goes_as_well_does_not_deny() {
        world.relate(bob, ChildOf.self, to: alice)
        world.relate(bob, Needs.self, to: alice)
        #expect(world.denials(ofDespawning: alice).isEmpty)
        #expect(world.despawn(alice))
        #expect(world.query(GameObjectID.self).objects == [carol])
    }

    // MARK: Queries

    @Test func queries_filter_by_either_end() {
        world.relate(bob, Likes.self, to: alice)
        world.relate(carol, Likes.self, to: bob)
        let all = world.query(GameObjectID.self)
        #expect(all.with(Likes.self, to: alice).objects == [bob])
        #expect(all.with(Likes.self, from: carol).objects == [bob])
        #expect(all.with(Likes.self, to: .any).objects == [bob, carol])
        #expect(all.with(Likes.self, from: .any).objects == [alice, bob])
        #expect(all.without(Likes.self, to: .any).objects == [alice])
        #expect(all.without(Likes.self, from: .any).objects == [carol])
        #expect(all.without(Likes.self, to: alice).objects == [alice, carol])
        #expect(all.without(Likes.self, from: .object(carol)).objects == [alice, carol])
        #expect(world.query(Health.self).with(Likes.self, to: .any).objects == [bob])
        #expect(all.with(Likes.self, to: alice).with(Likes.self, to: bob).isEmpty)
    }

    @Test func a_kept_query_finds_what_is_related_now() {
        let query = world.query(GameObjectID.self).with(Likes.self, to: .any)
        #expect(query.objects == [])
        world.relate(bob, Likes.self, to: alice)
        #expect(query.objects == [bob])
        world.unrelate(bob, Likes.self, from: alice)
        #expect(query.objects == [])
    }

    @Test func exclusive_links_are_terms_beside_components() {
        world.relate(bob, ChildOf.self, to: alice)
        world.relate(carol, ChildOf.self, to: alice)
        var seen: [GameObjectID: Int] = [:]
        world.query(Health.self, Link<ChildOf>.self).forEach { health, link in
            #expect(link.target == alice)
            seen[link.source] = health.points
        }
        #expect(seen == [bob: 2])
    }

    @Test func filters_skip_far_blocks() {
        let many = world.spawnAll((0..<50_000).map { Health(points: $0) })
        world.relate(many[0], Likes.self, to: alice)
        world.relate(many[49_999], Likes.self, to: alice)
        world.relate(many[20_000], Likes.self, to: alice)
        var points: [Int] = []
        world.query(Health.self).with(Likes.self, to: alice).forEach { points.append($0.points) }
        #expect(points == [0, 20_000, 49_999])
        #expect(world.query(Health.self).without(Likes.self, to: alice).count == 49_999)
        var sum = 0
        world.query(Health.self).with(Likes.self, to: alice)
            .forEach(in: [many[1], many[20_000]]) { sum += $0.points }
        #expect(sum == 20_000)
    }

    // MARK: Events and commands

    @Test func observers_hear_of_links() {
        var events: [String] = []
        world.observe(Link<ChildOf>.self) { [alice, bob, carol] _, event in
            let names = [alice: "alice", bob: "bob", carol: "carol"]
            switch event {
            case .added(_, let link):
                events.append("+ \(names[link.source] ?? "?") \(names[link.target] ?? "?")")
            case .changed(_, let link):
                events.append("~ \(names[link.source] ?? "?") \(names[link.target] ?? "?")")
            case .removed(_, let link):
                events.append("- \(names[link.source] ?? "?") \(names[link.target] ?? "?")")
            }
        }
        world.relate(carol, ChildOf.self, to: alice)
        world.advance()
        world.relate(carol, ChildOf.self, to: bob)
        world.advance()
        world.despawn(bob)
        world.advance()
        #expect(events == ["+ carol alice", "- carol alice", "+ carol bob", "- carol bob"])
    }

    @Test func commands_relate_at_the_sync_point() {
        let commands = Commands(world)
        let dave = commands.spawn()
        commands.relate(dave, ChildOf.self, to: alice)
        commands.relate(bob, Likes.self, to: dave)
        commands.unrelate(bob, Likes.self, from: carol)
        #expect(world.sources(of: alice, ChildOf.self) == [])
        commands.apply()
        #expect(world.sources(of: alice, ChildOf.self) == [dave])
        #expect(world.targets(of: bob, Likes.self) == [dave])
    }

    @Test func a_system_reads_the_links_that_it_declares() throws {
        world.relate(bob, ChildOf.self, to: alice)
        let schedule = Schedule()
        schedule.add(
            System("inherit", reading: Link<ChildOf>.self, writing: Health.self) { context in
                for object in context.breadthFirst(ChildOf.self) {
                    guard let parent = context.target(of: object, ChildOf.self) else { continue }
                    context[object, Health.self] = context[parent, Health.self]
                }
            })
        try schedule.run(world)
        #expect(world[bob, Health.self] == Health(points: 1))
    }

    // MARK: Bad use

    @Test func a_circle_traps_where_there_must_be_none() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let objects = world.spawnAll(count: 3)
            world.relate(objects[0], ChildOf.self, to: objects[1])
            world.relate(objects[1], ChildOf.self, to: objects[2])
            world.relate(objects[2], ChildOf.self, to: objects[0])
        }
    }

    @Test func being_related_to_oneself_traps_where_there_must_be_no_circle() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn()
            world.relate(object, Needs.self, to: object)
        }
    }

    @Test func relating_what_is_gone_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let objects = world.spawnAll(count: 2)
            world.despawn(objects[1])
            world.relate(objects[0], Likes.self, to: objects[1])
        }
    }

    @Test func a_link_cannot_be_set_by_hand() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let objects = world.spawnAll(count: 3)
            world.relate(objects[0], ChildOf.self, to: objects[1])
            if let link = world[objects[0], Link<ChildOf>.self] { world.set(link, of: objects[2]) }
        }
    }

    @Test func a_link_cannot_be_changed_by_a_loop() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world.query(Mut<Link<ChildOf>>.self).forEach { _ in }
        }
    }

    @Test func a_relationship_that_a_system_did_not_declare_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            let schedule = Schedule()
            schedule.add(
                System("nosy", reading: Health.self) { context in
                    _ = context.targets(of: object, Likes.self)
                })
            try? schedule.run(world)
        }
    }
}
