// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Unsaved game objects under whose IDs another program has saved others.
@MainActor
@Suite struct SharedObjectTests: OnTwoWorlds {
    let worlds: TwoWorlds

    init() throws { worlds = try TwoWorlds() }

    private static let policies = [
        NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
    ]

    /// Has the second world save a game object with a speed, by changes of a copy that gives it the
    /// next ID of the first one, and relate it to another one.
    private func share(_ row: Int) throws -> GameObjectID {
        let copy = second.copy()
        copy.rows.skip(upTo: row - 1)
        let new = copy.spawn(Speed(x: 2, y: 2))
        copy.relate(new, Likes.self, to: object)
        copy.relate(new, ChildOf.self, to: object)
        try second.apply(copy.diff(from: second))
        try two.save()
        return new
    }

    @Test(arguments: [false, true])
    func a_look_shows_nothing_of_the_other_one(_ isDirty: Bool) throws {
        let mine = first.spawn(Place(x: 3, y: 3))
        if isDirty { first[object, Speed.self] = Speed(x: 1, y: 1) }
        #expect(try share(mine.row) == mine)
        for _ in 0..<3 {
            first.advance()
            #expect(first[mine, Place.self] == Place(x: 3, y: 3))
            #expect(first[mine, Speed.self] == nil)
            #expect(first.targets(of: mine, Likes.self) == [])
            #expect(first.sources(of: object, ChildOf.self) == [])
            #expect(code { try one.save() } == .managedObjectMerge)
            #expect(first[mine, Speed.self] == nil)
        }
        one.rollback()
        #expect(first[mine, Place.self] == nil)
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
        #expect(first.targets(of: mine, Likes.self) == [object])
        #expect(first.sources(of: object, ChildOf.self) == [mine])
        #expect(!one.hasChanges)
    }

    @Test func a_refused_save_passes_once_the_own_one_is_gone() throws {
        let mine = first.spawn(Place(x: 3, y: 3))
        #expect(try share(mine.row) == mine)
        first.advance()
        #expect(code { try one.save() } == .managedObjectMerge)
        first.despawn(mine)
        first[object, Place.self] = Place(x: 9, y: 9)
        try one.save()
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
        #expect(first[mine, Place.self] == nil)
        #expect(first.targets(of: mine, Likes.self) == [object])
        let fresh = try Worlds.World(context: worlds.fixture.context())
        #expect(fresh[mine, Speed.self] == Speed(x: 2, y: 2))
        #expect(fresh[mine, Place.self] == nil)
        #expect(fresh[object, Place.self] == Place(x: 9, y: 9))
        try WorldPages(worlds.fixture.url).verify()
    }

    @Test func a_refused_save_passes_once_the_other_one_is_gone() throws {
        let mine = first.spawn(Place(x: 3, y: 3))
        #expect(try share(mine.row) == mine)
        first.advance()
        #expect(code { try one.save() } == .managedObjectMerge)
        second.despawn(mine)
        try two.save()
        try one.save()
        #expect(first[mine, Place.self] == Place(x: 3, y: 3))
        #expect(first[mine, Speed.self] == nil)
        let fresh = try Worlds.World(context: worlds.fixture.context())
        #expect(fresh[mine, Place.self] == Place(x: 3, y: 3))
        #expect(fresh[mine, Speed.self] == nil)
        #expect(fresh.targets(of: mine, Likes.self) == [])
        try WorldPages(worlds.fixture.url).verify()
    }

    @Test(arguments: [false, true])
    func commands_do_not_give_components_to_the_other_one(_ relooks: Bool) throws {
        let commands = Commands(first)
        let mine = commands.spawn(Place(x: 3, y: 3))
        let next = commands.spawn(Place(x: 4, y: 4))
        #expect(try share(mine.row) == mine)
        first.advance()
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
        commands.set(Asleep(), of: mine)
        commands.despawn(ifAllowed: mine)
        commands.apply()
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
        #expect(first[mine, Place.self] == nil)
        #expect(!first.has(Asleep.self, mine))
        #expect(first[next, Place.self] == Place(x: 4, y: 4))
        if relooks { first.advance() }
        for _ in 0..<2 {
            let error = #expect(throws: CocoaError.self) { try one.save() }
            #expect(error?.code == .managedObjectMerge)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("the ID \(mine) is that of a game object"), "\(text)")
        }
        one.rollback()
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
        first.spawn(Place(x: 5, y: 5))
        try one.save()
        second.advance()
        #expect(second.count == 4)
    }

    @Test func a_save_is_refused_that_has_nothing_else() throws {
        first.spawn(Place(x: 1, y: 1))
        try one.save()
        let commands = Commands(first)
        let mine = commands.spawn(Place(x: 3, y: 3))
        #expect(try share(mine.row) == mine)
        first.advance()
        #expect(!one.hasChanges)
        commands.apply()
        #expect(one.hasChanges)
        #expect(code { try one.save() } == .managedObjectMerge)
        one.rollback()
        #expect(!one.hasChanges)
        #expect(first[mine, Speed.self] == Speed(x: 2, y: 2))
    }

    /// Both follow one leader, and have got its changes at different times.
    @Test(arguments: 0..<6)
    func a_policy_decides_between_states_of_a_game_object_of_one_leader(_ round: Int) throws {
        let leader = first.copy()
        let new = leader.spawn(Speed(x: 2, y: 2), Place(x: 2, y: 2))
        leader.relate(new, Likes.self, to: object)
        try second.apply(leader.diff(from: first))
        try two.save()
        leader[new, Speed.self] = Speed(x: 4, y: 4)
        leader.remove(Place.self, from: new)
        leader.add(Asleep(), to: new)
        leader.unrelate(new, Likes.self)
        leader.relate(new, ChildOf.self, to: other)
        try first.apply(leader.diff(from: first))
        one.mergePolicy = Self.policies[round / 2]
        if round % 2 == 1 {
            first.advance()
            #expect(first[new, Speed.self] == Speed(x: 4, y: 4))
            #expect(first[new, Place.self] == nil)
        }
        if round < 2 {
            #expect(code { try one.save() } == .managedObjectMerge)
            #expect(first[new, Speed.self] == Speed(x: 4, y: 4))
            one.rollback()
        } else {
            try one.save()
        }
        let isMine = 2..<4 ~= round
        for world in [first, try Worlds.World(context: worlds.fixture.context())] {
            #expect(world[new, Speed.self] == (isMine ? Speed(x: 4, y: 4) : Speed(x: 2, y: 2)))
            #expect(world[new, Place.self] == (isMine ? nil : Place(x: 2, y: 2)))
            #expect(world.has(Asleep.self, new) == isMine)
            #expect(world.targets(of: new, Likes.self) == (isMine ? [] : [object]))
            #expect(world.target(of: new, ChildOf.self) == (isMine ? other : nil))
        }
        #expect(!one.hasChanges)
        try WorldPages(worlds.fixture.url).verify()
    }
}
