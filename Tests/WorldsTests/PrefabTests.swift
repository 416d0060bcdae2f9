// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

struct Aim: ValueComponent, Equatable {
    var target: GameObjectID
    var second: GameObjectID?
    var strength: Int32 = 0
}

struct Crowd: ValueComponent {
    var members: (GameObjectID, GameObjectID)
}

enum Goal: BitwiseCopyable, Equatable {
    case none, follow(GameObjectID), wait(seconds: Double)
}

struct Plan: ValueComponent, Equatable {
    var goal: Goal
}

@Suite struct PrefabTests {
    let world = World()

    @Test func a_clone_has_the_components_of_the_original() {
        let friend = world.spawn()
        let object = world.spawn(Health(points: 3), Position(x: 1, y: 2), Frozen())
        world.relate(object, Likes.self, to: friend)
        world.relate(friend, Likes.self, to: object)
        let clone = world.clone(object)
        #expect(clone != object)
        #expect(world[clone, Health.self] == Health(points: 3))
        #expect(world[clone, Position.self] == Position(x: 1, y: 2))
        #expect(world.has(Frozen.self, clone))
        #expect(world.targets(of: clone, Likes.self) == [friend])
        #expect(world.sources(of: clone, Likes.self) == [])
        world[object, Health.self]?.points = 9
        #expect(world[clone, Health.self] == Health(points: 3))
        #expect(world.count == 3)
    }

    @Test func references_among_the_copied_name_the_copies() {
        let outside = world.spawn()
        let root = world.spawn(Health(points: 1))
        let arm = world.spawn(Aim(target: root, second: outside, strength: 5))
        let hand = world.spawn(Aim(target: outside, second: arm), Health(points: 2))
        world.relate(arm, ChildOf.self, to: root)
        world.relate(hand, ChildOf.self, to: arm)
        world.relate(root, Likes.self, to: hand)
        world.relate(root, Likes.self, to: outside)
        world.relate(root, ChildOf.self, to: outside)
        let prefab = Prefab(of: root, with: ChildOf.self, in: world)
        #expect(prefab.count == 3)
        world.despawn(root)
        let copies = world.spawn(prefab)
        #expect(copies.count == 3)
        #expect(
            world[copies[1], Aim.self]
                == Aim(target: copies[0], second: outside, strength: 5))
        #expect(world[copies[2], Aim.self] == Aim(target: outside, second: copies[1]))
        #expect(world.descendants(of: copies[0], ChildOf.self) == [copies[1], copies[2]])
        #expect(world.target(of: copies[0], ChildOf.self) == outside)
        #expect(world.targets(of: copies[0], Likes.self) == [outside, copies[2]])
        #expect(world[copies[2], Health.self] == Health(points: 2))
        #expect(world.count == 4)
    }

    @Test func a_missing_reference_stays_missing() {
        let object = world.spawn(Aim(target: GameObjectID(rawValue: 0), second: nil))
        let clone = world.clone(object)
        #expect(world[clone, Aim.self] == Aim(target: GameObjectID(rawValue: 0), second: nil))
    }

    @Test func in_another_world_nothing_leads_outside() {
        let outside = world.spawn()
        let object = world.spawn(Aim(target: outside, second: outside))
        world.relate(object, Likes.self, to: outside)
        world.relate(object, Likes.self, to: object)
        let other = World()
        other.spawnAll(count: 5)
        let copies = other.spawn(Prefab(of: object, in: world))
        let nobody = GameObjectID(rawValue: 0)
        #expect(other[copies[0], Aim.self] == Aim(target: nobody, second: nobody))
        #expect(other.targets(of: copies[0], Likes.self) == copies)
        #expect(!other.isAlive(nobody))
    }

    @Test func a_world_is_merged_into_another_one() {
        let mine = world.spawn(Health(points: 1))
        world[resource: Health.self] = Health(points: 100)
        let other = World()
        let ids = other.spawnAll((0..<5_000).map { Health(points: $0) })
        for child in 1..<ids.count { other.relate(ids[child], ChildOf.self, to: ids[0]) }
        other[ids[7], Aim.self] = Aim(target: ids[8], second: nil)
        other[resource: Health.self] = Health(points: 200)
        other[resource: Position.self] = Position(x: 1, y: 1)
        let copies = world.merge(other)
        #expect(copies.count == 5_000)
        #expect(world.count == 5_001)
        #expect(world[mine, Health.self] == Health(points: 1))
        #expect(copies[ids[4_999]].map { world[$0, Health.self] } == Health(points: 4_999))
        let root = copies[ids[0]] ?? mine
        #expect(world.sources(of: root, ChildOf.self).count == 4_999)
        #expect(copies[ids[7]].map { world[$0, Aim.self]?.target } == copies[ids[8]])
        #expect(world[resource: Health.self] == Health(points: 100))
        #expect(world[resource: Position.self] == Position(x: 1, y: 1))
        #expect(other.count == 5_000)
    }

    @Test func a_prefab_of_nothing_spawns_nothing() {
        #expect(world.spawn(Prefab(of: [], in: world)) == [])
        #expect(world.count == 0)
    }

    @Test func references_that_cannot_be_followed_trap() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn()
            world[object, Crowd.self] = Crowd(members: (object, object))
            world.clone(object)
        }
    }

    @Test func ids_in_payloads_trap_and_other_payloads_are_copied() async {
        let object = world.spawn()
        world[object, Plan.self] = Plan(goal: .wait(seconds: 7))
        #expect(world[world.clone(object), Plan.self] == Plan(goal: .wait(seconds: 7)))
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn()
            world[object, Plan.self] = Plan(goal: .follow(object))
            world.clone(object)
        }
    }

    @Test func copying_what_is_gone_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let object = world.spawn()
            world.despawn(object)
            world.clone(object)
        }
    }
}
