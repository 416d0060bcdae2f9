// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// IDs that a world of a file has reserved, and that others use by changes of a copy.
@MainActor
@Suite struct WorldReservedIDTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    /// Two worlds of the file, in which the first one has made a game object.
    private func worlds() throws -> (Worlds.World, Worlds.World, NSManagedObjectContext) {
        let one = try Worlds.World(context: fixture.moc)
        one.spawn(Place(x: 1, y: 0))
        try fixture.moc.save()
        let moc = fixture.context()
        return (one, try Worlds.World(context: moc), moc)
    }

    /// A game object that a copy has made in the next row, and that a world has brought into the
    /// file.
    private func spawnElsewhere(
        behind row: Int, _ world: Worlds.World
    ) throws -> GameObjectID {
        let copy = world.copy()
        copy.rows.skip(upTo: row)
        let spawned = copy.spawn()
        try world.apply(copy.diff(from: world))
        try fixture.moc.save()
        return spawned
    }

    @Test func reserved_ids_that_others_have_used_are_left_out() throws {
        let one = try Worlds.World(context: fixture.moc)
        let first = one.spawn(Place(x: 1, y: 0))
        try fixture.moc.save()
        let moc = fixture.context()
        let two = try Worlds.World(context: moc)
        try two.reserve(count: 10)
        let next = two.rows.next
        let copy = one.copy()
        copy.rows.skip(upTo: next + 2)
        let second = copy.spawn(Place(x: 2, y: 0))
        copy.relate(second, Likes.self, to: first)
        try one.apply(copy.diff(from: one))
        try fixture.moc.save()
        try two.refresh()
        let ids = two.spawnAll((3..<8).map { Place(x: $0, y: 0) })
        for id in ids { two.relate(id, Likes.self, to: first) }
        #expect(second.row == next + 3)
        #expect(ids.first?.row == next + 4)
        #expect(two.count == 7)
        #expect(two.query(Place.self).count == 7)
        #expect(two[second, Place.self] == Place(x: 2, y: 0))
        try moc.save()
        one.advance()
        #expect(one.sources(of: first, Likes.self) == [second] + ids)
        try WorldPages(fixture.url).verify()
    }

    @Test func reserved_ids_of_commands_that_others_have_used_up_are_left_out() throws {
        let (one, two, moc) = try worlds()
        let commands = Commands(two)
        let first = commands.spawn()
        commands.apply()
        let copy = one.copy()
        copy.rows.skip(upTo: first.row)
        let others = copy.spawnAll(count: 3)
        #expect(others[0].row == first.row + 1)
        try one.apply(copy.diff(from: one))
        try fixture.moc.save()
        try two.refresh()
        #expect(two.isAlive(others[2]))
        one.despawn(others)
        try fixture.moc.save()
        try two.refresh()
        #expect(two.count == 2)
        #expect(commands.spawn().row == first.row + 4)
        commands.apply()
        #expect(two.count == 3)
        #expect(!others.contains { two.isAlive($0) })
        try moc.save()
        try WorldPages(fixture.url).verify()
    }

    @Test func as_many_ids_as_promised_are_reserved_behind_those_that_others_have_used() throws {
        let (one, two, moc) = try worlds()
        try two.reserve(count: 10)
        let taken = try spawnElsewhere(behind: two.rows.next + two.rows.left - 5, one)
        try two.refresh()
        #expect(two.isAlive(taken))
        #expect(two.rows.promised == 10)
        #expect(two.rows.left >= 10)
        let transaction = try moc.mainStore().lastTransactionID
        #expect(two.spawnAll(count: 10)[0] > taken)
        #expect(try moc.mainStore().lastTransactionID == transaction)
    }

    @Test func a_save_keeps_the_promise_as_a_look_does() throws {
        let (one, two, moc) = try worlds()
        two.spawn(Place(x: 2, y: 0))
        try two.reserve(count: 10)
        let taken = try spawnElsewhere(behind: two.rows.next + two.rows.left - 5, one)
        try moc.save()
        #expect(two.isAlive(taken))
        #expect(two.rows.promised == 10)
        #expect(two.rows.left >= 10)
        let transaction = try moc.mainStore().lastTransactionID
        #expect(two.spawnAll(count: 10)[0] > taken)
        #expect(try moc.mainStore().lastTransactionID == transaction)
        try moc.save()
        one.advance()
        #expect(one.count == 13)
    }

    @Test(arguments: [1, 20], [false, true])
    func ids_that_came_and_went_between_two_looks_are_left_out(
        _ distance: Int, _ looks: Bool
    ) throws {
        let (one, two, moc) = try worlds()
        let commands = Commands(two)
        let first = commands.spawn()
        commands.apply()
        try moc.save()
        try two.reserve(count: 10)
        let taken = try spawnElsewhere(behind: first.row + distance, one)
        #expect(taken.row == first.row + distance + 1)
        one.despawn(taken)
        try fixture.moc.save()
        two[first, Place.self] = Place(x: 1, y: 1)
        if looks { try two.refresh() } else { try moc.save() }
        #expect(!two.isAlive(taken))
        let own = distance == 1 ? commands.spawn() : two.spawn()
        #expect(own.row == taken.row + 1)
        commands.apply()
        #expect(two.rows.promised == (distance == 1 ? 10 : 9))
        let transaction = try moc.mainStore().lastTransactionID
        two.spawnAll(count: 9)
        #expect(try moc.mainStore().lastTransactionID == transaction)
        try moc.save()
        try WorldPages(fixture.url).verify()
    }

    @Test(arguments: [false, true])
    func ids_that_came_and_went_in_the_changes_are_left_out(_ isAlone: Bool) throws {
        let (one, two, moc) = try worlds()
        try two.reserve(count: 10)
        let next = two.rows.next
        let copy = one.copy()
        copy.advance()
        copy.rows.skip(upTo: next + 1)
        let gone = copy.spawn()
        copy.despawn(gone)
        try one.apply(copy.diff(since: copy.lastAdvance))
        // The mark reaches the file by a save that has nothing else, too.
        if !isAlone { one.spawn(Place(x: 7, y: 0)) }
        #expect(fixture.moc.hasChanges)
        try fixture.moc.save()
        try two.refresh()
        #expect(two.spawn().row == gone.row + 1)
        try moc.save()
        #expect(!fixture.moc.hasChanges)
    }

    @Test func a_mark_of_ids_that_came_and_went_is_saved_without_the_world() throws {
        let (_, two, moc) = try worlds()
        try two.reserve(count: 10)
        let third = fixture.context()
        let gone = try {
            let world = try Worlds.World(context: third)
            let copy = world.copy()
            copy.advance()
            copy.rows.skip(upTo: two.rows.next + 1)
            let gone = copy.spawn()
            copy.despawn(gone)
            let changes = copy.diff(since: copy.lastAdvance)
            try world.apply(changes)
            return gone
        }()
        #expect(third.hasChanges)
        try third.save()
        try two.refresh()
        #expect(two.spawn().row == gone.row + 1)
        try moc.save()
    }

    @Test func applying_changes_again_leaves_nothing_to_save() throws {
        let (one, two, _) = try worlds()
        try two.reserve(count: 10)
        let copy = one.copy()
        copy.advance()
        copy.rows.skip(upTo: two.rows.next + 1)
        copy.despawn(copy.spawn())
        let changes = copy.diff(since: copy.lastAdvance)
        try one.apply(changes)
        try fixture.moc.save()
        try one.apply(changes)
        #expect(!fixture.moc.hasChanges)
    }

    /// IDs that nobody had reserved concern nobody.
    @Test func ids_behind_all_reserved_ones_cost_no_reservation() throws {
        let one = try Worlds.World(context: fixture.moc)
        one.spawn(Place(x: 1, y: 0))
        try fixture.moc.save()
        let two = try Worlds.World(context: fixture.context())
        try two.reserve(count: 10)
        let next = two.rows.next
        let copy = one.copy()
        copy.rows.skip(upTo: 1 << 20)
        copy.spawn(Place(x: 2, y: 0))
        try one.apply(copy.diff(from: one))
        try fixture.moc.save()
        try two.refresh()
        #expect(two.count == 2)
        #expect(two.spawn().row == next)
    }

    @Test func commands_take_the_promised_ids_without_a_commit() throws {
        let world = try Worlds.World(context: fixture.moc)
        world.spawn()
        try world.reserve(count: 4_200)
        let end = world.rows.next + world.rows.left
        let commands = Commands(world)
        let ids = (0..<4_200).map { _ in commands.spawn() }
        commands.apply()
        #expect(world.count == 4_201)
        #expect(ids.allSatisfy { $0.row < end })
    }
}
